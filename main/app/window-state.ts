import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

/** Where the window stood, in device-independent pixels. */
const WindowState = z.strictObject({
  x: z.number().int().nullable(),
  y: z.number().int().nullable(),
  width: z.number().int().min(640).max(20_000),
  height: z.number().int().min(400).max(20_000),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof WindowState>;

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const initial: WindowState = { x: null, y: null, width: 1600, height: 1000, maximized: false };

/** The state stored at `path`, or the initial one: a window is never a reason not to start. */
export function loadWindowState(path: string, screens: readonly Area[]): WindowState {
  let content: unknown = null;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return fit(initial, screens);
  }
  const parsed = WindowState.safeParse(content);
  return fit(parsed.success ? parsed.data : initial, screens);
}

/** No larger than the largest screen, and placed only where a screen still shows its title bar. */
export function fit(state: WindowState, screens: readonly Area[]): WindowState {
  const largest = screens.reduce((best, s) => (s.width * s.height > best.width * best.height ? s : best), {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  });
  const width = largest.width > 0 ? Math.min(state.width, largest.width) : state.width;
  const height = largest.height > 0 ? Math.min(state.height, largest.height) : state.height;
  const { x, y } = state;
  const shown =
    x !== null &&
    y !== null &&
    screens.some(
      (s) => x + width > s.x + 100 && x < s.x + s.width - 100 && y >= s.y && y < s.y + s.height - 50,
    );
  return { ...state, width, height, x: shown ? x : null, y: shown ? y : null };
}

export function saveWindowState(path: string, state: WindowState): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(state)}\n`);
}
