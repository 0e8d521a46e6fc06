import {
  ACESFilmicToneMapping,
  BasicShadowMap,
  type Camera,
  PCFShadowMap,
  type Scene,
  WebGLRenderer,
} from "three";
import type { PageTime } from "../../bridge/time";
import { GpuFence } from "./gpu-fence";

export interface Drawing {
  readonly renderer: WebGLRenderer;
  /** No graphics hardware: pixels, soft edges and shadow passes are what costs. */
  readonly software: boolean;
}

/**
 * The WebGL renderer, set up for what draws it. Without graphics hardware soft shadow edges would cost as much as the
 * rest of the picture, so they are hard there and follow the vehicle a few times a second.
 */
export function createDrawing(canvas: HTMLCanvasElement): Drawing {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const software = isSoftware(rendererName(renderer.getContext()));
  // Asking whether a shader is right waits for it; the shaders are three.js's own.
  renderer.debug.checkShaderErrors = false;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = software ? BasicShadowMap : PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.toneMapping = ACESFilmicToneMapping;
  renderer.toneMappingExposure = 1.12;
  renderer.setClearAlpha(0);
  return { renderer, software };
}

/** Names of renderers that compute pictures on the processor. */
export const isSoftware = (name: string): boolean =>
  /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);

function rendererName(gl: WebGLRenderingContext | WebGL2RenderingContext): string {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return info === null ? "" : String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
}

const software_pixels = 520_000;

/** Device pixels for each CSS pixel: sharp up to 2, and never more than a processor can fill where it has to. */
export function pixelRatio(width: number, height: number, device: number, software: boolean): number {
  const most = software ? Math.sqrt(software_pixels / Math.max(1, width * height)) : 2;
  return Math.max(0.5, Math.min(device, most));
}

const poll_ms = 20;

/**
 * Compiles all shaders of a scene in the graphics process while the page goes on. Where shaders cannot be asked whether
 * they are ready, a fence after them is: commands are carried out in order.
 */
export async function compileAside(
  renderer: WebGLRenderer,
  scene: Scene,
  camera: Camera,
  time: Pick<PageTime, "after">,
): Promise<void> {
  const gl = renderer.getContext();
  try {
    if (gl.getExtension("KHR_parallel_shader_compile") !== null) {
      await renderer.compileAsync(scene, camera);
      return;
    }
    renderer.compile(scene, camera);
  } catch (cause) {
    // Lost in the middle of it: the event that says so is on its way, and everything is built anew then.
    if (gl.isContextLost()) return;
    throw cause;
  }
  const fence = new GpuFence(gl);
  fence.set();
  while (fence.pending()) await new Promise<void>((done) => time.after(poll_ms, done));
}
