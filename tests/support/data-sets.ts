import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What episode `k`, step `i` of the generated data sets holds. */
export const actionOf = (k: number, i: number): [number, number] => [k + i / 100, -i];

/** A Robomimic file of `demos` demonstrations of `steps` steps, with a small camera; made by the HDF5 library. */
export async function robomimicFile(
  demos: number,
  steps: number,
  options: { readonly chunked?: boolean } = {},
): Promise<Buffer> {
  const h5wasm = await import("h5wasm/node");
  await h5wasm.ready;
  const folder = mkdtempSync(join(tmpdir(), "kingfisher-test-"));
  const name = join(folder, "demo.hdf5");
  const file = new h5wasm.File(name, "w");
  const data = file.create_group("data");
  data.create_attribute("total", demos * steps);
  data.create_attribute(
    "env_args",
    JSON.stringify({ env_name: "Lift", type: 1, env_kwargs: { control_freq: 10 } }),
  );
  for (let k = 0; k < demos; k++) {
    const demo = data.create_group(`demo_${k}`);
    demo.create_attribute("num_samples", steps);
    const rows = <T>(of: (i: number) => readonly T[]): T[] =>
      Array.from({ length: steps }, (_, i) => of(i)).flat();
    const chunks = options.chunked === true ? { chunks: [steps, 2], compression: "gzip" as const } : {};
    demo.create_dataset({
      name: "actions",
      data: Float64Array.from(rows((i) => actionOf(k, i))),
      shape: [steps, 2],
      ...chunks,
    });
    demo.create_dataset({ name: "dones", data: Uint8Array.from(rows((i) => [i === steps - 1 ? 1 : 0])) });
    const obs = demo.create_group("obs");
    obs.create_dataset({
      name: "eef_pos",
      data: Float32Array.from(rows((i) => [i, i / 2, 1])),
      shape: [steps, 3],
    });
    obs.create_dataset({
      name: "front_image",
      data: Uint8Array.from({ length: steps * 8 * 8 * 3 }, (_, n) => (n + k) & 255),
      shape: [steps, 8, 8, 3],
    });
  }
  file.close();
  const bytes = readFileSync(name);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

/** The smallest whole PNG: one pixel. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const features = {
  "observation.state": { dtype: "float32", shape: [2], names: ["x", "y"] },
  action: { dtype: "float32", shape: [2], names: { motors: ["pan", "lift"] } },
  "observation.images.wrist": { dtype: "image", shape: [1, 1, 3], names: ["h", "w", "c"] },
  "observation.images.top": { dtype: "video", shape: [3, 480, 640], names: ["c", "h", "w"] },
  timestamp: { dtype: "float32", shape: [1], names: null },
  frame_index: { dtype: "int64", shape: [1], names: null },
  episode_index: { dtype: "int64", shape: [1], names: null },
  index: { dtype: "int64", shape: [1], names: null },
  task_index: { dtype: "int64", shape: [1], names: null },
};

/** A LeRobot data set of `episodes` episodes of `frames` frames at 10 Hz in `folder`; its tables are written by DuckDB. */
export async function lerobotFolder(
  folder: string,
  version: 2 | 3,
  episodes: number,
  frames: number,
): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const parquet = async (name: string, sql: string, codec = "snappy"): Promise<void> => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    await connection.run(`COPY (${sql}) TO '${join(folder, name)}' (FORMAT parquet, CODEC ${codec})`);
  };
  put(
    "meta/info.json",
    JSON.stringify({
      codebase_version: version === 2 ? "v2.1" : "v3.0",
      robot_type: "so100",
      total_episodes: episodes,
      total_frames: episodes * frames,
      chunks_size: 1000,
      fps: 10,
      data_path:
        version === 2
          ? "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet"
          : "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
      video_path:
        version === 2
          ? "videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4"
          : "videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4",
      features,
    }),
  );
  const rows = (from: number, to: number): string => `
    SELECT [i::FLOAT, (-i)::FLOAT] AS "observation.state", [(k + i / 100)::FLOAT, (-i)::FLOAT] AS action,
      {'bytes': from_base64('${pixel.toString("base64")}'), 'path': 'frame.png'} AS "observation.images.wrist",
      (i / 10)::FLOAT AS timestamp, i::BIGINT AS frame_index, k::BIGINT AS episode_index,
      (k * ${frames} + i)::BIGINT AS index, (k % 2)::BIGINT AS task_index
    FROM range(${from}, ${to}) AS e(k), range(${frames}) AS f(i) ORDER BY k, i`;
  const name = (k: number): string => `data/chunk-000/episode_${String(k).padStart(6, "0")}.parquet`;
  if (version === 2) {
    for (let k = 0; k < episodes; k++) await parquet(name(k), rows(k, k + 1));
    const line = (k: number): string =>
      JSON.stringify({ episode_index: k, tasks: [`task ${k % 2}`], length: frames });
    put("meta/episodes.jsonl", Array.from({ length: episodes }, (_, k) => `${line(k)}\n`).join(""));
    put("meta/tasks.jsonl", '{"task_index": 0, "task": "task 0"}\n{"task_index": 1, "task": "task 1"}\n');
    return;
  }
  await parquet("data/chunk-000/file-000.parquet", rows(0, episodes), "zstd");
  await parquet(
    "meta/tasks.parquet",
    "SELECT 'task ' || t AS task, t::BIGINT AS task_index FROM range(2) AS r(t)",
  );
  await parquet(
    "meta/episodes/chunk-000/file-000.parquet",
    `SELECT k::BIGINT AS episode_index, ['task ' || (k % 2)] AS tasks, ${frames}::BIGINT AS length,
      0::BIGINT AS "data/chunk_index", 0::BIGINT AS "data/file_index",
      0::BIGINT AS "videos/observation.images.top/chunk_index", 0::BIGINT AS "videos/observation.images.top/file_index",
      (k * ${frames} / 10)::DOUBLE AS "videos/observation.images.top/from_timestamp"
    FROM range(${episodes}) AS e(k)`,
  );
}
