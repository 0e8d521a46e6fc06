import type { StreamRow } from "#contract/link-detail";
import {
  arduPilotStreams,
  neededStreams,
  requestStreams,
  type Stream,
  spareStreams,
  trimStreams,
} from "../../link/protocols/message-intervals";
import type { VehicleServices } from "../../link/services";
import type { Cancel, Clock } from "../../platform/clock";

interface Asked {
  readonly stream: Stream;
  readonly wanted_hz: number;
  answer: StreamRow["answer"];
}

const RETRY_ms = 10_000;
/** A radio whose buffer is nearly full drops what comes: ask for less, and not too often. */
const FULL = 0.25;
const EASE = 0.7;
const EASE_EVERY_ms = 15_000;
const LEAST_EASE = 0.3;

/** Asks the vehicle for the messages that are needed, no faster than its link carries. */
export class StreamPlanner {
  readonly #clock: Clock;
  readonly #capacity: () => number | null;
  #services: VehicleServices | null = null;
  #asked: readonly Asked[] = [];
  #autopilot = "";
  #planned_for: number | null = null;
  #generation = 0;
  #ease = 1;
  #eased_at_ms = Number.NEGATIVE_INFINITY;
  #cancelRetry: Cancel = () => {};

  /** `capacity`: bytes a second of the vehicle's primary link; null when nothing limits it. */
  constructor(clock: Clock, capacity: () => number | null) {
    this.#clock = clock;
    this.#capacity = capacity;
  }

  get rows(): readonly StreamRow[] {
    return this.#asked.map(({ stream, wanted_hz, answer }) => ({
      name: stream.name,
      wanted_hz,
      asked_hz: stream.rate_hz,
      answer,
    }));
  }

  /** A vehicle that is new here, or has restarted and forgotten what was asked. */
  serve(services: VehicleServices, autopilot: string): void {
    this.#services = services;
    this.#autopilot = autopilot;
    this.#plan();
  }

  forget(): void {
    this.#generation++;
    this.#cancelRetry();
    this.#services = null;
    this.#asked = [];
    this.#ease = 1;
  }

  /** The primary link may have changed to one that carries more or less. */
  look(): void {
    if (this.#services !== null && this.#capacity() !== this.#planned_for) this.#plan();
  }

  /** `free` share of a telemetry radio's send buffer, from its own report. */
  radioBuffer(free: number): void {
    const now_ms = this.#clock.now_ms();
    if (!(free < FULL) || this.#ease <= LEAST_EASE || now_ms - this.#eased_at_ms < EASE_EVERY_ms) return;
    this.#eased_at_ms = now_ms;
    this.#ease *= EASE;
    this.#plan();
  }

  #plan(): void {
    const services = this.#services;
    if (services === null) return;
    const capacity = this.#capacity();
    this.#planned_for = capacity;
    const needed = this.#autopilot === "ardupilot" ? arduPilotStreams : neededStreams;
    const trimmed =
      capacity === null ? needed : [...spareStreams, ...trimStreams(needed, capacity * this.#ease)];
    this.#asked = trimmed.map((stream) => ({
      stream,
      wanted_hz: needed.find((n) => n.message_id === stream.message_id)?.rate_hz ?? 0,
      answer: "pending",
    }));
    void this.#ask(services, ++this.#generation);
  }

  async #ask(services: VehicleServices, generation: number): Promise<void> {
    this.#cancelRetry();
    for (const asked of this.#asked) {
      if (asked.answer === "accepted" || asked.answer === "refused") continue;
      const outcomes = await requestStreams(services.requests, services.target, [asked.stream]);
      if (generation !== this.#generation) return;
      const outcome = outcomes.get(asked.stream.name);
      if (outcome === undefined) continue;
      asked.answer = outcome.ok ? "accepted" : outcome.error === "unanswered" ? "unanswered" : "refused";
    }
    if (this.#asked.every((asked) => asked.answer !== "unanswered")) return;
    this.#cancelRetry = this.#clock.after(RETRY_ms, () => {
      void this.#ask(services, generation);
    });
  }
}
