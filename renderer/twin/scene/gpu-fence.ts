/**
 * Asks the graphics process, without waiting, whether it has carried out what was sent so far. Commands are done in order,
 * so a fence behind them answers for all.
 */
export class GpuFence {
  readonly #gl: WebGL2RenderingContext | null;
  #sync: WebGLSync | null = null;

  constructor(gl: WebGLRenderingContext | WebGL2RenderingContext) {
    this.#gl = gl instanceof WebGL2RenderingContext ? gl : null;
  }

  set(): void {
    const gl = this.#gl;
    if (gl === null) return;
    if (this.#sync !== null) gl.deleteSync(this.#sync);
    this.#sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  /** Turns false at the earliest in a later task of the page. A lost context has nothing left to do. */
  pending(): boolean {
    const gl = this.#gl;
    if (gl === null || this.#sync === null || gl.isContextLost()) return false;
    if (gl.getSyncParameter(this.#sync, gl.SYNC_STATUS) === gl.UNSIGNALED) return true;
    gl.deleteSync(this.#sync);
    this.#sync = null;
    return false;
  }
}
