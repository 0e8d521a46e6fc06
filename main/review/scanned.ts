import type { LogMessage, LogReader } from "./reader";

/** The newest message at or before a time, of a reader that can only go through them in order. */
export function scanned(reader: LogReader, topic: string, at_s: number): LogMessage | null {
  let found: LogMessage | null = null;
  let index = 0;
  for (const record of reader.records(topic)) {
    if (found !== null && record.at_s > at_s) break;
    found = { at_s: record.at_s, index: index++, message: record.value };
  }
  return found;
}
