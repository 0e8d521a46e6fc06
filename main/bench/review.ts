import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../platform/clock";
import { appRoot } from "../platform/paths";
import { reviewDeps } from "../review/deps";
import { openLog } from "../review/open";
import { type BigLog, measureBigLog } from "./review-big";
import { makeBag, repeatTlog, writeMcap, writeUlog } from "./review-logs";
import { peerBag, peerMcap, peerTlog, peerUlog } from "./review-peers";
import { pythonRates } from "./review-python";

interface Rate {
  readonly ours: number;
  readonly peer: number;
}

export interface ReviewBench extends BigLog {
  /** Ours over the peer's, both reading every message and number of the same file in this run. */
  readonly ratios: {
    readonly ulog_vs_js: number;
    readonly tlog_vs_js: number;
    readonly bag_vs_js: number;
    readonly mcap_vs_js: number;
  };
  readonly mb_per_s: Readonly<Record<"ulog" | "tlog" | "bag" | "mcap", Rate>>;
  /** Ours over Python's, where pyulog and pymavlink are installed. */
  readonly python_ratios: {
    readonly ulog_vs_pyulog: number | null;
    readonly tlog_vs_pymavlink: number | null;
  };
  readonly big_log_bytes: number;
}

const BIG_BYTES = 2_000_000_000;
const ROUNDS = 10;

/** Each reader against the independent one of its format, then a large log, cold. Needs some 2.1 GB in the temporary folder. */
export async function runReviewBench(
  clock: Clock,
  say: (text: string) => void = () => {},
  big_bytes = BIG_BYTES,
): Promise<ReviewBench> {
  const dir = mkdtempSync(join(tmpdir(), "kingfisher-bench-"));
  try {
    const paths = {
      ulog: join(dir, "bench.ulg"),
      tlog: join(dir, "bench.tlog"),
      bag: join(dir, "bench.bag"),
      mcap: join(dir, "bench.mcap"),
    };
    say("writing logs");
    await writeUlog(paths.ulog, 40_000_000);
    const tlog = readFileSync(join(appRoot(), "tests", "golden", "px4-1.17-hexa.tlog"));
    writeFileSync(paths.tlog, repeatTlog(tlog, 150, 60e6));
    writeFileSync(paths.bag, makeBag(150_000));
    await writeMcap(paths.mcap, 80_000);
    const nothing = (): void => {};
    const parse = (_: string, data: Uint8Array): void => {
      JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString());
    };
    const rates = {
      ulog: await compare(paths.ulog, () => peerUlog(paths.ulog, nothing), say),
      tlog: await compare(paths.tlog, () => peerTlog(paths.tlog, nothing), say),
      bag: await compare(paths.bag, () => peerBag(paths.bag, nothing), say),
      mcap: await compare(paths.mcap, () => peerMcap(paths.mcap, parse), say),
    };
    const python = pythonRates(paths.ulog, paths.tlog);
    const tlog_megabytes = statSync(paths.tlog).size / 1e6;
    const tlog_messages = await peerTlog(paths.tlog, nothing);
    say(`writing a log of ${(big_bytes / 1e9).toFixed(1)} GB`);
    const big = join(dir, "big.ulg");
    const { spike_at_s } = await writeUlog(big, big_bytes);
    const plot = await measureBigLog(big, spike_at_s, join(dir, "home"), clock);
    const ratio = ({ ours, peer }: Rate): number => Math.round((ours / peer) * 10) / 10;
    return {
      ratios: {
        ulog_vs_js: ratio(rates.ulog),
        tlog_vs_js: ratio(rates.tlog),
        bag_vs_js: ratio(rates.bag),
        mcap_vs_js: ratio(rates.mcap),
      },
      mb_per_s: rates,
      python_ratios: {
        ulog_vs_pyulog: over(rates.ulog.ours, python.ulog_mb_per_s),
        tlog_vs_pymavlink: over(
          (rates.tlog.ours / tlog_megabytes) * tlog_messages,
          python.tlog_messages_per_s,
        ),
      },
      big_log_bytes: big_bytes,
      ...plot,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const over = (ours: number, theirs: number | null): number | null =>
  theirs === null ? null : Math.round((ours / theirs) * 10) / 10;

/** Opens a log and decodes every number of every topic; nothing is remembered from round to round. */
async function readWhole(path: string): Promise<void> {
  const log = await openLog(path, { ...reviewDeps, home: null });
  if (!log.ok) throw new Error(log.error);
  const { reader } = log.value;
  for (const { name, fields } of reader.topics)
    for (const { path: field, numeric } of fields) if (numeric) reader.column(name, field);
  reader.close();
}

/** Processor time of this process in milliseconds: what else the machine is doing must not decide a comparison. */
function processor_ms(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Best of some rounds, alternating, so that neither profits from a warm machine. Megabytes per second of processor time. */
async function compare(
  path: string,
  peer: () => Promise<number>,
  say: (text: string) => void,
): Promise<Rate> {
  const megabytes = statSync(path).size / 1e6;
  let [ours_ms, peer_ms] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    const start_ms = processor_ms();
    await readWhole(path);
    const middle_ms = processor_ms();
    await peer();
    ours_ms = Math.min(ours_ms, middle_ms - start_ms);
    peer_ms = Math.min(peer_ms, processor_ms() - middle_ms);
  }
  const rate = (ms: number): number => Math.round((megabytes / ms) * 1e5) / 100;
  say(`${path.slice(path.lastIndexOf(".") + 1)}: ${rate(ours_ms)} MB/s, peer ${rate(peer_ms)} MB/s`);
  return { ours: rate(ours_ms), peer: rate(peer_ms) };
}
