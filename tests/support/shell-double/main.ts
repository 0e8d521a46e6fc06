import { join } from "node:path";
import { defaultSettings } from "#contract/settings";
import { startShell } from "../../../main/app/shell";
import type { StationHandlers, StationPort } from "../../../main/ipc/port";

/**
 * The real shell around a station that only remembers what it was told: shows what the shell does by itself,
 * without a vehicle. Tests read `globalThis.told` through the main process.
 */
const told: string[] = [];
Object.assign(globalThis, { told });

const never = (): Promise<never> => Promise.reject(new Error("The double answers no such request"));
const names = [
  "station.snapshot",
  "station.connect",
  "mission.start",
  "mission.cancel",
  "mission.hand_back",
  "approval.decide",
  "emergency.press",
  "scene.push",
  "scene.happen",
  "alerts.acknowledge",
  "alerts.mute",
  "settings.set",
  "review.flights",
  "review.open",
  "review.close",
  "review.series",
  "review.track",
  "review.image",
] as const;
const handlers = {
  ...Object.fromEntries(names.map((name) => [name, never])),
  "settings.get": () => Promise.resolve(defaultSettings),
} as unknown as StationHandlers;

const station: StationPort = {
  handlers,
  on: (listener) => {
    listener("settings", defaultSettings);
    return () => {};
  },
  onPicture: (listener) => {
    let seq = 0;
    const timer = setInterval(() => {
      const bytes = new Uint8Array([seq % 256]);
      listener({ camera: "front", seq: seq++, captured_at_ms: 0, colour_jpeg: bytes, depth_jpeg: bytes });
    }, 20);
    return () => {
      clearInterval(timer);
    };
  },
  emergency: (action, source) => told.push(`${action} by ${source}`),
  rendererAlive: () => told.push("alive"),
  rendererLost: (why) => told.push(`lost: ${why}`),
  close: () => Promise.resolve(),
};

startShell(() => Promise.resolve(station), join(__dirname, ".."));
