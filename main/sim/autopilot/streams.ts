import type { Message } from "./port";
import type { Status } from "./status";
import { builders } from "./telemetry";

/** Message ids of what can be streamed or requested, and PX4's rate on its ground link (0: only on request). */
const table: Readonly<Record<string, { readonly id: number; readonly hz: number }>> = {
  HEARTBEAT: { id: 0, hz: 1 },
  SYS_STATUS: { id: 1, hz: 1 },
  GPS_RAW_INT: { id: 24, hz: 5 },
  ATTITUDE: { id: 30, hz: 50 },
  ATTITUDE_QUATERNION: { id: 31, hz: 50 },
  LOCAL_POSITION_NED: { id: 32, hz: 50 },
  GLOBAL_POSITION_INT: { id: 33, hz: 50 },
  SERVO_OUTPUT_RAW: { id: 36, hz: 50 },
  MISSION_CURRENT: { id: 42, hz: 1 },
  GPS_GLOBAL_ORIGIN: { id: 49, hz: 0 },
  VFR_HUD: { id: 74, hz: 4 },
  ATTITUDE_TARGET: { id: 83, hz: 50 },
  POSITION_TARGET_LOCAL_NED: { id: 85, hz: 50 },
  HIGHRES_IMU: { id: 105, hz: 0 },
  ALTITUDE: { id: 141, hz: 1 },
  BATTERY_STATUS: { id: 147, hz: 0.5 },
  ESTIMATOR_STATUS: { id: 230, hz: 0.5 },
  VIBRATION: { id: 241, hz: 0.1 },
  HOME_POSITION: { id: 242, hz: 0.5 },
  EXTENDED_SYS_STATE: { id: 245, hz: 1 },
  ODOMETRY: { id: 331, hz: 30 },
  CURRENT_MODE: { id: 436, hz: 0.5 },
};

const nameById = new Map(Object.entries(table).map(([name, { id }]) => [id, name]));

interface Stream {
  readonly name: string;
  readonly id: number;
  interval_us: number;
  next_us: number;
}

/** The streams of one link: what is due goes out, at the rates PX4 starts with or a station has asked for. */
export class Streams {
  readonly #streams: Stream[];

  constructor() {
    this.#streams = Object.entries(table).map(([name, { id, hz }], i) => ({
      name,
      id,
      interval_us: hz > 0 ? 1e6 / hz : 0,
      // Spread the slow ones, so that no tick carries them all.
      next_us: hz > 0 && hz <= 5 ? 1000 * ((i * 37) % 100) : 0,
    }));
  }

  due(status: Status): Message[] {
    const out: Message[] = [];
    for (const stream of this.#streams) {
      if (stream.interval_us <= 0 || status.time_us < stream.next_us) continue;
      // Keeps the average rate, but never catches up in a burst.
      stream.next_us += stream.interval_us;
      if (stream.next_us <= status.time_us) stream.next_us = status.time_us + stream.interval_us;
      const message = build(stream.name, status);
      if (message) out.push(message);
    }
    return out;
  }

  /** MAV_CMD_SET_MESSAGE_INTERVAL: microseconds, 0 the default, -1 stops. Answers whether the message is known. */
  setInterval(id: number, interval_us: number, now_us: number): boolean {
    const stream = this.#streams.find((s) => s.id === id);
    if (!stream) return false;
    const hz = table[stream.name]?.hz ?? 0;
    stream.interval_us = interval_us === 0 ? (hz > 0 ? 1e6 / hz : 0) : Math.max(0, interval_us);
    stream.next_us = now_us + stream.interval_us;
    return true;
  }
  interval(id: number): number | null {
    const stream = this.#streams.find((s) => s.id === id);
    return stream ? (stream.interval_us > 0 ? stream.interval_us : -1) : null;
  }
}

/** What PX4 does not send while it knows no place on the globe. */
const global: ReadonlySet<string> = new Set(["GLOBAL_POSITION_INT", "HOME_POSITION", "GPS_GLOBAL_ORIGIN"]);

export function build(name: string, status: Status): Message | null {
  if (!status.origin_known && global.has(name)) return null;
  const builder = builders[name];
  return builder ? { name, fields: builder(status) } : null;
}

export function buildById(id: number, status: Status): Message | null {
  const name = nameById.get(id);
  return name === undefined ? null : build(name, status);
}
