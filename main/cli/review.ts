import { runReview } from "../review/cli";
import { failed, type Verb } from "./verb";

export const reviewVerb: Verb = {
  spec: {
    name: "review",
    summary: "Open any flight log: summary, one series, or an export.",
    positionals: ["FILE"],
    options: [
      { name: "summary", help: "format, completeness, duration, topics, messages, findings (the default)" },
      { name: "series", value: "TOPIC.FIELD", help: "one field over time" },
      { name: "from", value: "SECONDS", help: "start of the series" },
      { name: "to", value: "SECONDS", help: "end of the series" },
      { name: "points", value: "N", help: "at most so many points, every extreme kept" },
      { name: "export", value: "FORMAT", help: "csv, parquet, mcap, kml, report or hdf5" },
      { name: "out", value: "DIR", help: "where the export goes" },
    ],
  },
  async run(args, { json }) {
    const [file = ""] = args.positionals;
    const passed = ["series", "from", "to", "points", "export", "out"].flatMap((name) => {
      const value = args.text(name);
      return value === undefined ? [] : [`--${name}`, value];
    });
    const outcome = await runReview([
      file,
      ...(args.has("summary") ? ["--summary"] : []),
      ...passed,
      ...(json ? ["--json"] : []),
    ]);
    return outcome.exit === 0
      ? { code: 0, json: outcome.json, text: outcome.text }
      : failed(outcome.text, outcome.exit, outcome.json);
  },
};
