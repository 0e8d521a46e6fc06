import { runReview } from "../review/cli";
import { electronPrinter } from "./print";
import { failed, type Verb } from "./verb";

const values = [
  "series",
  "spectrum",
  "from",
  "to",
  "points",
  "export",
  "out",
  "topics",
  "join",
  "offset",
] as const;
const switches = ["summary", "why", "layouts", "overwrite"] as const;

export const reviewVerb: Verb = {
  spec: {
    name: "review",
    summary: "Open any flight log, or several of one flight: summary, series, report, export.",
    positionals: ["FILE"],
    options: [
      { name: "summary", help: "format, completeness, duration, topics, messages, findings (the default)" },
      { name: "join", value: "FILE", help: "lay another log of the flight over it", multiple: true },
      {
        name: "offset",
        value: "KEY=SECONDS",
        help: "set and remember a joined log's offset",
        multiple: true,
      },
      { name: "series", value: "TOPIC.FIELD", help: "one field over time, or an expression: {A.x} - {B.x}" },
      { name: "spectrum", value: "TOPIC.FIELD", help: "its amplitude spectrum: the peaks" },
      { name: "why", help: "why it stopped where it stopped, from the record" },
      { name: "layouts", help: "ready-made plots that this log can fill" },
      { name: "from", value: "SECONDS", help: "start of the series, spectrum or export" },
      { name: "to", value: "SECONDS", help: "end of the series, spectrum or export" },
      { name: "points", value: "N", help: "at most so many points, every extreme kept" },
      {
        name: "export",
        value: "FORMAT",
        help: "csv, parquet, mcap, tlog, kml, hdf5, lerobot, report (HTML) or pdf",
      },
      { name: "topics", value: "A,B", help: "only these topics in the export" },
      { name: "out", value: "DIR", help: "where the export goes" },
      { name: "overwrite", help: "replace files that exist" },
    ],
  },
  async run(args, { json, signal }) {
    const [file = ""] = args.positionals;
    const outcome = await runReview(
      [
        file,
        ...switches.filter((name) => args.has(name)).map((name) => `--${name}`),
        ...values.flatMap((name) => args.all(name).flatMap((value) => [`--${name}`, value])),
        ...(json ? ["--json"] : []),
      ],
      signal,
      electronPrinter() ?? undefined,
    );
    return outcome.exit === 0
      ? { code: 0, json: outcome.json, text: outcome.text }
      : failed(outcome.text, outcome.exit, outcome.json);
  },
};
