import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import { type Codecs, loadCodecs } from "../compression";
import { isImageType } from "../images";
import { forgetful } from "../index-cache/remember";
import { isMcap, mcapParts } from "../mcap/open";
import { MessageIndex } from "../message-index";
import { MessageLog, type MessageTopic } from "../message-log";
import { completeness } from "../reader";
import { type ByteSource, fileSource, readBytes } from "../source";
import { TimeScout, wildNote } from "../time-frame";
import { type BagDatabase, openDatabase } from "./database";
import { type BagMetadata, parseMetadata } from "./metadata";
import { isDatabase } from "./pages";
import { loadSqlite } from "./sqlite";
import { unpackZstd } from "./unpack";

const METADATA = "metadata.yaml";
const NO_METADATA: BagMetadata = parseMetadata("");

/** One file of a bag, opened. Its chunk numbers begin at zero; joined with others they are shifted. */
interface BagPart {
  readonly topics: readonly MessageTopic[];
  readonly chunks: number;
  readonly messages: number;
  readonly truncated: string | null;
  readonly damage: readonly string[];
  readonly remarks: readonly string[];
  readonly payload: (chunk: number, offset: number) => Uint8Array | null;
  readonly close: () => void;
}

export { isDatabase } from "./pages";

/** Whether a folder holds a rosbag2 recording: its metadata, or at least one of its databases. */
export const isBagFolder = (folder: string): boolean =>
  existsSync(join(folder, METADATA)) || readdirSync(folder).some((name) => /\.db3(\.zstd)?$/.test(name));

function metadataIn(folder: string): BagMetadata {
  const path = join(folder, METADATA);
  return existsSync(path) ? parseMetadata(readFileSync(path, "utf8")) : NO_METADATA;
}

/** All files of a rosbag2 folder as one log, those its metadata names and those that lie there. */
export async function openBagFolder(folder: string): Promise<Result<MessageLog, string>> {
  const metadata = metadataIn(folder);
  const there = readdirSync(folder).filter((name) => /\.(db3|mcap)(\.zstd)?$/.test(name));
  const named = metadata.files.map((name) => basename(name));
  const unpacked = (name: string): string => name.replace(/\.zstd$/, "");
  const names = [...new Set([...named, ...there])].filter(
    // A file and its packed copy are the same recording.
    (name, _, all) =>
      !name.endsWith(".zstd") || !all.includes(unpacked(name)) || !there.includes(unpacked(name)),
  );
  const parts: BagPart[] = [];
  const remarks: string[] = [];
  const damage: string[] = [];
  for (const name of names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }))) {
    const path = join(folder, name);
    if (!there.includes(name)) {
      damage.push(`${name} is missing: ${METADATA} names it`);
      continue;
    }
    const part = await openPart(path, metadata);
    if (part.ok) parts.push(part.value);
    else damage.push(part.error);
  }
  if (parts.length === 0)
    return err(
      damage.length > 0
        ? `No file of the bag ${folder} can be read: ${damage.join("; ")}.`
        : `${folder} holds a ${METADATA}, but no .db3 and no .mcap file.`,
    );
  if (!existsSync(join(folder, METADATA)))
    remarks.push(`${METADATA} is missing; the files speak for themselves`);
  return ok(joined(parts, metadata, { damage, remarks, whole: true }));
}

/** One file of a bag, wherever it lies. `path` is null for bytes in memory. */
export async function openBagFile(
  source: ByteSource,
  name: string,
  path: string | null,
): Promise<Result<MessageLog, string>> {
  const metadata = path === null ? NO_METADATA : metadataIn(dirname(path));
  const part = await openedPart(source, name, path, metadata);
  if (!part.ok) return part;
  const others = metadata.files.length - 1;
  const remarks =
    others > 0 ? [`one of the ${others + 1} files of its bag; open the folder to see all of them`] : [];
  return ok(joined([part.value], metadata, { damage: [], remarks, whole: others <= 0 }));
}

async function openPart(path: string, metadata: BagMetadata): Promise<Result<BagPart, string>> {
  const name = basename(path);
  if (statSync(path).size === 0) return err(`${name} is empty (0 bytes)`);
  if (!name.endsWith(".zstd")) return openedPart(fileSource(path), name, path, metadata);
  const { source, cut } = await unpackZstd(path);
  const part = await openedPart(source, name, null, metadata);
  if (!part.ok) return part;
  return ok(cut === null ? part.value : { ...part.value, damage: [`${name}: ${cut}`, ...part.value.damage] });
}

async function openedPart(
  source: ByteSource,
  name: string,
  path: string | null,
  metadata: BagMetadata,
): Promise<Result<BagPart, string>> {
  const head = readBytes(source, 0, 64);
  const codecs = await loadCodecs();
  if (isMcap(head)) {
    const { content, topics, remarks, payload } = mcapParts(source, codecs, forgetful);
    return ok({
      topics,
      chunks: content.chunks.length,
      messages: content.messages,
      truncated: content.truncated,
      damage: content.damage.notes,
      remarks,
      payload,
      close: () => {
        source.close();
      },
    });
  }
  if (!isDatabase(head)) {
    source.close();
    return err(`${name} is neither an SQLite database nor an MCAP file`);
  }
  try {
    const wal_path = `${path ?? ""}-wal`;
    const wal = path !== null && existsSync(wal_path) ? fileSource(wal_path) : null;
    return ok(
      databasePart(openDatabase(await loadSqlite(), source, wal, metadata.ros_distro), metadata, codecs),
    );
  } catch (error) {
    source.close();
    const why = error instanceof Error ? error.message : String(error);
    return err(`${name} cannot be read as a rosbag2 database: ${why}`);
  }
}

function databasePart(database: BagDatabase, metadata: BagMetadata, codecs: Codecs): BagPart {
  const remarks = [...database.remarks];
  const packed = metadata.compression_mode === "message" && metadata.compression === "zstd";
  const topics = database.topics.map(({ name, type, decode, index }): MessageTopic => {
    if (typeof decode === "string") remarks.push(`${name} cannot be decoded: ${decode}`);
    return {
      name,
      type,
      index,
      decode: typeof decode === "string" ? null : decode,
      image: isImageType(type),
    };
  });
  return {
    topics,
    chunks: 1,
    messages: database.messages,
    truncated: database.truncated,
    damage: database.damage,
    remarks,
    payload: (_, id) => {
      const data = database.data(id);
      if (!data || !packed) return data;
      try {
        return codecs.zstdFrame(data);
      } catch {
        return null;
      }
    },
    close: database.close,
  };
}

/** Topics of the same name and type go on from file to file. */
function joined(
  parts: readonly BagPart[],
  metadata: BagMetadata,
  about: { damage: readonly string[]; remarks: readonly string[]; whole: boolean },
): MessageLog {
  const scout = new TimeScout();
  const topics = new Map<string, MessageTopic>();
  const starts: number[] = [];
  let chunks = 0;
  let messages = 0;
  for (const part of parts) {
    for (const topic of part.topics) {
      const key = `${topic.name}\n${topic.type}`;
      const taken = [...topics.values()].some(({ name, type }) => name === topic.name && type !== topic.type);
      const name = taken ? `${topic.name} (${topic.type})` : topic.name;
      const whole = topics.get(key) ?? { ...topic, name, index: new MessageIndex() };
      topics.set(key, whole);
      for (let i = 0; i < topic.index.length; i++) {
        const t_s = topic.index.time_s(i);
        whole.index.add(chunks + topic.index.chunk(i), topic.index.offset(i), t_s);
        scout.add(t_s);
      }
    }
    starts.push(chunks);
    chunks += part.chunks;
    messages += part.messages;
  }
  const frame = scout.frame();
  const remarks = [...about.remarks, ...new Set(parts.flatMap((part) => part.remarks))];
  if (frame.wild > 0) remarks.push(wildNote(frame.wild));
  const damage = [...about.damage, ...parts.flatMap((part) => part.damage)];
  const truncated = parts.flatMap((part) => part.truncated ?? []);
  const counted = metadata.message_count;
  if (about.whole && counted !== null && counted !== messages)
    damage.push(`${METADATA} counts ${counted} messages; ${messages} were found`);
  const partOf = (chunk: number): number => {
    let k = starts.length - 1;
    while (k > 0 && (starts[k] as number) > chunk) k -= 1;
    return k;
  };
  return new MessageLog({
    kind: "rosbag2",
    format: parts.length > 1 ? `ROS 2 bag (${parts.length} files)` : "ROS 2 bag",
    completeness: completeness(
      messages === 0,
      truncated.length === 0 ? null : truncated.join("; "),
      damage,
      remarks,
    ),
    frame,
    topics: [...topics.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    meta: metadata.ros_distro === "" ? {} : { ros_distro: metadata.ros_distro },
    start_utc_ms: frame.from_s > 3e8 ? frame.from_s * 1000 : null,
    payload: (chunk, offset) => {
      const k = partOf(chunk);
      return parts[k]?.payload(chunk - (starts[k] as number), offset) ?? null;
    },
    close: () => {
      for (const part of parts) part.close();
    },
  });
}
