import type { NamedTrack, ReviewTrack, TrackRole } from "#contract/review";
import { upperBound } from "../bounds";
import { sampleAt } from "../expression";
import type { LogReader } from "../reader";
import { told } from "./lanes";
import {
  type AttitudeColumns,
  eulerColumns,
  globalColumns,
  joinTrack,
  nedColumns,
  type PositionColumns,
  quatColumns,
} from "./track";

/** Where one path of a log can be read. NED metres unless it is geographic. */
interface TrackSource {
  readonly id: string;
  readonly label: string;
  readonly role: TrackRole;
  readonly topic: string;
  readonly position: (reader: LogReader, topic: string) => PositionColumns | null;
  readonly attitude?: (reader: LogReader) => AttitudeColumns | null;
  /** Its own zero is not that of the estimate: laid where the estimate is when it begins. */
  readonly anchored?: boolean;
}

const ned =
  (x: string, y: string, z: string) =>
  (reader: LogReader, topic: string): PositionColumns | null =>
    nedColumns(reader, topic, [x, y, z]);
const geographic =
  (fields: readonly string[], to_deg: number, to_m: number) =>
  (reader: LogReader, topic: string): PositionColumns | null =>
    globalColumns(reader, topic, fields, to_deg, to_m);
const quat =
  (topic: string, parts: readonly string[]) =>
  (reader: LogReader): AttitudeColumns | null =>
    quatColumns(reader, topic, parts);
const q4 = (base: string): readonly string[] => [0, 1, 2, 3].map((i) => `${base}[${i}]`);
const euler =
  (topic: string, fields: readonly string[], to_rad: number) =>
  (reader: LogReader): AttitudeColumns | null =>
    eulerColumns(reader, topic, fields, to_rad);
const DEG = Math.PI / 180;

/** Columns of three topics with their own times: the newest of the others at each time of the first. */
const apart =
  (fields: readonly (readonly [string, string])[]) =>
  (reader: LogReader): PositionColumns | null => {
    const [n, e, d] = fields.map(([topic, field]) => told(reader, topic, field));
    if (!n || !e || !d || n.t_s.length === 0) return null;
    const [east, down] = [sampleAt(e, n.t_s), sampleAt(d, n.t_s)];
    return { t_s: n.t_s, ned_m: (i) => [n.values[i] ?? NaN, east[i] ?? NaN, down[i] ?? NaN] };
  };

const source = (
  id: string,
  label: string,
  role: TrackRole,
  topic: string,
  position: TrackSource["position"],
  more: Pick<TrackSource, "attitude" | "anchored"> = {},
): TrackSource => ({ id, label, role, topic, position, ...more });

const ULOG: readonly TrackSource[] = [
  source("estimate", "Estimate", "estimate", "vehicle_local_position", ned("x", "y", "z"), {
    attitude: quat("vehicle_attitude", q4("q")),
  }),
  source("setpoint", "Setpoint", "setpoint", "vehicle_local_position_setpoint", ned("x", "y", "z"), {
    attitude: quat("vehicle_attitude_setpoint", q4("q_d")),
  }),
  source(
    "trajectory",
    "Trajectory setpoint",
    "setpoint",
    "trajectory_setpoint",
    ned("position[0]", "position[1]", "position[2]"),
  ),
  source("truth", "Ground truth", "ground_truth", "vehicle_local_position_groundtruth", ned("x", "y", "z"), {
    attitude: quat("vehicle_attitude_groundtruth", q4("q")),
  }),
  source(
    "vision",
    "Vision",
    "sensor",
    "vehicle_visual_odometry",
    ned("position[0]", "position[1]", "position[2]"),
    { attitude: quat("vehicle_visual_odometry", q4("q")) },
  ),
  source(
    "gps",
    "GPS",
    "sensor",
    "vehicle_gps_position",
    (reader, topic) =>
      geographic(["latitude_deg", "longitude_deg", "altitude_msl_m"], 1, 1)(reader, topic) ??
      geographic(["lat", "lon", "alt"], 1e-7, 1e-3)(reader, topic),
    { anchored: true },
  ),
];

const TLOG: readonly TrackSource[] = [
  source("estimate", "Estimate", "estimate", "LOCAL_POSITION_NED", ned("x", "y", "z"), {
    attitude: (reader) =>
      quatColumns(reader, "ATTITUDE_QUATERNION", ["q1", "q2", "q3", "q4"]) ??
      eulerColumns(reader, "ATTITUDE", ["roll", "pitch", "yaw"], 1),
  }),
  source("odometry", "Odometry", "estimate", "ODOMETRY", ned("x", "y", "z"), {
    attitude: quat("ODOMETRY", q4("q")),
  }),
  source("setpoint", "Setpoint", "setpoint", "POSITION_TARGET_LOCAL_NED", ned("x", "y", "z"), {
    attitude: quat("ATTITUDE_TARGET", q4("q")),
  }),
  source("commanded", "Commanded", "setpoint", "SET_POSITION_TARGET_LOCAL_NED@*", ned("x", "y", "z")),
  source("vision", "Vision", "sensor", "VISION_POSITION_ESTIMATE", ned("x", "y", "z"), {
    attitude: euler("VISION_POSITION_ESTIMATE", ["roll", "pitch", "yaw"], 1),
  }),
  source(
    "global",
    "Global estimate",
    "estimate",
    "GLOBAL_POSITION_INT",
    geographic(["lat", "lon", "relative_alt"], 1e-7, 1e-3),
    { anchored: true, attitude: euler("ATTITUDE", ["roll", "pitch", "yaw"], 1) },
  ),
  source("gps", "GPS", "sensor", "GPS_RAW_INT", geographic(["lat", "lon", "alt"], 1e-7, 1e-3), {
    anchored: true,
  }),
  source("truth", "Ground truth", "ground_truth", "SIM_STATE", geographic(["lat", "lon", "alt"], 1, 1), {
    anchored: true,
    attitude: quat("SIM_STATE", ["q1", "q2", "q3", "q4"]),
  }),
];

const DATAFLASH: readonly TrackSource[] = [
  source("estimate", "Estimate", "estimate", "XKF1", ned("PN", "PE", "PD"), {
    attitude: euler("ATT", ["Roll", "Pitch", "Yaw"], DEG),
  }),
  source("estimate2", "Estimate of the second core", "estimate", "XKF1[1]", ned("PN", "PE", "PD"), {
    attitude: euler("XKF1[1]", ["Roll", "Pitch", "Yaw"], DEG),
  }),
  source(
    "setpoint",
    "Setpoint",
    "setpoint",
    "PSCN",
    (reader) =>
      apart([
        ["PSCN", "TPN"],
        ["PSCE", "TPE"],
        ["PSCD", "TPD"],
      ])(reader),
    { attitude: euler("ATT", ["DesRoll", "DesPitch", "DesYaw"], DEG) },
  ),
  source("truth", "Ground truth", "ground_truth", "SIM2", ned("PN", "PE", "PD"), {
    attitude: quat("SIM", ["Q1", "Q2", "Q3", "Q4"]),
    anchored: true,
  }),
  source("gps", "GPS", "sensor", "GPS", geographic(["Lat", "Lng", "Alt"], 1, 1), { anchored: true }),
];

const SOURCES: Readonly<Partial<Record<LogReader["kind"], readonly TrackSource[]>>> = {
  ulog: ULOG,
  tlog: TLOG,
  dataflash: DATAFLASH,
};

/** Every path that a log tells. Empty for kinds without one. */
export function tracksOf(reader: LogReader): NamedTrack[] {
  const out: NamedTrack[] = [];
  for (const wanted of SOURCES[reader.kind] ?? []) {
    for (const topic of topicsFor(reader, wanted.topic)) {
      const position = wanted.position(reader, topic);
      const track = position && joinTrack(position, wanted.attitude?.(reader) ?? null);
      if (!track || track.t_s.length < 2) continue;
      const { id, label, role } = wanted;
      const reference = out.find((t) => t.role === "estimate")?.track ?? null;
      out.push({ id, label, role, topic, track: wanted.anchored ? anchored(track, reference) : track });
      break;
    }
  }
  return out;
}

/** `NAME@*`: of any sender. */
const topicsFor = (reader: LogReader, wanted: string): readonly string[] =>
  wanted.endsWith("@*")
    ? reader.topics
        .filter(({ name, count }) => count > 0 && `${name}@`.startsWith(wanted.slice(0, -1)))
        .map(({ name }) => name)
    : [wanted];

/** Moved so that it begins where the reference is at that time. */
function anchored(track: ReviewTrack, reference: ReviewTrack | null): ReviewTrack {
  const [first] = track.position_enu_m;
  const at_s = track.t_s[0] ?? 0;
  if (!reference || !first) return track;
  const i = Math.max(0, upperBound(Float64Array.from(reference.t_s), at_s) - 1);
  const there = reference.position_enu_m[i];
  if (!there) return track;
  return {
    ...track,
    position_enu_m: track.position_enu_m.map(([e, n, u]) => [
      e - first[0] + there[0],
      n - first[1] + there[1],
      u - first[2] + there[2],
    ]),
  };
}
