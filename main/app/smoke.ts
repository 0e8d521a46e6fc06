import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BrowserWindow } from "electron";
import type { Snapshot } from "#contract/ipc";
import type { Clock } from "../platform/clock";

/** What has to be true before the picture is taken. */
export interface SmokeView {
  readonly snapshot: Pick<Snapshot, "station" | "vehicle"> | null;
  readonly drawn: ReadonlySet<string>;
}

/** Names everything that is still missing, in the order in which it comes. */
export function missingForSmoke({ snapshot, drawn }: SmokeView): readonly string[] {
  const conditions: readonly (readonly [boolean, string])[] = [
    [snapshot !== null, "the station has not answered"],
    [snapshot?.station.vehicle_kind === "embedded", "the embedded vehicle has not been started"],
    [snapshot?.vehicle.connected === true, "the vehicle is not connected"],
    [drawn.has("twin"), "the twin has not drawn"],
    [drawn.has("camera"), "the camera has not drawn"],
  ];
  return conditions.filter(([met]) => !met).map(([, text]) => text);
}

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
  for (;;) {
    const missing = missingForSmoke(await options.view());
    if (missing.length === 0) break;
    if (clock.now_ms() >= until_ms) return missing;
    await pause(250);
  }
  await pause(1500);
  const picture = await options.window.webContents.capturePage();
  if (picture.isEmpty()) return ["the window gave no picture"];
  const path = resolve(options.path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, picture.toPNG());
  return [];
}
