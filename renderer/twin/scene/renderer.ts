import { ACESFilmicToneMapping, BasicShadowMap, PCFShadowMap, WebGLRenderer } from "three";

export interface Drawing {
  readonly renderer: WebGLRenderer;
  /** Least time between two shadow passes; each costs about as much as a picture. */
  readonly shadow_pause_ms: number;
}

/**
 * The WebGL renderer, set up for what draws it. Without graphics hardware soft shadow edges would cost as much as the
 * rest of the picture, so they are hard there and follow the vehicle a few times a second.
 */
export function createDrawing(canvas: HTMLCanvasElement): Drawing {
  const renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true });
  const software = isSoftware(rendererName(renderer.getContext()));
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = software ? BasicShadowMap : PCFShadowMap;
  renderer.shadowMap.autoUpdate = false;
  renderer.toneMapping = ACESFilmicToneMapping;
  renderer.toneMappingExposure = 1.12;
  renderer.setClearAlpha(0);
  return { renderer, shadow_pause_ms: software ? 240 : 0 };
}

/** Names of renderers that compute pictures on the processor. */
export const isSoftware = (name: string): boolean =>
  /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);

function rendererName(gl: WebGLRenderingContext | WebGL2RenderingContext): string {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  return info === null ? "" : String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
}
