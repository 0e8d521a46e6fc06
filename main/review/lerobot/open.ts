import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import type { ReviewMessage } from "#contract/review";
import { displayImage, type Picture } from "../images";
import { completeness } from "../reader";
import { type Table, TableLog, type TablePictures } from "../table-log";
import { EpisodeRows } from "./episode";
import { type EpisodeInfo, type Info, parquetFiles, readEpisodes, readInfo, readTasks } from "./info";
import { openParquet } from "./parquet";

/** Numbers and pictures held in memory; what is beyond is left out, and said. */
const MAX_NUMBER_BYTES = 512 * 1024 * 1024;
const MAX_PICTURE_BYTES = 256 * 1024 * 1024;
const ROWS_AT_ONCE = 5000;
const MAX_NOTES = 12;

/** Whether a folder is a LeRobot data set. */
export const isLerobot = (folder: string): boolean => existsSync(join(folder, "meta", "info.json"));

/**
 * A LeRobot data set (https://huggingface.co/docs/lerobot/lerobot-dataset-v3), versions 2 and 3: rows in Parquet files
 * below `data`, one file an episode or many; which episode a row belongs to stands in the row. Episodes follow one
 * another on the timeline.
 */
export async function openLerobot(folder: string): Promise<Result<TableLog, string>> {
  const info = readInfo(folder);
  if (!info.ok) return err(`${folder} is a LeRobot data set that cannot be read: ${info.error}.`);
  const notes: string[] = [];
  let more = 0;
  const complain = (text: string): void => {
    if (notes.length < MAX_NOTES) notes.push(text);
    else more += 1;
  };
  const about = await readEpisodes(folder, info.value, complain);
  const tasks = await readTasks(folder, complain);
  const { episodes, left_out } = await readRows(folder, info.value, complain);
  const log = laidOut(folder, info.value, episodes, about, tasks);
  for (const [index, { length }] of about) {
    const rows = episodes.get(index)?.rows ?? 0;
    if (left_out.rows === 0 && length !== null && length !== rows)
      complain(`episode ${index}: ${rows} of ${length} frames are there`);
  }
  const { total_frames, total_episodes } = info.value;
  if (left_out.rows === 0 && total_frames !== null && total_frames !== log.frames)
    complain(`meta/info.json counts ${total_frames} frames; ${log.frames} were found`);
  if (left_out.rows === 0 && total_episodes !== null && total_episodes !== episodes.size)
    complain(`meta/info.json counts ${total_episodes} episodes; ${episodes.size} were found`);
  if (more > 0) notes.push(`and ${more} more`);
  const remarks = [...log.remarks];
  if (left_out.rows > 0) remarks.push(`too large to hold: the last ${left_out.rows} frames are left out`);
  if (left_out.pictures > 0)
    remarks.push(`too many pictures to hold: ${left_out.pictures} of the later ones are left out`);
  return ok(
    new TableLog({
      kind: "lerobot",
      format: `LeRobot data set ${info.value.codebase_version}`.trim(),
      completeness: completeness(log.frames === 0, null, notes, remarks),
      duration_s: log.duration_s,
      tables: log.tables,
      pictures: log.pictures,
      messages: log.messages,
      meta: metaOf(folder, info.value, episodes.size),
      close: () => {},
    }),
  );
}

function metaOf(folder: string, info: Info, episodes: number): Record<string, string> {
  const meta: Record<string, string> = {
    data_set: basename(folder),
    frame_rate_hz: String(info.fps),
    episodes: String(episodes),
  };
  if (info.robot_type !== null) meta["robot"] = info.robot_type;
  for (const [key, { names }] of Object.entries(info.features)) {
    const list = Array.isArray(names) ? names : Object.values(names ?? {}).flat();
    if (list.length > 1) meta[`names of ${key}`] = list.map(String).join(", ");
  }
  return meta;
}

interface LeftOut {
  rows: number;
  pictures: number;
}

async function readRows(
  folder: string,
  info: Info,
  complain: (text: string) => void,
): Promise<{ episodes: Map<number, EpisodeRows>; left_out: LeftOut }> {
  const episodes = new Map<number, EpisodeRows>();
  const left_out: LeftOut = { rows: 0, pictures: 0 };
  const features = Object.entries(info.features);
  const numeric = features.flatMap(([key, { dtype }]) => (/^(float|int|uint|bool)/.test(dtype) ? key : []));
  const cameras = features.flatMap(([key, { dtype }]) => (dtype === "image" ? key : []));
  let [number_bytes, picture_bytes] = [0, 0];
  for (const path of parquetFiles(join(folder, "data"))) {
    try {
      const file = await openParquet(path);
      try {
        const has = (column: string): boolean => file.columns.includes(column);
        for (let from = 0; from < file.rows; from += ROWS_AT_ONCE) {
          const to = Math.min(file.rows, from + ROWS_AT_ONCE);
          if (number_bytes > MAX_NUMBER_BYTES) {
            left_out.rows += to - from;
            continue;
          }
          const with_pictures = picture_bytes <= MAX_PICTURE_BYTES;
          const columns = [...numeric, ...(with_pictures ? cameras : [])].filter(has);
          if (!with_pictures && cameras.length > 0) left_out.pictures += (to - from) * cameras.length;
          for (const row of await file.read(columns, from, to)) {
            const index = Number(row["episode_index"] ?? 0);
            const episode = episodes.get(index) ?? new EpisodeRows();
            episodes.set(index, episode);
            const added = episode.add(row, numeric, cameras);
            number_bytes += added.number_bytes;
            picture_bytes += added.picture_bytes;
          }
        }
      } finally {
        file.close();
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      complain(`${path.slice(folder.length + 1)} cannot be read (${why})`);
    }
  }
  return { episodes, left_out };
}

interface Laid {
  readonly tables: readonly Table[];
  readonly pictures: readonly TablePictures[];
  readonly messages: readonly ReviewMessage[];
  readonly remarks: readonly string[];
  readonly duration_s: number;
  readonly frames: number;
}

function laidOut(
  folder: string,
  info: Info,
  episodes: ReadonlyMap<number, EpisodeRows>,
  about: ReadonlyMap<number, EpisodeInfo>,
  tasks: ReadonlyMap<number, string>,
): Laid {
  const tables: Table[] = [];
  const pictures: TablePictures[] = [];
  const messages: ReviewMessage[] = [];
  const videos = new Map<string, Set<string>>();
  let start_s = 0;
  let frames = 0;
  for (const [index, episode] of [...episodes].sort(([a], [b]) => a - b)) {
    const name = `episode_${String(index).padStart(6, "0")}`;
    const t_s = episode.times(start_s, info.fps);
    tables.push({
      name,
      type: "episode",
      t_s,
      fields: episode.paths().map((path) => ({ path, numeric: true, unit: path === "timestamp" ? "s" : "" })),
      values: (path) => episode.values(path),
    });
    for (const camera of episode.cameras())
      pictures.push({
        topic: `${name}/${camera}`,
        t_s,
        picture: (row) => shown(folder, episode.picture(camera, row)),
      });
    const task = about.get(index)?.tasks.join("; ") ?? tasks.get(episode.task() ?? -1) ?? "";
    const films = [...(about.get(index)?.videos ?? [])].map(([camera, { path, from_s }]) => {
      videos.set(camera, (videos.get(camera) ?? new Set()).add(path));
      return `${camera}: ${path}${from_s > 0 ? ` from ${from_s.toFixed(2)} s` : ""}`;
    });
    messages.push({
      at_s: start_s,
      severity: "info",
      source: name,
      text: [`${name} begins: ${episode.rows} frames`, task, ...films].filter((t) => t !== "").join(" · "),
    });
    frames += episode.rows;
    start_s = (t_s.at(-1) ?? start_s) + 1 / info.fps;
  }
  return {
    tables,
    pictures,
    messages,
    remarks: [...videos].map(
      ([camera, files]) =>
        `${camera} is filmed in ${files.size} video files, which are played and not decoded here; messages name them`,
    ),
    duration_s: tables.at(-1)?.t_s.at(-1) ?? 0,
    frames,
  };
}

/** A picture stored in its row, or beside the data set under the name that the row gives. */
function shown(folder: string, stored: { bytes: Uint8Array | null; path: string } | null): Picture | null {
  if (!stored) return null;
  if (stored.bytes) return displayImage({ data: stored.bytes });
  const path = join(folder, stored.path);
  if (stored.path === "" || !path.startsWith(folder) || !existsSync(path)) return null;
  return displayImage({ data: new Uint8Array(readFileSync(path)) });
}
