import { parse } from "@foxglove/rosmsg";
import { MessageWriter } from "@foxglove/rosmsg2-serialization";

export const SAMPLE_DEFINITION = "string name\nfloat64 height\nint16[3] cells\nfloat32[] many\n";

export interface Bag2Topic {
  readonly name: string;
  readonly type: string;
  /** "ros2msg" or "ros2idl" and the definition stored in the bag; left out as recorders before Iron do. */
  readonly definition?: { readonly encoding: string; readonly text: string };
  readonly messages: readonly { readonly t_s: number; readonly data: Uint8Array }[];
}

/** `count` messages of test_msgs/msg/Sample, 100 ms apart: height 0, 0.25, 0.5, … `pad` numbers make each one larger. */
export function sampleTopic(name: string, count: number, start_s = 1.78e9, pad = 4): Bag2Topic {
  const writer = new MessageWriter(parse(SAMPLE_DEFINITION, { ros2: true }));
  return {
    name,
    type: "test_msgs/msg/Sample",
    definition: { encoding: "ros2msg", text: SAMPLE_DEFINITION },
    messages: Array.from({ length: count }, (_, n) => ({
      t_s: start_s + n * 0.1,
      data: writer.writeMessage({
        name: `sample ${n}`,
        height: n / 4,
        cells: [n, -n, 7],
        many: Array.from({ length: pad }, (__, k) => n + k),
      }),
    })),
  };
}

/** A rosbag2 database as its SQLite storage writes it (schema version 4), made by SQLite itself. */
export async function rosBag2(topics: readonly Bag2Topic[]): Promise<Buffer> {
  const { default: start } = await import("@sqlite.org/sqlite-wasm");
  const sqlite = await start();
  const db = new sqlite.oo1.DB(":memory:");
  db.exec(`
    CREATE TABLE schema(schema_version INTEGER PRIMARY KEY, ros_distro TEXT NOT NULL);
    CREATE TABLE metadata(id INTEGER PRIMARY KEY, metadata_version INTEGER NOT NULL, metadata TEXT NOT NULL);
    CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
      serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL, type_description_hash TEXT NOT NULL);
    CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL,
      encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL);
    CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL);
    CREATE INDEX timestamp_idx ON messages(timestamp ASC);
    INSERT INTO schema VALUES (4, 'jazzy');`);
  const all: { topic: number; t_s: number; data: Uint8Array }[] = [];
  for (const [i, { name, type, definition, messages }] of topics.entries()) {
    db.exec({ sql: "INSERT INTO topics VALUES (?, ?, ?, 'cdr', '', '')", bind: [i + 1, name, type] });
    if (definition)
      db.exec({
        sql: "INSERT INTO message_definitions(topic_type, encoding, encoded_message_definition, type_description_hash) VALUES (?, ?, ?, '')",
        bind: [type, definition.encoding, definition.text],
      });
    for (const message of messages) all.push({ topic: i + 1, ...message });
  }
  all.sort((a, b) => a.t_s - b.t_s);
  db.exec("BEGIN");
  const insert = db.prepare("INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)");
  for (const { topic, t_s, data } of all) {
    insert.bind([topic, BigInt(Math.round(t_s * 1e6)) * 1000n, data]);
    insert.step();
    insert.reset();
  }
  insert.finalize();
  db.exec("COMMIT");
  const pointer = db.pointer;
  if (pointer === undefined) throw new Error("Invariant: the database is open");
  const bytes = Buffer.from(sqlite.capi.sqlite3_js_db_export(pointer));
  db.close();
  return bytes;
}

/** metadata.yaml as rosbag2 writes it. */
export const bag2Metadata = (
  files: readonly string[],
  message_count: number,
  storage = "sqlite3",
  compression: { format: string; mode: string } = { format: "", mode: "" },
): string => `rosbag2_bagfile_information:
  version: 9
  storage_identifier: ${storage}
  duration:
    nanoseconds: 1900000000
  starting_time:
    nanoseconds_since_epoch: 1780000000000000000
  message_count: ${message_count}
  topics_with_message_count:
    - topic_metadata:
        name: /sample
        type: test_msgs/msg/Sample
        serialization_format: cdr
        offered_qos_profiles: []
      message_count: 3
  compression_format: "${compression.format}"
  compression_mode: "${compression.mode}"
  relative_file_paths:
${files.map((name) => `    - ${name}\n`).join("")}  files:
    - path: ${files[0] ?? ""}
      message_count: ${message_count}
  custom_data: ~
  ros_distro: jazzy
`;
