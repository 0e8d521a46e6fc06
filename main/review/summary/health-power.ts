import type { ReviewFinding } from "#contract/review";
import type { Column, LogReader } from "../reader";
import { around, stretchFinding } from "./findings";
import { plain, told } from "./lanes";

/** The battery's remaining share (times `to_share`) falls below 30 % and 15 %. Negative means not measured. */
export function batteryFindings(
  reader: LogReader,
  topic: string,
  field: string,
  to_share: number,
): ReviewFinding[] {
  const column = told(reader, topic, field);
  if (!column) return [];
  const out: ReviewFinding[] = [];
  for (const [limit, severity] of [
    [0.3, "caution"],
    [0.15, "warning"],
  ] as const) {
    const i = column.values.findIndex((v) => v >= 0 && v * to_share < limit);
    const at_s = column.t_s[i];
    if (at_s === undefined) continue;
    out.push({
      at_s,
      severity,
      title: `Battery below ${limit * 100} %`,
      detail: `lowest ${plain(lowest(column) * to_share * 100, 0)} %`,
      rule: "battery_low",
      evidence: { ...around(topic, field, at_s, limit / to_share), to_s: column.t_s.at(-1) ?? at_s },
    });
  }
  return out;
}

function lowest(column: Column): number {
  let low = Infinity;
  for (const v of column.values) if (v >= 0 && v < low) low = v;
  return low;
}

const SAG_WINDOW_S = 3;
const SAG_CAUTION = 0.08;
const SAG_WARNING = 0.15;
/** So far below the highest voltage it is not a battery under load but one that was unplugged. */
const UNPLUGGED = 0.4;
const HELD_S = 0.4;

/**
 * Voltage falling by more than 8 % (15 %: warning) of what it was within 3 s and staying there: a pack too small, too
 * old or too cold for the load. Slow discharge is no sag.
 */
export function sagFindings(
  reader: LogReader,
  topic: string,
  field: string,
  to_volt: number,
): ReviewFinding[] {
  const column = told(reader, topic, field);
  if (!column) return [];
  const { t_s, values } = column;
  const highest = values.reduce((high, v) => (v > high ? v : high), 0);
  let worst: { share: number; from: number; to: number } | null = null;
  let low: number | null = null;
  let start = 0;
  for (let i = 0; i < values.length; i++) {
    while ((t_s[i] as number) - (t_s[start] as number) > SAG_WINDOW_S) start += 1;
    let high = 0;
    let from = start;
    for (let k = start; k < i; k++) if ((values[k] as number) > high) [high, from] = [values[k] as number, k];
    const value = values[i] as number;
    const share = high > 0 && value > highest * UNPLUGGED ? 1 - value / high : 0;
    if (share < SAG_CAUTION) low = null;
    else {
      low ??= i;
      const held = (t_s[i] as number) - (t_s[low] as number) >= HELD_S;
      if (held && (worst === null || share > worst.share)) worst = { share, from, to: i };
    }
  }
  if (worst === null) return [];
  const [before, after] = [worst.from, worst.to].map((i) => (values[i] as number) * to_volt);
  const from_s = t_s[worst.from] as number;
  const to_s = t_s[worst.to] as number;
  return [
    {
      at_s: to_s,
      severity: worst.share > SAG_WARNING ? "warning" : "caution",
      title: "Battery sag",
      detail: `from ${plain(before ?? 0, 2)} to ${plain(after ?? 0, 2)} V within ${plain(to_s - from_s)} s (${plain(worst.share * 100, 0)} %)`,
      rule: "battery_sag",
      evidence: { topic, field, from_s: Math.max(0, from_s - 3), to_s: to_s + 5, limit: null },
    },
  ];
}

/** Outputs at their limit leave nothing to steer with. `outputs` are fields of one topic with the value that is full. */
export function saturationFindings(
  reader: LogReader,
  topic: string,
  outputs: readonly { readonly field: string; readonly full: number; readonly motor: number }[],
  armed: (at_s: number) => boolean,
): ReviewFinding[] {
  return outputs.flatMap(({ field, full, motor }) =>
    stretchFinding({
      reader,
      topic,
      field,
      rule: "motor_saturation",
      limit: full,
      bad: (value) => value >= full,
      least_s: 0.2,
      while: armed,
      say: (total_s) => ({
        severity: total_s > 2 ? "warning" : "caution",
        title: `Motor ${motor} saturated`,
        detail: `at full output for ${plain(total_s)} s`,
      }),
    }),
  );
}
