import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../../platform/clock";
import type { Fields, Received } from "../port";
import {
  comparePlans,
  itemFields,
  itemFrom,
  type MissionItem,
  type PlanKind,
  planKindId,
} from "./mission-item";
import { listen, type ServiceTarget, type ServiceWire, to } from "./service";

export type MissionFailure =
  | { readonly kind: "unanswered"; readonly text: string }
  | { readonly kind: "refused"; readonly text: string }
  /** The vehicle acknowledged something else than what was sent. */
  | { readonly kind: "different"; readonly text: string }
  | { readonly kind: "busy"; readonly text: string };

/** Longer than a round trip of a slow radio. */
const STEP_TIMEOUT_ms = 1500;
const TRIES = 12;
const ACCEPTED = 0;
const UNSUPPORTED = 3;
/** A request or an item out of turn, e.g. a repeat by the network: the transfer goes on (mavlink/qgroundcontrol#6718). */
const INVALID_SEQUENCE = 13;
const MOST_ITEMS = 5000;

const refusals: Readonly<Record<number, string>> = {
  1: "an error of its own",
  2: "the frame of an item is not supported",
  3: "a command is not supported",
  4: "there is no room for so many items",
  5: "an item is invalid",
  6: "parameter 1 of an item is invalid",
  7: "parameter 2 of an item is invalid",
  8: "parameter 3 of an item is invalid",
  9: "parameter 4 of an item is invalid",
  10: "the latitude of an item is invalid",
  11: "the longitude of an item is invalid",
  12: "the altitude of an item is invalid",
  14: "it does not take missions from this station",
  15: "it cancelled the transfer",
};

/** One reply that a step waits for; undefined lets the step go on waiting. */
type Judge<T> = (received: Received) => T | undefined;

/**
 * Plans in and out of one vehicle (https://mavlink.io/en/services/mission.html). An upload counts as done only when what
 * the vehicle gives back is what was sent. One transfer at a time.
 */
export class MissionService {
  readonly #wire: ServiceWire;
  readonly #clock: Clock;
  readonly #target: ServiceTarget;
  #busy = false;

  constructor(wire: ServiceWire, clock: Clock, target: ServiceTarget) {
    this.#wire = wire;
    this.#clock = clock;
    this.#target = target;
  }

  /** Sends a list, then reads it back and compares. `onProgress` counts items sent and then items read back. */
  upload(
    kind: PlanKind,
    items: readonly MissionItem[],
    onProgress: (share: number) => void = () => {},
  ): Promise<Result<void, MissionFailure>> {
    return this.#alone(async () => {
      const sent = items.length === 0 ? await this.#clear(kind) : await this.#send(kind, items, onProgress);
      if (!sent.ok) return sent;
      const kept = await this.#fetch(kind, (share) => onProgress(0.5 + share / 2));
      if (!kept.ok) return kept;
      const differences = comparePlans(items, kept.value);
      if (differences.length === 0) return ok(undefined);
      return err({
        kind: "different",
        text: `the vehicle kept something else: ${differences.slice(0, 5).join("; ")}`,
      });
    });
  }

  download(
    kind: PlanKind,
    onProgress: (share: number) => void = () => {},
  ): Promise<Result<readonly MissionItem[], MissionFailure>> {
    return this.#alone(() => this.#fetch(kind, onProgress));
  }

  clear(kind: PlanKind): Promise<Result<void, MissionFailure>> {
    return this.#alone(() => this.#clear(kind));
  }

  async #alone<T>(run: () => Promise<Result<T, MissionFailure>>): Promise<Result<T, MissionFailure>> {
    if (this.#busy) return err({ kind: "busy", text: "another plan is being transferred" });
    this.#busy = true;
    try {
      return await run();
    } finally {
      this.#busy = false;
    }
  }

  #clear(kind: PlanKind): Promise<Result<void, MissionFailure>> {
    return this.#step(
      "MISSION_CLEAR_ALL",
      { ...to(this.#target), mission_type: planKindId[kind] },
      (received) => this.#ackOf(received, kind),
    );
  }

  /** Undefined for anything that is not the final word on this transfer. */
  #ackOf({ name, fields }: Received, kind: PlanKind): Result<void, MissionFailure> | undefined {
    if (name !== "MISSION_ACK" || fields["mission_type"] !== planKindId[kind]) return undefined;
    const type = fields["type"];
    if (type === INVALID_SEQUENCE) return undefined;
    if (type === ACCEPTED) return ok(undefined);
    const reason = typeof type === "number" ? refusals[type] : undefined;
    const what = type === UNSUPPORTED && kind !== "mission" ? `it does not support a ${kind}` : reason;
    return err({
      kind: "refused",
      text: `the vehicle refused the ${kind}: ${what ?? `reason ${String(type)}`}`,
    });
  }

  /** The vehicle leads: it asks for one item after the other, and what was sent last is repeated when it falls silent. */
  #send(
    kind: PlanKind,
    items: readonly MissionItem[],
    onProgress: (share: number) => void,
  ): Promise<Result<void, MissionFailure>> {
    const mission_type = planKindId[kind];
    const asked = new Set<number>();
    return new Promise((settle) => {
      let cancelTimer: Cancel = () => {};
      let silent = 0;
      let repeat = (): void => {
        this.#wire.send("MISSION_COUNT", { ...to(this.#target), count: items.length, mission_type });
      };
      const finish = (outcome: Result<void, MissionFailure>): void => {
        cancelTimer();
        unhear();
        settle(outcome);
      };
      const arm = (): void => {
        cancelTimer();
        cancelTimer = this.#clock.after(STEP_TIMEOUT_ms, () => {
          if (++silent >= TRIES) {
            finish(
              err({
                kind: "unanswered",
                text: `the vehicle stopped asking after ${asked.size} of ${items.length} items`,
              }),
            );
            return;
          }
          repeat();
          arm();
        });
      };
      const unhear = listen(
        this.#wire,
        this.#target,
        ["MISSION_REQUEST_INT", "MISSION_REQUEST", "MISSION_ACK"],
        (received) => {
          const { name, fields } = received;
          if (fields["mission_type"] !== mission_type) return;
          if (name === "MISSION_ACK") {
            const outcome = this.#ackOf(received, kind);
            // An acceptance before every item was asked for belongs to an earlier transfer.
            if (outcome !== undefined && (!outcome.ok || asked.size === items.length)) finish(outcome);
            return;
          }
          const seq = fields["seq"];
          const item = typeof seq === "number" ? items[seq] : undefined;
          if (typeof seq !== "number" || item === undefined) return;
          silent = 0;
          asked.add(seq);
          onProgress(asked.size / items.length / 2);
          repeat = () => {
            this.#wire.send("MISSION_ITEM_INT", { ...to(this.#target), ...itemFields(item, seq, kind) });
          };
          repeat();
          arm();
        },
      );
      repeat();
      arm();
    });
  }

  async #fetch(
    kind: PlanKind,
    onProgress: (share: number) => void,
  ): Promise<Result<readonly MissionItem[], MissionFailure>> {
    const mission_type = planKindId[kind];
    const mine = (received: Received, name: string): boolean =>
      received.name === name && received.fields["mission_type"] === mission_type;
    const count = await this.#step<number>(
      "MISSION_REQUEST_LIST",
      { ...to(this.#target), mission_type },
      (received) => {
        const value = received.fields["count"];
        if (mine(received, "MISSION_COUNT") && typeof value === "number") return ok(value);
        const ack = this.#ackOf(received, kind);
        return ack !== undefined && !ack.ok ? ack : undefined;
      },
    );
    if (!count.ok) return count;
    const items: MissionItem[] = [];
    for (let seq = 0; seq < Math.min(count.value, MOST_ITEMS); seq++) {
      const item = await this.#step<MissionItem>(
        "MISSION_REQUEST_INT",
        { ...to(this.#target), seq, mission_type },
        (received) => {
          if (!mine(received, "MISSION_ITEM_INT") || received.fields["seq"] !== seq) return undefined;
          const value = itemFrom(received.fields);
          return value === null ? undefined : ok(value);
        },
      );
      if (!item.ok) return item;
      items.push(item.value);
      onProgress(items.length / count.value);
    }
    this.#wire.send("MISSION_ACK", { ...to(this.#target), type: ACCEPTED, mission_type });
    return ok(items);
  }

  /** Sends one message until its answer has come. */
  #step<T>(
    name: string,
    fields: Fields,
    judge: Judge<Result<T, MissionFailure>>,
  ): Promise<Result<T, MissionFailure>> {
    return new Promise((settle) => {
      let tries = 0;
      let cancelTimer: Cancel = () => {};
      const finish = (outcome: Result<T, MissionFailure>): void => {
        cancelTimer();
        unhear();
        settle(outcome);
      };
      const attempt = (): void => {
        if (tries++ >= TRIES) {
          finish(
            err({ kind: "unanswered", text: "the vehicle does not answer; the plan may be incomplete" }),
          );
          return;
        }
        cancelTimer = this.#clock.after(STEP_TIMEOUT_ms, attempt);
        this.#wire.send(name, fields);
      };
      const unhear = listen(
        this.#wire,
        this.#target,
        ["MISSION_COUNT", "MISSION_ITEM_INT", "MISSION_ACK"],
        (received) => {
          const outcome = judge(received);
          if (outcome !== undefined) finish(outcome);
        },
      );
      attempt();
    });
  }
}
