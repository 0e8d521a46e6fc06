import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BrowserWindow } from "electron";
import type { Clock } from "../platform/clock";
import { missingForSmoke, type SmokeView } from "./smoke-view";

export interface SmokeOptions {
  readonly path: string;
  readonly timeout_s: number;
  readonly window: BrowserWindow;
  readonly clock: Clock;
  view(): Promise<SmokeView>;
}

/** Waits for everything, lets the picture settle, writes it. Resolves to what was missing: empty is success. */
export async function takeSmokePicture(options: SmokeOptions): Promise<readonly string[]> {
  const { clock } = options;
  const pause = (delay_ms: number): Promise<void> =>
    new Promise((done) => {
      clock.after(delay_ms, done);
    });
  const until_ms = clock.now_ms() + options.timeout_s * 1000;
  for (let settled = false; ; ) {
    const missing = missingForSmoke(await options.view());
    if (missing.length === 0 && settled) break;
    if (missing.length > 0 && clock.now_ms() >= until_ms) return missing;
    // The picture is to show it all: what was there and has gone again is waited for anew.
    settled = missing.length === 0;
    await pause(settled ? 1500 : 250);
  }
  const picture = await options.window.webContents.capturePage();
  if (picture.isEmpty()) return ["the window gave no picture"];
  const path = resolve(options.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, picture.toPNG());
  return [];
}
