import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import type { ReviewSummary } from "#contract/review";
import type { Clock } from "../platform/clock";
import type { Home } from "../platform/paths";
import { loadCodecs } from "./compression";
import { DataflashLog } from "./dataflash/open";
import { isDataflash } from "./dataflash/scan";
import { forgetful, rememberIn } from "./index-cache/remember";
import { isVideo, VideoLog } from "./joined/video";
import { isLerobot, openLerobot } from "./lerobot/open";
import { isMcap, openMcap } from "./mcap/open";
import type { LogReader } from "./reader";
import { isHdf5, openRobomimic } from "./robomimic/open";
import { openBag } from "./rosbag/open";
import { isBag } from "./rosbag/scan";
import { isBagFolder, isDatabase, openBagFile, openBagFolder } from "./rosbag2/open";
import { type ByteSource, fileSource, readBytes } from "./source";
import type { MavlinkDialect } from "./tlog/dialect";
import { isTlog, TelemetryLog } from "./tlog/open";
import type { EventWords } from "./ulog/events";
import { Ulog } from "./ulog/open";
import { isUlog } from "./ulog/scan";

/** What review takes from other features; its composition roots hand it in. */
export interface ReviewDeps {
  readonly dialect: MavlinkDialect;
  /** Checks an audit log's text against the hashes that the recording carries, by sequence number. */
  readonly verifyAudit: (text: string | null, witness: ReadonlyMap<number, string>) => ReviewSummary["audit"];
  /** The words for a PX4's events, from its packed or plain definitions; null when those cannot be read. */
  readonly eventWords: (definitions: Uint8Array) => Promise<EventWords | null>;
  /** Kingfisher's own folders; null where nothing may be kept (tests). */
  readonly home: Home | null;
  readonly clock: Clock;
}

export interface OpenLog {
  /** As it was asked for: a file or a flight's folder. */
  readonly path: string;
  /** The file itself. */
  readonly file: string;
  readonly reader: LogReader;
  /** Text of the audit log beside one of our flights; null when there is none. */
  readonly audit: string | null;
}

const HEAD_BYTES = 4096;
const READABLE =
  "Kingfisher flights, MCAP, ULog, tlog, ROS 1 and ROS 2 bags, DataFlash .bin, Robomimic HDF5 and LeRobot data sets";

/** Opens a file or a folder, whatever its name says; the content decides. One clear sentence when it cannot. */
export async function openLog(path: string, deps: ReviewDeps): Promise<Result<OpenLog, string>> {
  if (!existsSync(path)) return err(`${path} does not exist.`);
  let file = path;
  if (statSync(path).isDirectory()) {
    const folder = await openFolder(path);
    if (!folder.ok) return folder;
    if (typeof folder.value !== "string") return ok({ path, file: path, reader: folder.value, audit: null });
    file = folder.value;
  }
  let source: ByteSource;
  try {
    source = fileSource(file);
  } catch (error) {
    return err(`Cannot open ${path}: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const reader = await readerFor(source, file, deps, file);
  if (!reader.ok) {
    source.close();
    return reader;
  }
  const auditPath = join(dirname(file), "audit.jsonl");
  const ours = reader.value.kind === "kingfisher" && existsSync(auditPath);
  return ok({ path, file, reader: reader.value, audit: ours ? readFileSync(auditPath, "utf8") : null });
}

/** A folder that is a recording by itself, or the flight's file inside it. */
async function openFolder(path: string): Promise<Result<LogReader | string, string>> {
  for (const name of ["flight.mcap", "flight.tlog"]) {
    const inside = join(path, name);
    if (existsSync(inside)) return ok(inside);
  }
  if (isBagFolder(path)) return openBagFolder(path);
  if (isLerobot(path)) return openLerobot(path);
  const logs = readdirSync(path).filter((name) => /\.(mcap|ulg|tlog|bag|bin|hdf5)$/i.test(name));
  const hint = logs.length > 0 ? ` Open one of its files instead, for example ${logs[0] ?? ""}.` : "";
  return err(
    `${path} is a folder without a recording in it (no flight.mcap, no flight.tlog, no metadata.yaml, no meta/info.json).${hint}`,
  );
}

/** Readers by content. Also used on bytes in memory: then there is no `path`, and nothing beside the log is looked at. */
export async function readerFor(
  source: ByteSource,
  name: string,
  deps: ReviewDeps,
  path: string | null = null,
): Promise<Result<LogReader, string>> {
  if (source.size === 0) return err(`${name} is empty (0 bytes): nothing was ever written to it.`);
  const head = readBytes(source, 0, HEAD_BYTES);
  const remember =
    path === null || deps.home === null
      ? forgetful
      : rememberIn(join(deps.home.root, "cache", "indexes"), source, path);
  if (isMcap(head)) return ok(openMcap(source, await loadCodecs(), remember));
  if (isVideo(head)) return ok(new VideoLog(source));
  if (isBag(head)) return ok(openBag(source, await loadCodecs(), remember));
  if (isDataflash(head)) return ok(new DataflashLog(source, remember));
  if (isUlog(head)) {
    const log = new Ulog(source, remember);
    await log.describeEvents(path, deps.eventWords);
    return ok(log);
  }
  if (isDatabase(head)) return openBagFile(source, name, path);
  if (isHdf5(head)) return openRobomimic(source, name, path);
  if (isTlog(head)) {
    const log = new TelemetryLog(source, deps.dialect, remember);
    if (log.topics.length > 0) return ok(log);
  }
  const extension = extname(name).toLowerCase();
  const claim = extension === "" ? "" : `, whatever its name ending “${extension}” says`;
  return err(`${basename(name)} is not a log that Kingfisher can read${claim}. It reads ${READABLE}.`);
}
