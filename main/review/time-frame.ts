/** Where a recording begins and ends, and how many messages carry a time that cannot be right. Seconds. */
export interface TimeFrame {
  readonly from_s: number;
  readonly to_s: number;
  readonly wild: number;
}

const BUCKET_S = 60;
const APART_S = 3600;
/** Messages that jump ahead of or behind their neighbours in the file are already apart at this distance. */
const STRAY_APART_S = 120;
const YEAR_S = 366 * 86_400;
const FEW = 20;
const MAX_BUCKETS = 100_000;

interface Cluster {
  count: number;
  /** How many of them came in runs that time went back from, or was back in for a while. */
  strays: number;
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
  #open: Cluster = { count: 0, strays: 0, min_s: 0, max_s: 0 };
  #run = 0;
  #run_went_back = false;
  #overflow = 0;
  #known: TimeFrame | null = null;

  /** One that has seen everything already. */
  static of(frame: TimeFrame): TimeScout {
    const scout = new TimeScout();
    scout.#known = frame;
    return scout;
  }

  add(t_s: number): void {
    const key = Math.floor(t_s / BUCKET_S);
    if (key !== this.#key) {
      const found = this.#buckets.get(key) ?? this.#create(key, t_s);
      if (!found) return;
      const back = key < this.#key - 1;
      const ahead = key > this.#key + 1;
      if (back || (ahead && this.#run_went_back)) this.#open.strays += this.#run;
      this.#run_went_back = back;
      this.#run = 0;
      this.#key = key;
      this.#open = found;
    }
    const open = this.#open;
    open.count += 1;
    this.#run += 1;
    if (t_s < open.min_s) open.min_s = t_s;
    if (t_s > open.max_s) open.max_s = t_s;
  }

  #create(key: number, t_s: number): Cluster | null {
    if (!Number.isFinite(t_s) || this.#buckets.size >= MAX_BUCKETS) {
      this.#overflow += 1;
      return null;
    }
    const bucket = { count: 0, strays: 0, min_s: t_s, max_s: t_s };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  frame(): TimeFrame {
    if (this.#known) return this.#known;
    const clusters: Cluster[] = [];
    let total = 0;
    for (const bucket of this.#buckets.values()) total += bucket.count;
    const isFew = (count: number): boolean => count < FEW && count < total * 0.05;
    for (const bucket of [...this.#buckets.values()].sort((a, b) => a.min_s - b.min_s)) {
      const last = clusters.at(-1);
      const strayed = (c: Cluster): boolean => isFew(c.count) && c.strays === c.count;
      const apart_s = strayed(bucket) || (last && strayed(last)) ? STRAY_APART_S : APART_S;
      if (last && bucket.min_s - last.max_s <= apart_s) {
        last.count += bucket.count;
        last.strays += bucket.strays;
        last.max_s = bucket.max_s;
      } else clusters.push({ ...bucket });
    }
    let main: Cluster | undefined;
    for (const c of clusters) if (!main || c.count > main.count) main = c;
    if (!main) return { from_s: 0, to_s: 0, wild: this.#overflow };
    const frame = { from_s: main.min_s, to_s: main.max_s, wild: this.#overflow };
    for (const c of clusters) {
      if (c === main) continue;
      const gap_s = Math.max(main.min_s - c.max_s, c.min_s - main.max_s);
      // A small cluster at the end in the order of the file is a link that came back once more: it stays.
      const stray = isFew(c.count) && (c.strays > 0 || gap_s > APART_S * 24);
      if (stray || gap_s > YEAR_S) frame.wild += c.count;
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
