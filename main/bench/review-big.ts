import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endChild, forkChild } from "../platform/child";
import type { Clock } from "../platform/clock";
import { percentiles } from "./percentiles";

/** How a log of gigabytes behaves in the review process, the way the window asks. */
export interface BigLog {
  /** From asking to open it, nothing remembered, until the first plot of its whole duration is there. */
  readonly first_plot_ms: number;
  /** The same again in a new process, its index remembered. */
  readonly second_plot_ms: number;
  /** Zoomed plots and messages at the cursor, one after another, all over the log: each answer's time. */
  readonly scrub_ms: { readonly p50: number; readonly p99: number; readonly max: number };
  /** The longest that this process, which stands for the station, could not act meanwhile. */
  readonly main_stall_ms: number;
  /** The review process's peak; null where the system does not tell. */
  readonly peak_rss_bytes: number | null;
  /** The first plot kept the only spike of the whole log. */
  readonly spike_kept: boolean;
}

const SCRUBS = 300;
const PLOT = { topic: "vehicle_local_position", field: "z", points: 2000 } as const;

export async function measureBigLog(
  path: string,
  spike_at_s: number,
  home: string,
  clock: Clock,
): Promise<BigLog> {
  rmSync(join(home, "cache"), { recursive: true, force: true });
  const cold = await session(path, spike_at_s, home, clock);
  const warm = await session(path, spike_at_s, home, clock);
  return {
    first_plot_ms: cold.plot_ms,
    second_plot_ms: warm.plot_ms,
    scrub_ms: cold.scrub_ms,
    main_stall_ms: cold.main_stall_ms,
    peak_rss_bytes: cold.peak_rss_bytes,
    spike_kept: cold.spike_kept && warm.spike_kept,
  };
}

type Measured = Pick<BigLog, "scrub_ms" | "main_stall_ms" | "peak_rss_bytes" | "spike_kept"> & {
  readonly plot_ms: number;
};

async function session(path: string, spike_at_s: number, home: string, clock: Clock): Promise<Measured> {
  const child = forkChild("review", { env: { KINGFISHER_HOME: home } });
  child.stdout?.resume();
  interface Answer {
    readonly ok: boolean;
    readonly value: unknown;
  }
  const waiting = new Map<number, { resolve: (output: Answer) => void; reject: (error: Error) => void }>();
  child.on("message", (message) => {
    const { seq, output } = message as { seq?: number; output: Answer };
    if (seq === undefined) return;
    waiting.get(seq)?.resolve(output);
    waiting.delete(seq);
  });
  child.once("exit", () => {
    for (const { reject } of waiting.values()) reject(new Error("the review process ended"));
  });
  let seq = 0;
  const ask = (channel: string, input: unknown): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const mine = ++seq;
      waiting.set(mine, { resolve, reject });
      child.send({ seq: mine, channel, input });
    });
  try {
    // Starting the process is not part of reading: a first request answers once it runs.
    await ask("review.close", { id: "none" });
    const start_ms = clock.now_ms();
    const opened = await ask("review.open", { path });
    if (!opened.ok) throw new Error(JSON.stringify(opened));
    const { id, duration_s } = opened.value as { id: string; duration_s: number };
    const whole = await ask("review.series", { id, ...PLOT, from_s: null, to_s: null });
    const plot_ms = Math.round(clock.now_ms() - start_ms);
    const { max } = whole.value as { max: (number | null)[] };
    const stall = watchStalls(clock);
    const times_ms = await scrub(ask, id, duration_s, spike_at_s, clock);
    const main_stall_ms = stall();
    const { p50, p99 } = percentiles(times_ms);
    return {
      plot_ms,
      main_stall_ms,
      scrub_ms: {
        p50: rounded(p50),
        p99: rounded(p99),
        max: rounded(Math.max(...times_ms)),
      },
      peak_rss_bytes: peakRss(child.pid),
      spike_kept: max.includes(77),
    };
  } finally {
    await endChild(child);
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Half of the stretches lie around the spike, the others anywhere; from a second to the whole log wide. */
async function scrub(
  ask: (channel: string, input: unknown) => Promise<unknown>,
  id: string,
  duration_s: number,
  spike_at_s: number,
  clock: Clock,
): Promise<number[]> {
  const times_ms: number[] = [];
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let k = 0; k < SCRUBS; k++) {
    const width_s = Math.min(duration_s, 10 ** (random() * 4));
    const middle_s = k % 2 === 0 ? spike_at_s : random() * duration_s;
    const start_ms = clock.now_ms();
    if (k % 3 === 0) await ask("review.message", { id, topic: PLOT.topic, at_s: middle_s });
    else
      await ask("review.series", {
        id,
        ...PLOT,
        from_s: middle_s - width_s / 2,
        to_s: middle_s + width_s / 2,
      });
    times_ms.push(clock.now_ms() - start_ms);
  }
  return times_ms;
}

/** Ticks every 5 ms; how late the latest tick came is how long nothing else could have run. */
function watchStalls(clock: Clock): () => number {
  const period_ms = 5;
  let last_ms = clock.now_ms();
  let worst_ms = 0;
  const cancel = clock.every(period_ms, () => {
    const now_ms = clock.now_ms();
    worst_ms = Math.max(worst_ms, now_ms - last_ms - period_ms);
    last_ms = now_ms;
  });
  return () => {
    cancel();
    return rounded(worst_ms);
  };
}

/** Linux keeps the high-water mark of a process's memory. */
function peakRss(pid: number | undefined): number | null {
  const status = `/proc/${pid ?? 0}/status`;
  if (!existsSync(status)) return null;
  const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, "utf8"));
  return match ? Number(match[1]) * 1024 : null;
}
