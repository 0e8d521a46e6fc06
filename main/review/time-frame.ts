/** Where a recording begins and ends, and how many messages carry a time that cannot be right. Seconds. */
export interface TimeFrame {
  readonly from_s: number;
  readonly to_s: number;
  readonly wild: number;
}

const BUCKET_S = 60;
const APART_S = 3600;
const YEAR_S = 366 * 86_400;
const FEW = 20;
const MAX_BUCKETS = 100_000;

interface Cluster {
  count: number;
  min_s: number;
  max_s: number;
}

/**
 * Finds the span of a recording although some of its times are wild: a camera's static data stamped 1970, a damaged
 * record stamped 2106. Times are counted by minute; minutes more than an hour apart are different clusters; a small
 * cluster, or one years away from the largest, is wild. A long silence in a telemetry log stays part of it.
 */
export class TimeScout {
  readonly #buckets = new Map<number, Cluster>();
  #key = Number.NaN;
  #open: Cluster = { count: 0, min_s: 0, max_s: 0 };
  #overflow = 0;

  add(t_s: number): void {
    const key = Math.floor(t_s / BUCKET_S);
    if (key !== this.#key) {
      const found = this.#buckets.get(key) ?? this.#create(key, t_s);
      if (!found) return;
      this.#key = key;
      this.#open = found;
    }
    const open = this.#open;
    open.count += 1;
    if (t_s < open.min_s) open.min_s = t_s;
    if (t_s > open.max_s) open.max_s = t_s;
  }

  #create(key: number, t_s: number): Cluster | null {
    if (!Number.isFinite(t_s) || this.#buckets.size >= MAX_BUCKETS) {
      this.#overflow += 1;
      return null;
    }
    const bucket = { count: 0, min_s: t_s, max_s: t_s };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  frame(): TimeFrame {
    const clusters: Cluster[] = [];
    for (const bucket of [...this.#buckets.values()].sort((a, b) => a.min_s - b.min_s)) {
      const last = clusters.at(-1);
      if (last && bucket.min_s - last.max_s <= APART_S) {
        last.count += bucket.count;
        last.max_s = bucket.max_s;
      } else clusters.push({ ...bucket });
    }
    let main: Cluster | undefined;
    let total = 0;
    for (const c of clusters) {
      total += c.count;
      if (!main || c.count > main.count) main = c;
    }
    if (!main) return { from_s: 0, to_s: 0, wild: this.#overflow };
    const frame = { from_s: main.min_s, to_s: main.max_s, wild: this.#overflow };
    for (const c of clusters) {
      if (c === main) continue;
      const gap_s = Math.max(main.min_s - c.max_s, c.min_s - main.max_s);
      const small = c.count < FEW && c.count < total * 0.05;
      if (small || gap_s > YEAR_S) frame.wild += c.count;
      else {
        frame.from_s = Math.min(frame.from_s, c.min_s);
        frame.to_s = Math.max(frame.to_s, c.max_s);
      }
    }
    return frame;
  }
}

export const wildNote = (wild: number): string =>
  `${wild} ${wild === 1 ? "message carries a time that cannot be right; it is" : "messages carry times that cannot be right; they are"} left out of plots and of the duration`;
