import { type Enu, enu, type QuatFluEnu } from "#contract/frames";
import type { Pose } from "#contract/geometry";

interface Sample<T> {
  readonly t_ms: number;
  readonly value: T;
}

/**
 * Vehicle poses by boot time, to be read at a camera's exposure. Position and attitude arrive as separate
 * streams with their own times, so each is interpolated by itself. Keeps `keep_ms` of history.
 */
export class PoseBuffer {
  readonly #keep_ms: number;
  #positions: Sample<Enu>[] = [];
  #attitudes: Sample<QuatFluEnu>[] = [];

  constructor(keep_ms = 2000) {
    this.#keep_ms = keep_ms;
  }

  addPosition(t_ms: number, position_enu_m: Enu): void {
    this.#positions = add(this.#positions, { t_ms, value: position_enu_m }, this.#keep_ms);
  }

  addAttitude(t_ms: number, quat_flu_enu: QuatFluEnu): void {
    this.#attitudes = add(this.#attitudes, { t_ms, value: quat_flu_enu }, this.#keep_ms);
  }

  /** Both streams have reached `t_ms`, so waiting longer would not improve the answer. */
  covers(t_ms: number): boolean {
    return (
      (this.#positions.at(-1)?.t_ms ?? -Infinity) >= t_ms &&
      (this.#attitudes.at(-1)?.t_ms ?? -Infinity) >= t_ms
    );
  }

  /** Pose at `t_ms`; null when either stream has nothing within `reach_ms` of it. */
  at(t_ms: number, reach_ms = 80): Pose | null {
    const position = bracket(this.#positions, t_ms, reach_ms);
    const attitude = bracket(this.#attitudes, t_ms, reach_ms);
    if (position === null || attitude === null) return null;
    const [p, q, f] = position;
    const [a, b, g] = attitude;
    return {
      position_enu_m: enu(
        p.value[0] + f * (q.value[0] - p.value[0]),
        p.value[1] + f * (q.value[1] - p.value[1]),
        p.value[2] + f * (q.value[2] - p.value[2]),
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
  samples: readonly Sample<T>[],
  t_ms: number,
  reach_ms: number,
): [Sample<T>, Sample<T>, number] | null {
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
