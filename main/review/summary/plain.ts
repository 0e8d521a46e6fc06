import type { LogReader } from "../reader";
import { lane } from "./lanes";
import { messageMarks } from "./mavlink";
import type { Story } from "./story";

/** Logs of unknown meaning: only what every log has. */
export function plainStory(reader: LogReader): Story {
  return {
    title: "",
    lanes: reader.messages.length > 0 ? [lane("messages", "Messages", [], messageMarks(reader))] : [],
    findings: [],
    steps: [],
    messages: [],
    track: null,
    meta: {},
  };
}
