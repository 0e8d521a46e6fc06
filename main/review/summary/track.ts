import { frd, type Ned, nedToEnu, type QuatFrdNed, quatFrdNedToFluEnu } from "#contract/frames";
import type { ReviewTrack } from "#contract/review";
import { upperBound } from "../bounds";
import type { Column, LogReader } from "../reader";
import { told } from "./lanes";

/** The twin needs no more; longer paths are thinned evenly. */
const MAX_POINTS = 6000;
const EARTH_M_PER_RAD = 6_378_137;

/** Columns that together are a position in NED metres. */
export interface PositionColumns {
  readonly t_s: Float64Array;
  readonly ned_m: (i: number) => Ned;
}

/** Columns that together are an attitude, FRD body in NED. */
export interface AttitudeColumns {
  readonly t_s: Float64Array;
  readonly quat: (i: number) => QuatFrdNed;
}

/** Position with the newest attitude at each of its times. Samples without a number are left out. */
export function joinTrack(position: PositionColumns, attitude: AttitudeColumns | null): ReviewTrack {
  const t_s: number[] = [];
  const position_enu_m: ReviewTrack["position_enu_m"][number][] = [];
  const quat_flu_enu: ReviewTrack["quat_flu_enu"][number][] = [];
  const stride = Math.max(1, Math.ceil(position.t_s.length / MAX_POINTS));
  for (let i = 0; i < position.t_s.length; i += stride) {
    const at_s = position.t_s[i] as number;
    const ned_m = position.ned_m(i);
    if (!ned_m.every(Number.isFinite)) continue;
    const quat = attitudeAt(attitude, at_s);
    if (!quat.every(Number.isFinite)) continue;
    t_s.push(at_s);
    position_enu_m.push(nedToEnu(ned_m));
    quat_flu_enu.push(quatFrdNedToFluEnu(quat));
  }
  return { t_s, position_enu_m, quat_flu_enu };
}

const LEVEL: QuatFrdNed = [1, 0, 0, 0];

function attitudeAt(attitude: AttitudeColumns | null, at_s: number): QuatFrdNed {
  if (!attitude || attitude.t_s.length === 0) return LEVEL;
  return attitude.quat(Math.max(0, upperBound(attitude.t_s, at_s) - 1));
}

/** Columns of one topic, or null when any is missing or empty. */
export function columnsOf(reader: LogReader, topic: string, fields: readonly string[]): Column[] | null {
  const columns = fields.map((field) => told(reader, topic, field));
  const found = columns.filter((column) => column !== null);
  return found.length === fields.length && (found[0]?.t_s.length ?? 0) > 0 ? found : null;
}

const at = (column: Column | undefined, i: number): number => column?.values[i] ?? Number.NaN;

export function nedColumns(
  reader: LogReader,
  topic: string,
  fields: readonly string[],
): PositionColumns | null {
  const columns = columnsOf(reader, topic, fields);
  if (!columns?.[0]) return null;
  const [north, east, down] = columns;
  return { t_s: columns[0].t_s, ned_m: (i) => [at(north, i), at(east, i), at(down, i)] };
}

/** Latitude, longitude (as stored, times `to_deg`) and altitude (times `to_m`), taken relative to the first fix. */
export function globalColumns(
  reader: LogReader,
  topic: string,
  fields: readonly string[],
  to_deg: number,
  to_m: number,
): PositionColumns | null {
  const columns = columnsOf(reader, topic, fields);
  if (!columns?.[0]) return null;
  const [lat, lon, alt] = columns;
  // 0, 0 is how "no fix yet" is sent; a path must not begin in the Gulf of Guinea.
  const first = columns[0].values.findIndex((v, i) => v !== 0 && at(lon, i) !== 0);
  if (first < 0) return null;
  const rad = (to_deg * Math.PI) / 180;
  const lat0 = at(lat, first) * rad;
  const lon0 = at(lon, first) * rad;
  const alt0 = at(alt, first) * to_m;
  return {
    t_s: columns[0].t_s,
    ned_m: (i) =>
      at(lat, i) === 0 && at(lon, i) === 0
        ? [Number.NaN, Number.NaN, Number.NaN]
        : [
            (at(lat, i) * rad - lat0) * EARTH_M_PER_RAD,
            (at(lon, i) * rad - lon0) * EARTH_M_PER_RAD * Math.cos(lat0),
            alt0 - at(alt, i) * to_m,
          ],
  };
}

export function quatColumns(
  reader: LogReader,
  topic: string,
  fields: readonly string[],
): AttitudeColumns | null {
  const columns = columnsOf(reader, topic, fields);
  if (!columns?.[0]) return null;
  const [w, x, y, z] = columns;
  return { t_s: columns[0].t_s, quat: (i) => [at(w, i), at(x, i), at(y, i), at(z, i)] };
}

/** Roll, pitch, yaw of the aerospace sequence, times `to_rad`. */
export function eulerColumns(
  reader: LogReader,
  topic: string,
  fields: readonly string[],
  to_rad: number,
): AttitudeColumns | null {
  const columns = columnsOf(reader, topic, fields);
  if (!columns?.[0]) return null;
  const [roll, pitch, yaw] = columns;
  return {
    t_s: columns[0].t_s,
    quat: (i) => quatFromEuler(at(roll, i) * to_rad, at(pitch, i) * to_rad, at(yaw, i) * to_rad),
  };
}

export function quatFromEuler(roll_rad: number, pitch_rad: number, yaw_rad: number): QuatFrdNed {
  const [r, p, y] = frd(roll_rad / 2, pitch_rad / 2, yaw_rad / 2);
  const [cr, sr, cp, sp, cy, sy] = [
    Math.cos(r),
    Math.sin(r),
    Math.cos(p),
    Math.sin(p),
    Math.cos(y),
    Math.sin(y),
  ];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}
