import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";
import { messageByName } from "./codec";
import type { Received } from "./port";
import { RateMeter } from "./rate-meter";

/** One kind of message from one component. */
export interface MessageKey {
  readonly system_id: number;
  readonly component_id: number;
  readonly name: string;
}

interface Seen {
  readonly id: number;
  readonly rate: RateMeter;
  readonly bytes: RateMeter;
  count: number;
  last: Received;
}

/** The newest values of one field, oldest overwritten. */
interface Ring {
  readonly at_ms: Float64Array;
  readonly values: Float64Array;
  written: number;
}

const RING = 3000;
const MOST_PLOTS = 8;
/** More kinds than any vehicle sends; a liar with random ids may not fill memory. */
const MOST_KINDS = 2000;

const keyOf = (key: MessageKey): string => `${String(key.system_id)}/${String(key.component_id)}/${key.name}`;

/** What goes over the links, per kind of message: rate, count, the newest fields, and the past of chosen ones. */
export class Inspector {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();
  /** Per message, per field. */
  readonly #plots = new Map<string, Map<string, Ring>>();
  readonly #unhear: Cancel;

  constructor(wire: { onMessage(listener: (received: Received) => void): Cancel }, clock: Clock) {
    this.#clock = clock;
    this.#unhear = wire.onMessage((received) => {
      this.#note(received);
    });
  }

  messages(): readonly (MessageKey & {
    readonly id: number;
    readonly count: number;
    readonly rate_hz: number;
    readonly bytes_per_s: number;
    readonly last_at_ms: number;
  })[] {
    const now_ms = this.#clock.now_ms();
    return [...this.#seen.values()].map(({ id, rate, bytes, count, last }) => ({
      system_id: last.system_id,
      component_id: last.component_id,
      name: last.name,
      id,
      count,
      rate_hz: rate.perSecond(now_ms),
      bytes_per_s: bytes.perSecond(now_ms),
      last_at_ms: last.at_ms,
    }));
  }

  fields(
    key: MessageKey,
  ): Result<readonly { name: string; text: string; value: number | null; unit: string }[], string> {
    const seen = this.#seen.get(keyOf(key));
    if (seen === undefined) return err(`${key.name} has not been heard from this component.`);
    const defs = messageByName(key.name)?.fields ?? [];
    return ok(
      defs
        .filter((field) => field.alias !== true)
        .flatMap((field) => {
          const unit = field.unit ?? "";
          const value = seen.last.fields[field.name];
          if (!Array.isArray(value)) return [{ name: field.name, ...shown(value), unit }];
          return value.map((one: unknown, i) => ({
            name: `${field.name}[${String(i)}]`,
            ...shown(one),
            unit,
          }));
        }),
    );
  }

  plot(key: MessageKey, field: string): Result<void, string> {
    const seen = this.#seen.get(keyOf(key));
    if (seen === undefined) return err(`${key.name} has not been heard from this component.`);
    if (valueOf(seen.last, field) === null) return err(`${key.name}.${field} is not a number.`);
    const rings = this.#plots.get(keyOf(key)) ?? new Map<string, Ring>();
    if (rings.has(field)) return ok(undefined);
    const all = [...this.#plots.values()].reduce((sum, some) => sum + some.size, 0);
    if (all >= MOST_PLOTS)
      return err(`Only ${String(MOST_PLOTS)} fields can be kept at once; close one first.`);
    rings.set(field, { at_ms: new Float64Array(RING), values: new Float64Array(RING), written: 0 });
    this.#plots.set(keyOf(key), rings);
    return ok(undefined);
  }

  unplot(key: MessageKey, field: string): void {
    const rings = this.#plots.get(keyOf(key));
    rings?.delete(field);
    if (rings?.size === 0) this.#plots.delete(keyOf(key));
  }

  /** Values kept after `after_ms`, oldest first. */
  series(
    key: MessageKey,
    field: string,
    after_ms: number | null,
  ): Result<{ readonly at_ms: number[]; readonly values: number[] }, string> {
    const ring = this.#plots.get(keyOf(key))?.get(field);
    if (ring === undefined) return err(`${key.name}.${field} is not being kept; ask for its plot first.`);
    const at_ms: number[] = [];
    const values: number[] = [];
    for (let i = Math.max(0, ring.written - RING); i < ring.written; i++) {
      const at = ring.at_ms[i % RING] ?? 0;
      if (after_ms !== null && at <= after_ms) continue;
      at_ms.push(at);
      values.push(ring.values[i % RING] ?? Number.NaN);
    }
    return ok({ at_ms, values });
  }

  close(): void {
    this.#unhear();
  }

  #note(received: Received): void {
    const key = keyOf(received);
    let seen = this.#seen.get(key);
    if (seen === undefined) {
      if (this.#seen.size >= MOST_KINDS) return;
      seen = { id: received.id, rate: new RateMeter(), bytes: new RateMeter(), count: 0, last: received };
      this.#seen.set(key, seen);
    }
    seen.count++;
    seen.last = received;
    seen.rate.add(1, received.at_ms);
    seen.bytes.add(received.bytes ?? 0, received.at_ms);
    const rings = this.#plots.get(key);
    if (rings === undefined) return;
    for (const [field, ring] of rings) {
      const value = valueOf(received, field);
      if (value === null) continue;
      ring.at_ms[ring.written % RING] = received.at_ms;
      ring.values[ring.written % RING] = value;
      ring.written++;
    }
  }
}

/** `q[2]` is the third element of q. Null when it is no finite number. */
function valueOf(received: Received, field: string): number | null {
  const match = /^(\w+)\[(\d+)\]$/.exec(field);
  const whole = received.fields[match?.[1] ?? field];
  const value: unknown = match === null ? whole : Array.isArray(whole) ? whole[Number(match[2])] : undefined;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function shown(value: unknown): { text: string; value: number | null } {
  if (typeof value === "bigint") return { text: String(value), value: Number(value) };
  if (typeof value !== "number") return { text: typeof value === "string" ? value : "", value: null };
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(7)));
  return { text, value: Number.isFinite(value) ? value : null };
}
