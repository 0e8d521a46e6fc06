import { type Enu, enu, type QuatFluEnu } from "#contract/frames";
import type { Pose } from "#contract/geometry";

interface Sample<T> {
  readonly t_ms: number;
  readonly value: T;
  /** The first mark after it arrived. */
  known_ms: number;
}

/**
 * Vehicle poses by boot time, to be read at a camera's exposure. Position and attitude arrive as separate
 * streams with their own times, so each is interpolated by itself. Keeps `keep_ms` of history.
 */
export class PoseBuffer {
  readonly #keep_ms: number;
  #positions: Sample<{ readonly at: Enu; readonly offset_ms: number }>[] = [];
  #attitudes: Sample<QuatFluEnu>[] = [];
  #marks_ms: number[] = [];

  constructor(keep_ms = 2000) {
    this.#keep_ms = keep_ms;
  }

  /** `offset_ms`: the station's clock minus the vehicle's boot time, as believed when this was sent. */
  addPosition(t_ms: number, position_enu_m: Enu, offset_ms = 0): void {
    const value = { at: position_enu_m, offset_ms };
    this.#positions = add(this.#positions, { t_ms, value, known_ms: Infinity }, this.#keep_ms);
  }

  addAttitude(t_ms: number, quat_flu_enu: QuatFluEnu): void {
    this.#attitudes = add(this.#attitudes, { t_ms, value: quat_flu_enu, known_ms: Infinity }, this.#keep_ms);
  }

  /** Everything that arrived so far was known at `now_ms`: on simulated time, where a picture may come late by chance. */
  mark(now_ms: number): void {
    for (const samples of [this.#positions, this.#attitudes])
      for (let i = samples.length - 1; i >= 0; i--) {
        const sample = samples[i];
        if (sample === undefined || sample.known_ms !== Infinity) break;
        sample.known_ms = now_ms;
      }
    this.#marks_ms.push(now_ms);
    if (this.#marks_ms.length > 1024) this.#marks_ms = this.#marks_ms.slice(-512);
  }

  /** The first mark at or after `t_ms`; null while there is none. */
  markFrom(t_ms: number): number | null {
    let at = this.#marks_ms.length;
    while (at > 0 && (this.#marks_ms[at - 1] ?? 0) >= t_ms) at -= 1;
    return this.#marks_ms[at] ?? null;
  }

  /** The clock's offset that came with the newest position up to `t_ms`; 0 before the first. */
  offsetAt(t_ms: number, known_ms = Infinity): number {
    const known = this.#positions.filter((s) => s.known_ms <= known_ms);
    const before = known.filter((s) => s.t_ms <= t_ms).at(-1);
    return (before ?? known[0])?.value.offset_ms ?? 0;
  }

  /** Both streams have reached `t_ms`, so waiting longer would not improve the answer. */
  covers(t_ms: number, known_ms = Infinity): boolean {
    return this.gap_ms(t_ms, known_ms) === 0;
  }

  /** How much older than `t_ms` the newest sample of the slower stream is: the pose then is held, not measured. 0 when covered. */
  gap_ms(t_ms: number, known_ms = Infinity): number {
    const newest = (samples: readonly Sample<unknown>[]): number =>
      samples.filter((s) => s.known_ms <= known_ms).at(-1)?.t_ms ?? -Infinity;
    return Math.max(0, t_ms - Math.min(newest(this.#positions), newest(this.#attitudes)));
  }

  /** Pose at `t_ms`, of what was known at `known_ms`; null when either stream has nothing within `reach_ms` of it. */
  at(t_ms: number, known_ms = Infinity, reach_ms = 80): Pose | null {
    const position = bracket(this.#positions, t_ms, known_ms, reach_ms);
    const attitude = bracket(this.#attitudes, t_ms, known_ms, reach_ms);
    if (position === null || attitude === null) return null;
    const [p, q, f] = position;
    const [a, b, g] = attitude;
    return {
      position_enu_m: enu(
        p.value.at[0] + f * (q.value.at[0] - p.value.at[0]),
        p.value.at[1] + f * (q.value.at[1] - p.value.at[1]),
        p.value.at[2] + f * (q.value.at[2] - p.value.at[2]),
      ),
      quat_flu_enu: nlerp(a.value, b.value, g),
    };
  }
}

function add<T>(samples: Sample<T>[], sample: Sample<T>, keep_ms: number): Sample<T>[] {
  const last_ms = samples.at(-1)?.t_ms ?? -Infinity;
  // Time going back means the vehicle restarted: what was known of its past is worthless.
  if (sample.t_ms < last_ms - 1000) return [sample];
  if (!(sample.t_ms > last_ms)) return samples;
  samples.push(sample);
  const first = samples.findIndex((s) => s.t_ms >= sample.t_ms - keep_ms);
  return first > 64 ? samples.slice(first) : samples;
}

function bracket<T>(
  all: readonly Sample<T>[],
  t_ms: number,
  known_ms: number,
  reach_ms: number,
): [Sample<T>, Sample<T>, number] | null {
  const samples = known_ms === Infinity ? all : all.filter((s) => s.known_ms <= known_ms);
  let after = samples.length;
  while (after > 0 && (samples[after - 1]?.t_ms ?? 0) >= t_ms) after -= 1;
  const before = samples[after - 1];
  const next = samples[after];
  if (before !== undefined && next !== undefined && next.t_ms - before.t_ms <= 2 * reach_ms)
    return [before, next, (t_ms - before.t_ms) / (next.t_ms - before.t_ms)];
  const near = [before, next].find((s) => s !== undefined && Math.abs(s.t_ms - t_ms) <= reach_ms);
  return near === undefined ? null : [near, near, 0];
}

function nlerp(a: QuatFluEnu, b: QuatFluEnu, f: number): QuatFluEnu {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  const mix = (i: 0 | 1 | 2 | 3): number => a[i] + f * (sign * b[i] - a[i]);
  const q = [mix(0), mix(1), mix(2), mix(3)] as const;
  const n = Math.hypot(...q);
  return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
}
