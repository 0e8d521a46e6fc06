import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameReport } from "#contract/perception";
import { realClock } from "../platform/clock";
import { openLogger } from "../platform/logger";
import { homePaths } from "../platform/paths";
import { createStation } from "../station";
import { percentiles } from "./percentiles";

export interface MonitorBench {
  /** From the exposure of a frame to the moment the failsafe has judged it; camera, perception and monitor together. */
  readonly frame_to_action_ms: { readonly p50: number; readonly p99: number };
  /** The perception process' own share: decoding, surfaces, objects, tracks, JPEG. */
  readonly perception_ms: { readonly p50: number; readonly p99: number };
  readonly frames: number;
  /** Frame-to-action over the frame period, 1 = one frame late. The peer is the camera itself. */
  readonly ratio_to_frame_period: number;
}

const frames_wanted = 200;

/** The whole road of a picture in real time, with the embedded vehicle on the same machine. */
export async function runMonitorBench(say: (text: string) => void): Promise<MonitorBench> {
  const clock = realClock();
  const folder = await mkdtemp(join(tmpdir(), "kingfisher-bench-"));
  const home = homePaths({ KINGFISHER_HOME: folder });
  const station = await createStation({
    clock,
    home,
    logger: openLogger({ folder: home.logs, name: "bench" }),
  });
  const delays: number[] = [];
  const work: number[] = [];
  let rate = 0;
  try {
    await new Promise<void>((resolve) => {
      station.on((name, value) => {
        if (name !== "perception") return;
        const report = value as FrameReport;
        // The monitor steps right after this event, within the same turn.
        queueMicrotask(() => {
          delays.push(clock.now_ms() - report.captured_at_ms);
          work.push(report.latency_ms);
          rate = report.frames_per_s;
          if (delays.length % 50 === 0) say(`${String(delays.length)} frames`);
          if (delays.length === frames_wanted) resolve();
        });
      });
    });
  } finally {
    await station.close();
    await rm(folder, { recursive: true, force: true });
  }
  // The first frames carry start-up costs.
  const steady = percentiles(delays.slice(20));
  return {
    frame_to_action_ms: steady,
    perception_ms: percentiles(work.slice(20)),
    frames: delays.length - 20,
    ratio_to_frame_period: steady.p50 / (1000 / rate),
  };
}
