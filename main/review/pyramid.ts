import { lowerBound, upperBound } from "./bounds";
import type { Column } from "./reader";

/** Samples per block of the finest level; each further level joins `FAN` blocks. */
const BLOCK = 64;
const FAN = 4;

interface Level {
  readonly size: number;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** A column cut down for the screen: every extreme of the range is kept. NaN where a stretch has no value. */
export interface Downsampled {
  readonly t_s: number[];
  readonly min: number[];
  readonly max: number[];
  /** Samples in the range before cutting down. */
  readonly raw_count: number;
}

/**
 * Minima and maxima of blocks of samples, built once per column, so that any zoom of millions of samples costs
 * a few thousand steps. True to the extremes: a single spike in an hour stays visible.
 */
export class Pyramid {
  readonly #column: Column;
  readonly #levels: Level[] = [];

  constructor(column: Column) {
    this.#column = column;
    const { values } = column;
    let below: Level = { size: 1, min: values, max: values };
    let size = BLOCK;
    while (values.length / size > 256) {
      const fan = size / below.size;
      const count = Math.ceil(below.min.length / fan);
      const level: Level = { size, min: new Float64Array(count), max: new Float64Array(count) };
      for (let b = 0; b < count; b++) {
        const [min, max] = extremes(below, b * fan, Math.min((b + 1) * fan, below.min.length));
        level.min[b] = min;
        level.max[b] = max;
      }
      this.#levels.push(level);
      below = level;
      size *= FAN;
    }
  }

  get column(): Column {
    return this.#column;
  }

  /** Approximate memory, for the cache that holds it. */
  get bytes(): number {
    let bytes = this.#column.t_s.byteLength + this.#column.values.byteLength;
    for (const level of this.#levels) bytes += level.min.byteLength * 2;
    return bytes;
  }

  /** At most `points` stretches between `from_s` and `to_s`, one sample beyond each side so that lines reach the edge. */
  query(from_s: number | null, to_s: number | null, points: number): Downsampled {
    const { t_s, values } = this.#column;
    const first = from_s === null ? 0 : Math.max(0, lowerBound(t_s, from_s) - 1);
    const end = to_s === null ? t_s.length : Math.min(t_s.length, upperBound(t_s, to_s) + 1);
    const count = Math.max(0, end - first);
    const out: Downsampled = { t_s: [], min: [], max: [], raw_count: count };
    if (count <= points) {
      for (let i = first; i < end; i++) {
        const v = values[i] as number;
        out.t_s.push(t_s[i] as number);
        out.min.push(v);
        out.max.push(v);
      }
      return out;
    }
    for (let p = 0; p < points; p++) {
      const from = first + Math.floor((p * count) / points);
      const to = first + Math.floor(((p + 1) * count) / points);
      const [min, max] = this.#range(from, to);
      out.t_s.push(t_s[from] as number);
      out.min.push(min);
      out.max.push(max);
    }
    return out;
  }

  #range(from: number, to: number): [number, number] {
    let level: Level = { size: 1, min: this.#column.values, max: this.#column.values };
    for (const l of this.#levels) if (l.size * 2 <= to - from) level = l;
    if (level.size === 1) return extremes(level, from, to);
    const inner = Math.ceil(from / level.size);
    const outer = Math.floor(to / level.size);
    let [min, max] = extremes(level, inner, outer);
    for (const [a, b] of [this.#range(from, inner * level.size), this.#range(outer * level.size, to)]) {
      if (!(a >= min) && a === a) min = a;
      if (!(b <= max) && b === b) max = b;
    }
    return [min, max];
  }
}

/** Smallest and largest number, ignoring NaN; [NaN, NaN] when there is none. */
function extremes(level: Level, from: number, to: number): [number, number] {
  let min = Number.NaN;
  let max = Number.NaN;
  for (let i = from; i < to; i++) {
    const low = level.min[i] as number;
    const high = level.max[i] as number;
    if (low < min || (min !== min && low === low)) min = low;
    if (high > max || (max !== max && high === high)) max = high;
  }
  return [min, max];
}
