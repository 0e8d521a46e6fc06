import type { RecordTopic } from "#contract/record";
import type { ReadRecording } from "../evaluation/evidence";
import { reviewDeps } from "../review/deps";
import { openLog } from "../review/open";
import { type Timed, typed } from "../review/summary/kingfisher-record";

/** What the grader asks of a flight's recording, by review's reader. Null when there is no flight of ours to read. */
export const readRecording: ReadRecording = async (folder) => {
  const log = await openLog(folder, reviewDeps);
  if (!log.ok || log.value.reader.kind !== "kingfisher") return null;
  const { reader } = log.value;
  const values = <T extends RecordTopic>(topic: T): Timed<T>["value"][] =>
    Array.from(typed(reader, topic), (message) => message.value);
  const recorded = { safety: values("/kingfisher/s_safe"), alerts: values("/kingfisher/alert") };
  reader.close();
  return recorded;
};
