import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "#contract/ipc";
import type { Result } from "#contract/result";
import type { FlightEntry } from "#contract/review";
import type { Settings } from "#contract/settings";
import type { EmergencyAction } from "#contract/station";
import type { StationHandlers } from "../ipc/port";
import type { Home } from "../platform/paths";
import type { ReviewClient } from "../review/client";
import type { AlertDesk } from "./alert-desk";
import { linkHandlers } from "./link/handlers";
import type { Session } from "./session";

export interface HandlerPorts {
  readonly station: {
    connect(address: string, simulated: boolean): Promise<Result<void, string>>;
    startMission(command: string): Promise<Result<void, string>>;
    snapshot(): Snapshot;
    emergency(action: EmergencyAction, source: string): void;
  };
  readonly alerts: AlertDesk;
  readonly review: ReviewClient;
  readonly session: () => Session | null;
  readonly settings: () => Settings;
  readonly changeSettings: (next: Settings) => Result<void, string>;
  readonly home: Home;
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };
const outcome = (result: Result<unknown, string>): Outcome =>
  result.ok ? { ok: true } : { ok: false, reason: result.error };
const done: Outcome = { ok: true };
const unconnected: Outcome = { ok: false, reason: "No vehicle is connected; connect one in Setup." };

/** Answers every request of the window that is not the shell's own. Decisions carry the operator's name from here, never from the window. */
export function stationHandlers(ports: HandlerPorts): StationHandlers {
  const { station, alerts, review, session, settings } = ports;
  const operator = (): string => settings().operator;
  const now = <T>(value: T): Promise<T> => Promise.resolve(value);
  return {
    ...linkHandlers(),
    "station.snapshot": () => now(station.snapshot()),
    "station.connect": async ({ address, simulated }) => {
      const connected = await station.connect(address, simulated);
      if (connected.ok) {
        const s = settings();
        ports.changeSettings({ ...s, connect: { ...s.connect, address, simulated } });
      }
      return outcome(connected);
    },
    "mission.start": async ({ command }) => outcome(await station.startMission(command)),
    "mission.cancel": () => now(withSession((s) => outcome(s.flight.cancel(operator())))),
    "mission.hand_back": () => now(withSession((s) => outcome(s.flight.resume(operator())))),
    "approval.decide": (decision) => now(withSession((s) => outcome(s.flight.decide(decision, operator())))),
    "emergency.press": ({ action }) => {
      if (session() === null) return now(unconnected);
      station.emergency(action, "window");
      return now(done);
    },
    "scene.push": async ({ object }) => {
      const s = session();
      return s === null ? unconnected : outcome(await s.push(object));
    },
    "alerts.acknowledge": ({ id }) => {
      alerts.acknowledge(id, operator());
      return now(done);
    },
    "alerts.mute": ({ minutes }) => {
      alerts.mute(minutes);
      const s = settings();
      const muted_until_utc_ms = minutes === 0 ? 0 : station.snapshot().station.utc_ms + minutes * 60_000;
      return now(outcome(ports.changeSettings({ ...s, sound: { ...s.sound, muted_until_utc_ms } })));
    },
    "settings.get": () => now(settings()),
    "settings.set": (next) => now(outcome(ports.changeSettings(next))),
    "review.flights": () => listFlights(ports.home.flights),
    "review.open": (input) => review.request("review.open", input),
    "review.close": (input) => review.request("review.close", input),
    "review.series": (input) => review.request("review.series", input),
    "review.track": (input) => review.request("review.track", input),
    "review.image": (input) => review.request("review.image", input),
    "review.message": (input) => review.request("review.message", input),
  };

  function withSession(act: (session: Session) => Outcome): Outcome {
    const current = session();
    return current === null ? unconnected : act(current);
  }
}

/** Recorded flights, newest first. A folder that does not exist yet is an empty list. */
async function listFlights(folder: string): Promise<FlightEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const entries = await Promise.all(
    names.map(async (name): Promise<FlightEntry | null> => {
      const path = join(folder, name);
      const file = await stat(join(path, "flight.mcap")).catch(() => null);
      return file === null ? null : { path, name, size_bytes: file.size, modified_utc_ms: file.mtimeMs };
    }),
  );
  return entries.filter((e) => e !== null).sort((a, b) => b.modified_utc_ms - a.modified_utc_ms);
}
