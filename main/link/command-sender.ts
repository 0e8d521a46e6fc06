import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";
import type { Fields, Received } from "./port";

/**
 * Why a command was not accepted. `unanswered` means unknown, not failed: the vehicle may have acted, so look at its state
 * before asking again. `superseded`: a more urgent one of the same kind took its place.
 */
export type CommandFailure =
  | "temporarily_rejected"
  | "denied"
  | "unsupported"
  | "failed"
  | "cancelled"
  | "unanswered"
  | "busy"
  | "superseded"
  | "no_vehicle";

export interface CommandTarget {
  readonly system_id: number;
  readonly component_id: number;
}

export interface CommandRequest {
  readonly command: number;
  /** Up to seven; null is "not used" (NaN on the wire). */
  readonly params: readonly (number | null)[];
  readonly target: CommandTarget;
  /** Doing it twice is the same as once: only then is it sent again when no answer comes. */
  readonly idempotent: boolean;
  /** Takes the place of a pending command of the same number instead of being refused as busy. */
  readonly urgent?: boolean;
  readonly onProgress?: (share: number | null) => void;
}

/** Sends as the station and hears what arrives; the hub, seen from here. */
export interface CommandWire {
  send(name: string, fields: Fields): void;
  onMessage(listener: (received: Received) => void): Cancel;
}

const ACK_TIMEOUT_ms = 700;
const ATTEMPTS = 4;
/** A command that is executed over a long time reports IN_PROGRESS now and then; silence for so long ends the wait. */
const PROGRESS_TIMEOUT_ms = 8000;

interface Pending {
  readonly request: CommandRequest;
  readonly settle: (outcome: Result<"accepted", CommandFailure>) => void;
  cancel: Cancel;
  sends: number;
  inProgress: boolean;
  /** Acks that may still belong to the command this one superseded; they prove nothing about this one. */
  foreignAcks: number;
}

/**
 * Sends COMMAND_LONG and waits for its COMMAND_ACK (https://mavlink.io/en/services/command.html).
 *
 * An ack counts when command, sender and addressee match. Several commands may wait at once, one per number and vehicle.
 * Retries raise `confirmation`. IN_PROGRESS restarts the wait and ends the retries; it is never the end.
 */
export class CommandSender {
  readonly #wire: CommandWire;
  readonly #clock: Clock;
  readonly #self: CommandTarget;
  readonly #pending = new Map<string, Pending>();
  readonly #unhear: Cancel;

  constructor(wire: CommandWire, clock: Clock, self: CommandTarget = { system_id: 255, component_id: 190 }) {
    this.#wire = wire;
    this.#clock = clock;
    this.#self = self;
    this.#unhear = wire.onMessage((received) => {
      if (received.name === "COMMAND_ACK") this.#onAck(received);
    });
  }

  send(request: CommandRequest): Promise<Result<"accepted", CommandFailure>> {
    const key = keyOf(request.command, request.target);
    const before = this.#pending.get(key);
    if (before !== undefined && request.urgent !== true) return Promise.resolve(err("busy"));
    return new Promise((settle) => {
      let foreignAcks = 0;
      if (before !== undefined) {
        foreignAcks = before.sends + before.foreignAcks;
        this.#finish(key, before, err("superseded"));
      }
      const pending: Pending = {
        request,
        settle,
        cancel: () => {},
        sends: 0,
        inProgress: false,
        foreignAcks,
      };
      this.#pending.set(key, pending);
      this.#attempt(key, pending);
    });
  }

  /** Ends every wait as unanswered. */
  close(): void {
    this.#unhear();
    for (const [key, pending] of [...this.#pending]) this.#finish(key, pending, err("unanswered"));
  }

  #attempt(key: string, pending: Pending): void {
    const { command, params, target } = pending.request;
    const param = (n: number): number => params[n] ?? Number.NaN;
    const confirmation = Math.min(255, pending.sends);
    pending.sends++;
    pending.cancel = this.#clock.after(ACK_TIMEOUT_ms, () => {
      this.#onSilence(key, pending);
    });
    this.#wire.send("COMMAND_LONG", {
      target_system: target.system_id,
      target_component: target.component_id,
      command,
      confirmation,
      param1: param(0),
      param2: param(1),
      param3: param(2),
      param4: param(3),
      param5: param(4),
      param6: param(5),
      param7: param(6),
    });
  }

  #onSilence(key: string, pending: Pending): void {
    if (pending.request.idempotent && !pending.inProgress && pending.sends < ATTEMPTS) {
      this.#attempt(key, pending);
    } else if (!pending.inProgress && !pending.request.idempotent && pending.sends === 1) {
      // Sent once only: the answer gets the time that retries would have had.
      pending.sends = ATTEMPTS;
      pending.cancel = this.#clock.after(ACK_TIMEOUT_ms * (ATTEMPTS - 1), () => {
        this.#finish(key, pending, err("unanswered"));
      });
    } else {
      this.#finish(key, pending, err("unanswered"));
    }
  }

  #onAck(received: Received): void {
    const { command, result, target_system, target_component, progress } = received.fields;
    if (typeof command !== "number" || typeof result !== "number") return;
    const key = keyOf(command, received);
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    // MAVLink 1 has no addressee; zero is "everyone".
    if (target_system !== 0 && target_system !== this.#self.system_id) return;
    if (target_component !== 0 && target_component !== this.#self.component_id) return;
    if (pending.foreignAcks > 0) {
      pending.foreignAcks--;
      return;
    }
    if (result === IN_PROGRESS) {
      pending.inProgress = true;
      pending.cancel();
      pending.cancel = this.#clock.after(PROGRESS_TIMEOUT_ms, () => {
        this.#finish(key, pending, err("unanswered"));
      });
      pending.request.onProgress?.(typeof progress === "number" && progress <= 100 ? progress / 100 : null);
      return;
    }
    this.#finish(key, pending, result === 0 ? ok("accepted") : err(failureOf(result)));
  }

  #finish(key: string, pending: Pending, outcome: Result<"accepted", CommandFailure>): void {
    pending.cancel();
    if (this.#pending.get(key) === pending) this.#pending.delete(key);
    pending.settle(outcome);
  }
}

const IN_PROGRESS = 5;

const keyOf = (command: number, target: CommandTarget): string =>
  `${String(target.system_id)}/${String(target.component_id)}/${String(command)}`;

/** MAV_RESULT: https://mavlink.io/en/messages/common.html#MAV_RESULT */
function failureOf(result: number): CommandFailure {
  switch (result) {
    case 1:
      return "temporarily_rejected";
    case 2:
      return "denied";
    case 3:
      return "unsupported";
    case 6:
      return "cancelled";
    default:
      return "failed";
  }
}
