import { z } from "zod";
import { err, ok, type Result } from "#contract/result";
import type { VehicleEvent } from "../../vehicle/arming-events";

/** One event in words. */
export interface EventText {
  readonly name: string;
  /** "default", "arming_check", "health", "calibration" … */
  readonly group: string;
  readonly text: string;
  readonly description: string;
}

const Enum = z.object({
  type: z.string(),
  is_bitfield: z.boolean().optional(),
  entries: z.record(z.string(), z.object({ name: z.string(), description: z.string().optional() })),
});
type Enum = z.infer<typeof Enum>;
const Event = z.object({
  name: z.string(),
  message: z.string().default(""),
  description: z.string().optional(),
  arguments: z.array(z.object({ type: z.string(), name: z.string() })).default([]),
});
/** https://mavlink.io/en/services/events.html: event.schema.json of the component metadata. */
const EventFile = z.object({
  version: z.number(),
  components: z.record(
    z.string(),
    z.object({
      namespace: z.string().default(""),
      enums: z.record(z.string(), Enum).default({}),
      event_groups: z
        .record(z.string(), z.object({ events: z.record(z.string(), Event).default({}) }))
        .default({}),
    }),
  ),
});

interface Known {
  readonly event: z.infer<typeof Event>;
  readonly group: string;
  readonly namespace: string;
}

/** The words of a vehicle for its events. */
export class EventDictionary {
  readonly #events = new Map<number, Known>();
  /** By `namespace::name`. */
  readonly #enums = new Map<string, Enum>();

  static parse(json: unknown): Result<EventDictionary, string> {
    const parsed = EventFile.safeParse(json);
    if (!parsed.success) return err("it is not a list of events");
    const dictionary = new EventDictionary();
    for (const [component, { namespace, enums, event_groups }] of Object.entries(parsed.data.components)) {
      for (const [name, one] of Object.entries(enums)) dictionary.#enums.set(`${namespace}::${name}`, one);
      for (const [group, { events }] of Object.entries(event_groups)) {
        for (const [id, event] of Object.entries(events)) {
          const whole = Number(component) * 0x100_0000 + (Number(id) % 0x100_0000);
          dictionary.#events.set(whole, { event, group, namespace });
        }
      }
    }
    return ok(dictionary);
  }

  get size(): number {
    return this.#events.size;
  }

  /** Null for an event that is not described. */
  words(event: VehicleEvent): EventText | null {
    const known = this.#events.get(event.id);
    if (known === undefined) return null;
    const values = this.#values(known, event.arguments);
    return {
      name: known.event.name,
      group: known.group,
      text: fill(known.event.message, values),
      description: fill(known.event.description ?? "", values),
    };
  }

  #values({ event, namespace }: Known, bytes: readonly number[]): readonly Value[] {
    const view = new DataView(new ArrayBuffer(64));
    bytes.slice(0, 64).forEach((byte, i) => view.setUint8(i, byte & 0xff));
    let at = 0;
    return event.arguments.map(({ type }): Value => {
      const meaning = this.#enumOf(type, namespace);
      const base = meaning?.type ?? type;
      const read = readers[base];
      // A kind that is not known has no length either: what follows cannot be read.
      if (read === undefined || at + read.size > 64) {
        at = 64;
        return { number: Number.NaN, text: "?" };
      }
      const number = read.get(view, at);
      at += read.size;
      return { number, text: meaning === null ? null : enumText(meaning, number) };
    });
  }

  #enumOf(type: string, namespace: string): Enum | null {
    const [name = "", ...before] = type.split("::").reverse();
    const space = before.at(-1) ?? namespace;
    return this.#enums.get(`${space}::${name}`) ?? this.#enums.get(`common::${name}`) ?? null;
  }
}

interface Value {
  readonly number: number;
  /** Of an enumeration; null for a plain number. */
  readonly text: string | null;
}

interface Reader {
  readonly size: number;
  get(view: DataView, at: number): number;
}
const readers: Readonly<Record<string, Reader | undefined>> = {
  uint8_t: { size: 1, get: (v, at) => v.getUint8(at) },
  int8_t: { size: 1, get: (v, at) => v.getInt8(at) },
  uint16_t: { size: 2, get: (v, at) => v.getUint16(at, true) },
  int16_t: { size: 2, get: (v, at) => v.getInt16(at, true) },
  uint32_t: { size: 4, get: (v, at) => v.getUint32(at, true) },
  int32_t: { size: 4, get: (v, at) => v.getInt32(at, true) },
  uint64_t: { size: 8, get: (v, at) => Number(v.getBigUint64(at, true)) },
  int64_t: { size: 8, get: (v, at) => Number(v.getBigInt64(at, true)) },
  float: { size: 4, get: (v, at) => v.getFloat32(at, true) },
};

function enumText(meaning: Enum, number: number): string {
  const say = (key: string, entry: { name: string; description?: string | undefined }): string =>
    entry.description === undefined || entry.description === "" ? entry.name || key : entry.description;
  if (meaning.is_bitfield !== true) {
    const entry = meaning.entries[String(number)];
    return entry === undefined ? String(number) : say(String(number), entry);
  }
  const set = Object.entries(meaning.entries).filter(([bit]) => Math.floor(number / Number(bit)) % 2 === 1);
  return set.length === 0 ? "none" : set.map(([key, entry]) => say(key, entry)).join(", ");
}

const units: Readonly<Record<string, string>> = { m: "m", m_v: "m", "m^2": "m²", "m/s": "m/s", C: "°C" };

/**
 * A message with its arguments: `{2}` is the second, `{2:.1}` with one decimal, `{2:.1m_v}` in metres. A backslash takes
 * away a character's meaning; tags such as <param> and <a> keep their content only.
 */
function fill(message: string, values: readonly Value[]): string {
  const filled = message.replace(
    /\\(.)|\{(\d+)(?::\.(\d+))?([^}:]*)\}|<profile[^>]*>[\s\S]*?<\/profile>|<[^>]*>/g,
    (whole: string, escaped?: string, index?: string, decimals?: string, unit?: string) => {
      if (escaped !== undefined) return escaped;
      if (index === undefined) return "";
      const value = values[Number(index) - 1];
      if (value === undefined) return whole;
      const number =
        decimals === undefined
          ? String(Number(value.number.toPrecision(7)))
          : value.number.toFixed(Number(decimals));
      const named = units[unit ?? ""];
      return (value.text ?? number) + (named === undefined ? "" : ` ${named}`);
    },
  );
  return filled.replace(/\s*\n\s*/g, " ").trim();
}
