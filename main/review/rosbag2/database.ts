import { DamageReport } from "../damage";
import type { Decode } from "../decode";
import { MessageIndex } from "../message-index";
import { commonRos2Decoder, ros2Decoder } from "../ros2";
import type { ByteSource } from "../source";
import { databasePages } from "./pages";
import type { SqlDatabase, Sqlite, SqlValue } from "./sqlite";

/** Databases up to this size have every message's bytes read when opened; in larger ones damage inside data shows later. */
const CHECK_ALL_BYTES = 256 * 1024 * 1024;

export interface BagTopic {
  readonly name: string;
  readonly type: string;
  /** In words when it cannot be decoded. */
  readonly decode: Decode | string;
  readonly index: MessageIndex;
}

/** One .db3 file of a rosbag2 recording. Offsets in the indexes are message ids. */
export interface BagDatabase {
  readonly topics: readonly BagTopic[];
  readonly truncated: string | null;
  readonly damage: readonly string[];
  readonly remarks: readonly string[];
  readonly messages: number;
  readonly data: (id: number) => Uint8Array | null;
  readonly close: () => void;
}

/** Throws SQLite's own words when not even the list of topics can be read. */
export function openDatabase(
  sqlite: Sqlite,
  file: ByteSource,
  wal: ByteSource | null,
  distro: string,
): BagDatabase {
  const pages = databasePages(file, wal);
  const db = sqlite.open(pages.source);
  const damage = new DamageReport();
  const remarks = [...pages.remarks];
  try {
    const topics = topicsOf(db, distro, damage);
    const { messages, unknown } = indexMessages(db, topics, file.size <= CHECK_ALL_BYTES, damage);
    if (unknown > 0) remarks.push(`${unknown} messages belong to topics whose description is lost`);
    const data = db.lookup("SELECT data FROM messages WHERE id = ?");
    return {
      topics: [...topics.values()],
      truncated: pages.truncated,
      damage: damage.notes,
      remarks,
      messages,
      data: (id) => {
        try {
          const bytes = data(id);
          return bytes instanceof Uint8Array ? bytes : null;
        } catch {
          return null;
        }
      },
      close: () => {
        db.close();
        pages.source.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

const text = (value: SqlValue | undefined): string => (typeof value === "string" ? value : "");

function topicsOf(db: SqlDatabase, distro: string, damage: DamageReport): Map<number, BagTopic> {
  const definitions = new Map<string, { encoding: string; text: string }>();
  let recorded_on = distro;
  // Both tables came with later versions of the format; without them there is nothing to read.
  quietly(() => {
    db.each("SELECT ros_distro FROM schema", [], ([name]) => {
      if (text(name) !== "") recorded_on = text(name);
      return true;
    });
  });
  quietly(() => {
    const sql = "SELECT topic_type, encoding, encoded_message_definition FROM message_definitions";
    db.each(sql, [], ([type, encoding, definition]) => {
      definitions.set(text(type), { encoding: text(encoding), text: text(definition) });
      return true;
    });
  });
  const topics = new Map<number, BagTopic>();
  const sql = "SELECT id, name, type, serialization_format FROM topics ORDER BY id";
  try {
    db.each(sql, [], ([id, name, type, serialization]) => {
      if (typeof id !== "number" || text(name) === "") return true;
      const decode = decoderOf(text(type), text(serialization), definitions.get(text(type)), recorded_on);
      const index = new MessageIndex();
      topics.set(id, { name: text(name), type: text(type), decode, index });
      return true;
    });
  } catch (error) {
    if (topics.size === 0) throw error;
    damage.note(`the list of topics is damaged: ${topics.size} could be read (${words(error)})`);
  }
  return topics;
}

function decoderOf(
  type: string,
  serialization: string,
  stored: { encoding: string; text: string } | undefined,
  distro: string,
): Decode | string {
  if (serialization !== "cdr") return `serialization “${serialization}” is not known`;
  try {
    if (stored && stored.text !== "") return ros2Decoder(stored.encoding, stored.text);
  } catch (error) {
    return `its definition cannot be read (${words(error)})`;
  }
  return commonRos2Decoder(type, distro) ?? `its recorder stored no definition of ${type}`;
}

/**
 * Goes through the messages in the order of their ids. Where SQLite meets a damaged page, the next id that can be read
 * goes on; ids are given out one by one, so those in between are what is lost.
 */
function indexMessages(
  db: SqlDatabase,
  topics: ReadonlyMap<number, BagTopic>,
  whole: boolean,
  damage: DamageReport,
): { messages: number; unknown: number } {
  // Asking for the last byte of the data makes SQLite fetch all of it, and find what is broken there.
  const sql = `SELECT id, topic_id, timestamp${whole ? ", substr(data, -1, 1)" : ""} FROM messages NOT INDEXED WHERE id >= ? ORDER BY id`;
  let messages = 0;
  let unknown = 0;
  let last = 0;
  let lost = 0;
  const accept = (row: readonly SqlValue[]): boolean => {
    const [id, topic_id, timestamp] = row;
    if (typeof id !== "number" || id <= last) return true;
    if (last > 0 && id > last + 1) lost += id - last - 1;
    last = id;
    const topic = typeof topic_id === "number" ? topics.get(topic_id) : undefined;
    if (!topic || typeof timestamp !== "number") {
      unknown += 1;
      return true;
    }
    topic.index.add(0, id, timestamp / 1e9);
    messages += 1;
    return true;
  };
  let from = 0;
  for (;;) {
    const error = failure(() => {
      db.each(sql, [from], accept);
    });
    if (error === null) break;
    const next = nextReadable(db, sql, Math.max(from, last + 1));
    damage.note(
      next === null
        ? `nothing after message ${last} can be read (${error})`
        : `messages ${last + 1} to ${next - 1} cannot be read (${error})`,
    );
    if (next === null) break;
    from = next;
  }
  if (lost > 0) damage.note(`${lost} messages are missing between those that were read`);
  return { messages, unknown };
}

/** Past any id that a recorder could have reached. */
const FARTHEST = 2 ** 40;

/** The smallest id after `from` at which reading works again; null when there is none. */
function nextReadable(db: SqlDatabase, sql: string, from: number): number | null {
  const at = (id: number): number | null | undefined => {
    let found: number | null = null;
    const error = failure(() => {
      db.each(sql, [id], ([value]) => {
        found = typeof value === "number" ? value : null;
        return false;
      });
    });
    return error === null ? found : undefined;
  };
  let bad = from;
  let step = 1;
  let good: number | null | undefined;
  while (step < FARTHEST) {
    good = at(bad + step);
    if (good !== undefined) break;
    bad += step;
    step *= 2;
  }
  if (good === undefined) return null;
  // Between the last id that failed and the first that worked, the border is found by halving.
  let low = bad;
  let high = bad + step;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const found = at(middle);
    if (found === undefined) low = middle;
    else {
      high = middle;
      good = found;
    }
  }
  return good === null ? null : high;
}

const words = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^.*result code \d+: /, "");

function failure(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    return words(error);
  }
}

function quietly(act: () => void): void {
  failure(act);
}
