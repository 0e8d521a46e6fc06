import { num } from "./fields";
import type { NavState } from "./modes";
import type { Incoming, Message } from "./port";
import { nothing, type Service } from "./service";

const kept = 64;
const announce_us = 3_040_000;

/** Log level nibbles, internal and external alike; 8 is "protocol", for the arming report's frame. */
export const eventLevel = { critical: 2, error: 3, warning: 4, info: 6, protocol: 8 } as const;
type EventLevel = (typeof eventLevel)[keyof typeof eventLevel];

/** The id PX4 gives an event of component 1: 24 bits of FNV-1a over its name. */
export function eventId(name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193) >>> 0;
  return (1 << 24) | (h & 0xffffff);
}

/** Bit of each mode in the arming report: PX4's navigation state numbers. */
export const navBit: Readonly<Record<NavState, number>> = {
  manual: 0,
  altitude: 1,
  position: 2,
  mission: 3,
  loiter: 4,
  return: 5,
  acro: 10,
  descend: 12,
  termination: 13,
  offboard: 14,
  stabilized: 15,
  takeoff: 17,
  land: 18,
};

export type EventArgument = readonly ["u8" | "u32" | "f32", number];

function pack(args: readonly EventArgument[]): number[] {
  const view = new DataView(new ArrayBuffer(40));
  let at = 0;
  for (const [type, value] of args) {
    if (type === "u8") view.setUint8(at, value);
    else if (type === "u32") view.setUint32(at, value, true);
    else view.setFloat32(at, value, true);
    at += type === "u8" ? 1 : 4;
  }
  return Array.from(new Uint8Array(view.buffer));
}

/**
 * The EVENT interface: numbered events that a station can ask for again (REQUEST_EVENT), with the newest number announced
 * every three seconds so that a lost one is noticed.
 */
export class Events implements Service {
  #sequence = 0;
  #first = true;
  #kept: Message[] = [];
  #out: Message[] = [];
  #announced_us = 0;

  emit(name: string, level: EventLevel, now_us: number, args: readonly EventArgument[] = []): void {
    if (!this.#first) this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#first = false;
    const message: Message = {
      name: "EVENT",
      fields: {
        id: eventId(name),
        event_time_boot_ms: Math.floor(now_us / 1000),
        sequence: this.#sequence,
        log_levels: (level << 4) | level,
        arguments: pack(args),
      },
    };
    this.#kept.push(message);
    if (this.#kept.length > kept) this.#kept.shift();
    this.#out.push(message);
  }

  handle(m: Incoming): readonly Message[] {
    if (m.name !== "REQUEST_EVENT") return nothing;
    const first = num(m, "first_sequence");
    const last = num(m, "last_sequence");
    const out: Message[] = [];
    for (let n = 0; n <= ((last - first) & 0xffff) && n < kept; n++) {
      const sequence = (first + n) & 0xffff;
      const found = this.#kept.find((k) => k.fields["sequence"] === sequence);
      out.push(
        found
          ? {
              ...found,
              fields: {
                ...found.fields,
                destination_system: m.system_id,
                destination_component: m.component_id,
              },
            }
          : {
              name: "RESPONSE_EVENT_ERROR",
              fields: {
                target_system: m.system_id,
                target_component: m.component_id,
                sequence,
                sequence_oldest_available: Number(this.#kept[0]?.fields["sequence"] ?? 0),
                reason: 0,
              },
            },
      );
    }
    return out;
  }

  tick(now_us: number): readonly Message[] {
    const out = this.#out;
    this.#out = [];
    if (!this.#first && now_us - this.#announced_us >= announce_us) {
      this.#announced_us = now_us;
      out.push({ name: "CURRENT_EVENT_SEQUENCE", fields: { sequence: this.#sequence, flags: 0 } });
    }
    return out;
  }
}

export interface ReportedCheck {
  readonly name: string;
  readonly blocks: boolean;
  /** Modes that the failure concerns; null means all. */
  readonly modes: readonly NavState[] | null;
  /** PX4's health component number; 20 is "system". */
  readonly component: number;
}

/** PX4's arming report: a summary, one event per failed check, the health summary that closes it. */
export function reportArming(
  events: Events,
  now_us: number,
  checks: readonly ReportedCheck[],
  canArm: readonly NavState[],
  canRun: readonly NavState[],
): void {
  const mask = (states: readonly NavState[] | null): number =>
    states === null ? 0xffffffff : states.reduce((m, s) => (m | (1 << navBit[s])) >>> 0, 0);
  const components = checks.reduce((m, c) => (m | (1 << c.component)) >>> 0, 0);
  events.emit("commander_arming_check_summary", eventLevel.protocol, now_us, [
    ["u8", 0],
    ["u32", components],
    ["u32", 0],
    ["u32", mask(canArm)],
    ["u32", mask(canRun)],
  ]);
  for (const check of checks) {
    events.emit(check.name, check.blocks ? eventLevel.error : eventLevel.warning, now_us, [
      ["u32", mask(check.modes)],
      ["u8", check.component],
    ]);
  }
  events.emit("commander_health_summary", eventLevel.protocol, now_us, [
    ["u8", 0],
    ["u32", 0x38021c0a],
    ["u32", 0],
    ["u32", 0],
  ]);
}
