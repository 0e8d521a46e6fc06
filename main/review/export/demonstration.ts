import { sampleAt } from "../expression";
import type { Column, LogReader } from "../reader";
import { CannotExport } from "./exported";

const VEHICLE = "/kingfisher/vehicle";
const SETPOINT = "/kingfisher/setpoint";
export const ONLY_OURS = "Only Kingfisher's own flights with setpoints can become demonstrations.";

/** What robot-learning formats take of one of our flights: observations and the action that was commanded then. */
export interface Demonstration {
  readonly t_s: Float64Array;
  /** Position and velocity ENU, attitude FLU in ENU [w, x, y, z]; one column a component. */
  readonly position: readonly Column[];
  readonly velocity: readonly Column[];
  readonly attitude: readonly Column[];
  /** Commanded position ENU and yaw. */
  readonly action: readonly Column[];
}

/** Whether a log could be one, without reading it. */
export const couldDemonstrate = (reader: LogReader): boolean =>
  [VEHICLE, SETPOINT].every((name) => reader.topics.some((t) => t.name === name && t.count > 1));

/** Vehicle states from the first setpoint on: before it nothing was commanded. Throws one sentence. */
export function demonstrationOf(reader: LogReader): Demonstration {
  const position = columns(reader, VEHICLE, "position_enu_m", 3);
  const velocity = columns(reader, VEHICLE, "velocity_enu_m_s", 3);
  const attitude = columns(reader, VEHICLE, "quat_flu_enu", 4);
  const setpoint = columns(reader, SETPOINT, "position_enu_m", 3);
  const yaw = reader.column(SETPOINT, "yaw_enu_rad");
  const all_s = position?.[0]?.t_s;
  if (!position || !velocity || !attitude || !setpoint || !yaw || !all_s) throw new CannotExport(ONLY_OURS);
  const from = all_s.findIndex((t) => t >= (yaw.t_s[0] ?? Number.POSITIVE_INFINITY));
  if (from < 0 || all_s.length - from < 2)
    throw new CannotExport("This flight commanded nothing that could be demonstrated.");
  return { t_s: all_s.slice(from), position, velocity, attitude, action: [...setpoint, yaw] };
}

function columns(reader: LogReader, topic: string, field: string, width: number): Column[] | null {
  const found = Array.from({ length: width }, (_, i) => reader.column(topic, `${field}[${i}]`));
  const whole = found.filter((column) => column !== null);
  return whole.length === width ? whole : null;
}

/** Newest values at given times, row after row; `shift` 1 is the row after, the last repeated. */
export function rowsOf(of: readonly Column[], t_s: Float64Array, shift = 0): Float64Array {
  const out = new Float64Array(t_s.length * of.length);
  for (const [c, column] of of.entries()) {
    const values = sampleAt(column, t_s);
    for (let i = 0; i < t_s.length; i++)
      out[i * of.length + c] = values[Math.min(t_s.length - 1, i + shift)] ?? Number.NaN;
  }
  return out;
}
