import { writeFileSync } from "node:fs";
import { type Duck, openDuck, quoted } from "../duckdb";
import type { Job } from "../jobs";
import { couldDemonstrate, demonstrationOf, ONLY_OURS, rowsOf } from "./demonstration";
import { CannotExport, type Exporter, type ExportSource, type Staging } from "./exported";
import { flightName } from "./names";

const STATE = ["east_m", "north_m", "up_m", "v_east", "v_north", "v_up", "q_w", "q_x", "q_y", "q_z"];
const ACTION = ["east_m", "north_m", "up_m", "yaw_enu_rad"];
const PARQUET = "data/chunk-000/episode_000000.parquet";
const META = ["meta/info.json", "meta/episodes.jsonl", "meta/episodes_stats.jsonl", "meta/tasks.jsonl"];
const FPS_MAX = 30;

const folderOf = ({ path }: ExportSource): string => `${flightName(path)}-lerobot`;

/**
 * A flight as one episode of a LeRobot data set, version 2.1 (https://huggingface.co/docs/lerobot; its own converter makes 3.0 of it):
 * even frames, `observation.state`, `action`, one image a colour camera. Pictures lie in the Parquet file as they were
 * recorded (`dtype: image`): there is no video encoder here, and none is needed for the format.
 */
export const lerobotExporter: Exporter = {
  plan: (source) => {
    if (!couldDemonstrate(source.reader)) throw new CannotExport(ONLY_OURS);
    return [PARQUET, ...META].map((name) => `${folderOf(source)}/${name}`);
  },
  write: async (source, staging, job) => {
    const demo = demonstrationOf(source.reader);
    const start_s = demo.t_s[0] ?? 0;
    const end_s = demo.t_s.at(-1) ?? 0;
    const fps = Math.max(
      1,
      Math.min(FPS_MAX, Math.round((demo.t_s.length - 1) / Math.max(end_s - start_s, 1e-9))),
    );
    const count = Math.floor((end_s - start_s) * fps) + 1;
    const grid = Float64Array.from({ length: count }, (_, i) => start_s + i / fps);
    const cameras = source.reader.image_topics
      .filter(({ topic }) => !topic.includes("depth"))
      .map(({ topic }) => ({ topic, key: keyOf(topic) }));
    const state = rowsOf([...demo.position, ...demo.velocity, ...demo.attitude], grid);
    const action = rowsOf(demo.action, grid);
    const at = (name: string): string => staging.at(`${folderOf(source)}/${name}`);
    const size = await writeFrames(source, at(PARQUET), { grid, fps, state, action, cameras }, job);
    writeMeta(source, { at }, { fps, count, state, action, cameras, size });
    return {
      rows: count,
      notes: [
        "LeRobot version 2.1; pictures are in the Parquet file as recorded, there is no video",
        ...(cameras.length === 0 ? ["this flight holds no pictures"] : []),
      ],
    };
  },
};

const keyOf = (topic: string): string =>
  `observation.images.${topic
    .replace(/^\/camera\//, "")
    .replace(/\/colour$/, "")
    .replaceAll("/", "_")}`;

interface Frames {
  readonly grid: Float64Array;
  readonly fps: number;
  readonly state: Float64Array;
  readonly action: Float64Array;
  readonly cameras: readonly { readonly topic: string; readonly key: string }[];
}

/** Writes the episode's table; answers the pictures' size. */
async function writeFrames(
  { reader }: ExportSource,
  path: string,
  { grid, fps, state, action, cameras }: Frames,
  job: Job,
): Promise<{ width: number; height: number } | null> {
  const duck = await openDuck();
  try {
    const images = cameras.map((_, i) => `, image_${i} BLOB`).join("");
    await duck.run(`CREATE TABLE frames (state FLOAT[], action FLOAT[], n BIGINT${images})`);
    let size: { width: number; height: number } | null = null;
    const { default: sharp } = await import("sharp");
    const [first] = cameras;
    const sample = first && reader.image(first.topic, grid[0] ?? 0);
    if (sample) {
      const { width, height } = await sharp(sample.bytes).metadata();
      size = { width, height };
    }
    const BATCH = 100;
    for (let from = 0; from < grid.length; from += BATCH) {
      await job.step(from, grid.length);
      const rows = Array.from({ length: Math.min(BATCH, grid.length - from) }, (_, k) => {
        const i = from + k;
        return [
          [...state.subarray(i * STATE.length, (i + 1) * STATE.length)].map(finite),
          [...action.subarray(i * ACTION.length, (i + 1) * ACTION.length)].map(finite),
          i,
          ...cameras.map(({ topic }) => reader.image(topic, grid[i] ?? 0)?.bytes ?? null),
        ];
      });
      await duck.append("frames", rows);
    }
    await copyFrames(duck, path, fps, cameras);
    return size;
  } finally {
    duck.close();
  }
}

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

async function copyFrames(duck: Duck, path: string, fps: number, cameras: Frames["cameras"]): Promise<void> {
  const images = cameras.map(
    ({ key }, i) =>
      `, {'bytes': image_${i}, 'path': printf('${key.replaceAll("'", "")}-%06d', n)} AS "${key.replaceAll('"', "")}"`,
  );
  await duck.run(
    `COPY (SELECT state AS "observation.state", action${images.join("")}, (n / ${fps})::FLOAT AS timestamp,
       n AS frame_index, 0::BIGINT AS episode_index, n AS "index", 0::BIGINT AS task_index,
       n = (SELECT max(n) FROM frames) AS "next.done"
     FROM frames ORDER BY n) TO ${quoted(path)} (FORMAT parquet)`,
  );
}

interface Facts extends Omit<Frames, "grid"> {
  readonly count: number;
  readonly size: { readonly width: number; readonly height: number } | null;
}

function writeMeta(source: ExportSource, { at }: Staging, facts: Facts): void {
  const { fps, count, cameras, size } = facts;
  const task = taskOf(source);
  const scalar = (dtype: string): object => ({ dtype, shape: [1], names: null });
  const features = {
    "observation.state": { dtype: "float32", shape: [STATE.length], names: STATE },
    action: { dtype: "float32", shape: [ACTION.length], names: ACTION },
    ...Object.fromEntries(
      cameras.map(({ key }) => [
        key,
        {
          dtype: "image",
          shape: [size?.height ?? 0, size?.width ?? 0, 3],
          names: ["height", "width", "channel"],
        },
      ]),
    ),
    timestamp: scalar("float32"),
    frame_index: scalar("int64"),
    episode_index: scalar("int64"),
    index: scalar("int64"),
    task_index: scalar("int64"),
    "next.done": scalar("bool"),
  };
  const info = {
    codebase_version: "v2.1",
    robot_type: source.reader.meta["type"] ?? "hexarotor",
    total_episodes: 1,
    total_frames: count,
    total_tasks: 1,
    total_videos: 0,
    total_chunks: 1,
    chunks_size: 1000,
    fps,
    splits: { train: "0:1" },
    data_path: "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
    video_path: null,
    features,
  };
  const stats = {
    "observation.state": statsOf(facts.state, STATE.length),
    action: statsOf(facts.action, ACTION.length),
    timestamp: statsOf(
      Float64Array.from({ length: count }, (_, i) => i / fps),
      1,
    ),
    frame_index: statsOf(
      Float64Array.from({ length: count }, (_, i) => i),
      1,
    ),
    episode_index: statsOf(new Float64Array(count), 1),
    index: statsOf(
      Float64Array.from({ length: count }, (_, i) => i),
      1,
    ),
    task_index: statsOf(new Float64Array(count), 1),
  };
  writeFileSync(at("meta/info.json"), `${JSON.stringify(info, null, 4)}\n`);
  writeFileSync(
    at("meta/episodes.jsonl"),
    `${JSON.stringify({ episode_index: 0, tasks: [task], length: count })}\n`,
  );
  writeFileSync(at("meta/episodes_stats.jsonl"), `${JSON.stringify({ episode_index: 0, stats })}\n`);
  writeFileSync(at("meta/tasks.jsonl"), `${JSON.stringify({ task_index: 0, task })}\n`);
}

/** The mission in the operator's own words. */
function taskOf({ reader }: ExportSource): string {
  const found = reader.message?.("/kingfisher/mission", reader.duration_s)?.message;
  const command = (found as { command?: unknown } | undefined)?.command;
  return typeof command === "string" && command !== "" ? command : (reader.meta["name"] ?? "flight");
}

function statsOf(values: Float64Array, width: number): Record<string, readonly number[]> {
  const rows = values.length / width;
  const column = (c: number): number[] =>
    Array.from({ length: rows }, (_, i) => finite(values[i * width + c] as number));
  const columns = Array.from({ length: width }, (_, c) => column(c));
  const mean = columns.map((v) => v.reduce((sum, x) => sum + x, 0) / rows);
  return {
    min: columns.map((v) => v.reduce((low, x) => Math.min(low, x), Number.POSITIVE_INFINITY)),
    max: columns.map((v) => v.reduce((high, x) => Math.max(high, x), Number.NEGATIVE_INFINITY)),
    mean,
    std: columns.map((v, c) => Math.sqrt(v.reduce((sum, x) => sum + (x - (mean[c] ?? 0)) ** 2, 0) / rows)),
    count: [rows],
  };
}
