import type { Snapshot } from "#contract/ipc";
import type { Result } from "#contract/result";
import type { Settings } from "#contract/settings";
import type { EmergencyAction } from "#contract/station";
import type { StationHandlers } from "../ipc/port";
import type { AlertDesk } from "./alert-desk";
import type { EvaluationDesk } from "./evaluation-desk";
import { evaluationHandlers } from "./evaluation-handlers";
import { linkHandlers } from "./link/handlers";
import { type ReviewPorts, reviewHandlers } from "./review-handlers";
import type { Session } from "./session";

export interface HandlerPorts extends ReviewPorts {
  readonly station: {
    connect(address: string, simulated: boolean): Promise<Result<void, string>>;
    startMission(command: string): Promise<Result<void, string>>;
    snapshot(): Snapshot;
    emergency(action: EmergencyAction, source: string): void;
  };
  readonly alerts: AlertDesk;
  readonly evaluation: EvaluationDesk;
  readonly session: () => Session | null;
  readonly settings: () => Settings;
  readonly changeSettings: (next: Settings) => Result<void, string>;
}

type Outcome = { readonly ok: true } | { readonly ok: false; readonly reason: string };
const outcome = (result: Result<unknown, string>): Outcome =>
  result.ok ? { ok: true } : { ok: false, reason: result.error };
const done: Outcome = { ok: true };
const unconnected: Outcome = { ok: false, reason: "No vehicle is connected; connect one in Setup." };

/** Answers every request of the window that is not the shell's own. Decisions carry the operator's name from here, never from the window. */
export function stationHandlers(ports: HandlerPorts): StationHandlers {
  const { station, alerts, session, settings } = ports;
  const operator = (): string => settings().operator;
  const now = <T>(value: T): Promise<T> => Promise.resolve(value);
  return {
    ...linkHandlers(session),
    ...evaluationHandlers(ports.evaluation, ports.home.evaluations),
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
      return s === null ? unconnected : outcome(await s.scene.push(object));
    },
    "scene.happen": async ({ id }) => {
      const s = session();
      return s === null ? unconnected : outcome(await s.scene.happen(id));
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
    ...reviewHandlers(ports),
  };

  function withSession(act: (session: Session) => Outcome): Outcome {
    const current = session();
    return current === null ? unconnected : act(current);
  }
}
