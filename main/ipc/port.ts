import type { EventName } from "#contract/channels";
import type { CameraPicture, Event, Handlers } from "#contract/ipc";
import type { EmergencyAction } from "#contract/station";
import type { Cancel } from "../platform/clock";

/** Requests that the shell answers itself; all others are the station's. */
export type ShellRequest =
  | "app.info"
  | "app.copy"
  | "dialog.pick"
  | "review.pick"
  | "spectator.watch"
  | "ui.alive"
  | "ui.drawn"
  | "ui.typing";
export type StationHandlers = Omit<Handlers, ShellRequest>;

/**
 * What the Electron shell needs of a station. The station runs without a shell; the shell may lose its window at
 * any moment without the station noticing anything but silence.
 */
export interface StationPort {
  readonly handlers: StationHandlers;
  on(listener: <N extends EventName>(name: N, value: Event<N>) => void): Cancel;
  onPicture(listener: (picture: CameraPicture) => void): Cancel;
  /** The operator's emergency, from a key or the menu. Never throws, never waits for the window. */
  emergency(action: EmergencyAction, source: string): void;
  /** Called for every sign of life of the window. */
  rendererAlive(): void;
  /** The window crashed, hangs or fell silent. */
  rendererLost(why: string): void;
  close(): Promise<void>;
}
