import { runArchive } from "../review/archive/cli";
import { failed, type Verb } from "./verb";

/** The verb takes its folder as an option: without it, the flights of the home are meant. */
export const archiveVerb: Verb = {
  spec: {
    name: "archive",
    summary: "A folder of flights: search, compare, trends, SQL over any topic of all of them.",
    positionals: [],
    options: [
      { name: "folder", value: "DIR", help: "where the flights are (default: the home's own)" },
      { name: "search", value: "WORDS", help: "flights in which all of these words occur" },
      { name: "rule", value: "RULE", help: "flights in which this finding's rule fired, such as vibration" },
      { name: "topic", value: "TOPIC", help: "flights that carry this topic" },
      { name: "format", value: "FORMAT", help: "flights of this format, as the list says it" },
      { name: "compare", value: "A,B,…", help: "flights beside each other" },
      { name: "trend", value: "FIGURE", help: "one figure over time, such as voltage_min_v" },
      {
        name: "sql",
        value: "SELECT …",
        help: "read-only SQL; tables flights, findings, steps, topics and any topic",
      },
      { name: "limit", value: "N", help: "at most so many rows (200)" },
      { name: "timeout", value: "SECONDS", help: "the longest a query may take (30)" },
      { name: "rebuild", help: "throw the index away and read every file again" },
    ],
  },
  async run(args, { say, signal }) {
    const limit = args.number("limit", 200, 1, 100_000);
    if (!limit.ok) return failed(limit.error, 2);
    const timeout_s = args.number("timeout", 30, 0.01, 600);
    if (!timeout_s.ok) return failed(timeout_s.error, 2);
    const text = (name: string): string | null => args.text(name) ?? null;
    const outcome = await runArchive(
      {
        folder: text("folder"),
        rebuild: args.has("rebuild"),
        search: text("search"),
        rule: text("rule"),
        topic: text("topic"),
        format: text("format"),
        compare: text("compare")?.split(",") ?? null,
        trend: text("trend"),
        sql: text("sql"),
        limit: Math.round(limit.value),
        timeout_s: timeout_s.value,
      },
      say,
      signal,
    );
    return outcome.exit === 0
      ? { code: 0, json: outcome.json, text: outcome.text }
      : failed(outcome.text, outcome.exit, outcome.json);
  },
};
