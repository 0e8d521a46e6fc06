import type { ReviewTopic } from "#contract/review";
import type { Column, LogReader } from "./reader";

/** How logs name the parts of a quaternion, in the order w, x, y, z; the text before them names the derived field. */
const QUATERNIONS: readonly ((path: string) => readonly [string, readonly string[]] | null)[] = [
  (path) => {
    const base = /^(.*q(?:uat\w*|_d|_reset)?)\[0\]$/.exec(path)?.[1];
    return base === undefined ? null : [base, [0, 1, 2, 3].map((i) => `${base}[${i}]`)];
  },
  (path) => (path === "q1" ? ["q", ["q1", "q2", "q3", "q4"]] : null),
  (path) => (path === "Q1" ? ["Q", ["Q1", "Q2", "Q3", "Q4"]] : null),
  (path) => {
    const base = /^(.*(?:orientation|rotation))\.w$/.exec(path)?.[1];
    return base === undefined ? null : [base, ["w", "x", "y", "z"].map((part) => `${base}.${part}`)];
  },
];
const ANGLES = ["roll_deg", "pitch_deg", "yaw_deg"] as const;
type Angle = (typeof ANGLES)[number];

interface Attitude {
  readonly base: string;
  readonly parts: readonly string[];
}

function attitudesOf(fields: ReviewTopic["fields"]): Attitude[] {
  const paths = new Set(fields.filter((field) => field.numeric).map((field) => field.path));
  return [...paths].flatMap((path) =>
    QUATERNIONS.flatMap((match) => {
      const found = match(path);
      return found?.[1].every((part) => paths.has(part)) ? [{ base: found[0], parts: found[1] }] : [];
    }),
  );
}

/** Topics with the fields that are derived from them: `q.roll_deg` and its like beside each quaternion. */
export const withDerived = (topics: readonly ReviewTopic[]): ReviewTopic[] =>
  topics.map((topic) => {
    const derived = attitudesOf(topic.fields).flatMap(({ base }) =>
      ANGLES.map((angle) => ({ path: `${base}.${angle}`, numeric: true, unit: "deg" })),
    );
    return derived.length === 0 ? topic : { ...topic, fields: [...topic.fields, ...derived] };
  });

/**
 * Roll, pitch or yaw of a quaternion in degrees, in the frame that the log keeps it in (NED logs: nose up positive,
 * clockwise from north; ours: ENU and FLU). Null when `field` is not such a field.
 */
export function derivedColumn(reader: LogReader, topicName: string, field: string): Column | null {
  const topic = reader.topics.find(({ name }) => name === topicName);
  const angle = ANGLES.find((name) => field.endsWith(`.${name}`));
  if (!topic || !angle) return null;
  const base = field.slice(0, -angle.length - 1);
  const attitude = attitudesOf(topic.fields).find((a) => a.base === base);
  const [w, x, y, z] = attitude?.parts.map((part) => reader.column(topicName, part)) ?? [];
  if (!w || !x || !y || !z) return null;
  const values = new Float64Array(w.values.length);
  for (let i = 0; i < values.length; i++)
    values[i] = angleOf(
      angle,
      w.values[i] as number,
      x.values[i] as number,
      y.values[i] as number,
      z.values[i] as number,
    );
  return { t_s: w.t_s, values, unit: "deg" };
}

/** The aerospace sequence: yaw, then pitch, then roll. */
function angleOf(angle: Angle, w: number, x: number, y: number, z: number): number {
  const rad =
    angle === "roll_deg"
      ? Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
      : angle === "pitch_deg"
        ? Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x))))
        : Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return (rad * 180) / Math.PI;
}
