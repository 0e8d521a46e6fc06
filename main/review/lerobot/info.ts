import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { err, ok, type Result } from "#contract/result";
import { openParquet } from "./parquet";

const Feature = z.looseObject({
  dtype: z.string(),
  shape: z.array(z.number()).catch([]),
  names: z.unknown().optional(),
});

/** `meta/info.json`, what reading needs of it. */
const Info = z.looseObject({
  codebase_version: z.string().catch(""),
  fps: z.number().positive(),
  total_episodes: z.number().nullable().catch(null),
  total_frames: z.number().nullable().catch(null),
  robot_type: z.string().nullable().catch(null),
  chunks_size: z.number().positive().catch(1000),
  video_path: z.string().nullable().catch(null),
  features: z.record(z.string(), Feature),
});
export type Info = z.infer<typeof Info>;

export function readInfo(folder: string): Result<Info, string> {
  try {
    const parsed = Info.safeParse(JSON.parse(readFileSync(join(folder, "meta", "info.json"), "utf8")));
    return parsed.success ? ok(parsed.data) : err("meta/info.json lacks its frame rate or its features");
  } catch (error) {
    return err(`meta/info.json cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What the data set says of one episode. */
export interface EpisodeInfo {
  readonly tasks: readonly string[];
  readonly length: number | null;
  /** Video file by camera, and where in it the episode begins. */
  readonly videos: ReadonlyMap<string, { readonly path: string; readonly from_s: number }>;
}

/** Episodes by index: lines of JSON up to version 2, Parquet files since version 3. */
export async function readEpisodes(
  folder: string,
  info: Info,
  complain: (text: string) => void,
): Promise<ReadonlyMap<number, EpisodeInfo>> {
  const cameras = Object.entries(info.features).flatMap(([key, { dtype }]) => (dtype === "video" ? key : []));
  const rows = await tableRows(folder, "meta/episodes", complain);
  const episodes = new Map<number, EpisodeInfo>();
  for (const row of rows) {
    const index = Number(row["episode_index"]);
    if (!Number.isInteger(index)) continue;
    const videos = new Map<string, { path: string; from_s: number }>();
    for (const key of cameras) {
      const path = videoPath(info, key, index, row);
      const from_s = Number(row[`videos/${key}/from_timestamp`] ?? 0);
      if (path !== null) videos.set(key, { path, from_s });
    }
    const { tasks, length } = row as { tasks?: unknown; length?: unknown };
    episodes.set(index, {
      tasks: Array.isArray(tasks) ? tasks.map(String) : [],
      length: length === undefined || length === null ? null : Number(length),
      videos,
    });
  }
  return episodes;
}

function videoPath(
  info: Info,
  key: string,
  episode: number,
  row: Readonly<Record<string, unknown>>,
): string | null {
  if (info.video_path === null) return null;
  const known: Readonly<Record<string, number | string | undefined>> = {
    video_key: key,
    episode_index: episode,
    episode_chunk: Math.floor(episode / info.chunks_size),
    chunk_index: whole(row[`videos/${key}/chunk_index`]),
    file_index: whole(row[`videos/${key}/file_index`]),
  };
  // Python's format fields: {episode_index:06d}.
  return info.video_path.replace(/\{(\w+)(?::0(\d+)d)?\}/g, (_, name: string, width?: string) =>
    String(known[name] ?? "?").padStart(width === undefined ? 0 : Number(width), "0"),
  );
}

const whole = (value: unknown): number | undefined =>
  typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;

/** Tasks by index. */
export async function readTasks(
  folder: string,
  complain: (text: string) => void,
): Promise<ReadonlyMap<number, string>> {
  const tasks = new Map<number, string>();
  for (const row of await tableRows(folder, "meta/tasks", complain)) {
    const text = Object.values(row).find((value) => typeof value === "string");
    if (typeof text === "string") tasks.set(Number(row["task_index"]), text);
  }
  return tasks;
}

/** Rows of a table of the data set's own: NAME.jsonl, NAME.parquet, or a folder of Parquet files. */
async function tableRows(
  folder: string,
  name: string,
  complain: (text: string) => void,
): Promise<Readonly<Record<string, unknown>>[]> {
  const lines = join(folder, `${name}.jsonl`);
  if (existsSync(lines))
    return readFileSync(lines, "utf8")
      .split("\n")
      .flatMap((line, i) => {
        if (line.trim() === "") return [];
        try {
          const value = z.record(z.string(), z.unknown()).safeParse(JSON.parse(line));
          return value.success ? [value.data] : [];
        } catch {
          complain(`line ${i + 1} of ${name}.jsonl cannot be read`);
          return [];
        }
      });
  const rows: Readonly<Record<string, unknown>>[] = [];
  const single = join(folder, `${name}.parquet`);
  for (const path of existsSync(single) ? [single] : parquetFiles(join(folder, name))) {
    try {
      const file = await openParquet(path);
      const wanted = file.columns.filter((column) => !column.startsWith("stats/"));
      rows.push(...(await file.read(wanted, 0, file.rows)));
      file.close();
    } catch (error) {
      complain(`${path.slice(folder.length + 1)} cannot be read (${String(error)})`);
    }
  }
  return rows;
}

/** Parquet files below a folder, in order of their names. */
export function parquetFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return parquetFiles(path);
      return name.endsWith(".parquet") ? [path] : [];
    });
}
