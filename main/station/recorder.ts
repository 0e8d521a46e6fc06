import type { RecordMessage, RecordTopic } from "#contract/record";
import type { Settings } from "#contract/settings";
import type { RawFrame } from "../link/port";
import { type FlightMeta, type Logbook, openLogbook } from "../logbook/logbook";
import type { Clock } from "../platform/clock";
import type { VehicleText } from "../vehicle";
import { severityWord } from "./alert-desk";

export interface RecorderOptions {
  readonly clock: Clock;
  readonly folder: string;
  readonly meta: () => Omit<FlightMeta, "name" | "settings">;
  readonly settings: () => Settings;
  readonly onProblem: (text: string) => void;
  /** Called with a fresh recording: what does not change during a flight is written first. */
  readonly onOpen: (recorder: Recorder) => void;
}

/** How long after disarming and the end of the mission a recording goes on. */
const tail_ms = 3000;

/**
 * One recording a flight: it begins with a mission or with arming, whichever comes first, and ends a little after the
 * vehicle is disarmed and the mission is over. Nothing waits for the disk; what comes while the files open is kept.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  #logbook: Logbook | null = null;
  #opening: Promise<void> | null = null;
  #early: ((logbook: Logbook) => void)[] = [];
  #idle_since_ms: number | null = null;
  #closing: Promise<void> = Promise.resolve();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get folder(): string | null {
    return this.#logbook?.folder ?? null;
  }

  /** Begins a recording unless one is running. Resolves when its files are open, or when it is known that they cannot be. */
  begin(name: string): Promise<void> {
    if (this.#logbook !== null) return Promise.resolve();
    this.#opening ??= this.#options.clock.hold(this.#open(name));
    return this.#opening;
  }

  write<T extends RecordTopic>(topic: T, message: RecordMessage<T>, at_ms?: number): void {
    const when_ms = at_ms ?? this.#options.clock.now_ms();
    this.#with((logbook) => {
      logbook.write(topic, message, when_ms);
    });
  }
  image(topic: string, jpeg: Uint8Array, at_ms: number): void {
    this.#with((logbook) => {
      logbook.image(topic, jpeg, at_ms);
    });
  }
  text({ system_id, component_id, severity, text }: VehicleText): void {
    const source = `${String(system_id)}/${String(component_id)}`;
    this.write("/kingfisher/text", { severity: severityWord(severity), source, text });
  }
  raw(frame: RawFrame): void {
    this.#with((logbook) => {
      logbook.raw(frame);
    });
  }
  /** A decision, into the hash chain. */
  audit(kind: string, by: string, detail: Readonly<Record<string, unknown>>): void {
    this.#with((logbook) => {
      logbook.audit({ kind, by, detail });
    });
  }

  /** Called at 10 Hz. */
  tick(armed: boolean, missionRunning: boolean): void {
    const now_ms = this.#options.clock.now_ms();
    if (armed && this.#logbook === null) void this.begin("flight");
    if (this.#logbook === null) return;
    if (armed || missionRunning) this.#idle_since_ms = null;
    else this.#idle_since_ms ??= now_ms;
    if (this.#idle_since_ms !== null && now_ms - this.#idle_since_ms >= tail_ms) void this.end();
  }

  async end(): Promise<void> {
    await this.#opening;
    const logbook = this.#logbook;
    this.#logbook = null;
    this.#idle_since_ms = null;
    if (logbook !== null) {
      const { problem } = logbook.status();
      if (problem !== null) this.#options.onProblem(problem);
      this.#closing = this.#options.clock.hold(logbook.close());
    }
    await this.#closing;
  }

  async #open(name: string): Promise<void> {
    const { clock, folder, meta, settings } = this.#options;
    const opened = await openLogbook(folder, { ...meta(), name, settings: settings() }, clock);
    this.#opening = null;
    const early = this.#early;
    this.#early = [];
    if (!opened.ok) {
      this.#options.onProblem(`${opened.error}. This flight is not recorded.`);
      return;
    }
    this.#logbook = opened.value;
    this.#options.onOpen(this);
    for (const write of early) write(opened.value);
  }

  #with(write: (logbook: Logbook) => void): void {
    if (this.#logbook !== null) write(this.#logbook);
    else if (this.#opening !== null) this.#early.push(write);
  }
}
