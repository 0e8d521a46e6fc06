import { type RecordMessage, type RecordTopic, recordTopics } from "#contract/record";
import type { LogReader } from "../reader";

/** One message of our own recordings. */
export interface Timed<T extends RecordTopic> {
  readonly at_s: number;
  readonly value: RecordMessage<T>;
}

/** Messages of one topic that fit their schema; others (another version, damage) are counted by the caller's length. */
export function* typed<T extends RecordTopic>(
  reader: LogReader,
  topic: T,
  containing?: string,
): Iterable<Timed<T>> {
  const schema = recordTopics[topic];
  for (const { at_s, value } of reader.records(topic, containing)) {
    const parsed = schema.safeParse(value);
    if (parsed.success) yield { at_s, value: parsed.data as RecordMessage<T> };
  }
}
