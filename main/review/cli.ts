import { mkdirSync } from "node:fs";
import { reviewDeps } from "./deps";
import { exportLog } from "./export/export";
import { type ExportFormat, exportFormats } from "./export/exported";
import { ReviewService } from "./service";
import { expressionTopic, type Session, splitReference } from "./session";

/** What a command-line verb came to: `json` goes to stdout with --json, `text` to stderr or stdout for people. */
export interface ReviewOutcome {
  readonly exit: 0 | 1 | 2;
  readonly text: string;
  readonly json: unknown;
}

export const reviewUsage =
  "review FILE [--summary | --series TOPIC.FIELD [--from S] [--to S] [--points N] | --export csv|parquet|mcap|kml|report|hdf5 --out DIR] [--json]";

interface Asked {
  readonly file: string;
  readonly series: string | null;
  readonly format: ExportFormat | null;
  readonly out: string | null;
  readonly from_s: number | null;
  readonly to_s: number | null;
  readonly points: number;
}

/** `kingfisher review …`, without the verb itself. Never throws for bad input or bad files. */
export async function runReview(args: readonly string[]): Promise<ReviewOutcome> {
  const asked = parseArgs(args);
  if (typeof asked === "string") return { exit: 2, text: asked, json: { error: asked } };
  const service = new ReviewService(reviewDeps);
  const review = await service.open(asked.file);
  if (typeof review === "string") return { exit: 1, text: review, json: { error: review } };
  const session = review.view;
  try {
    if (asked.series !== null) return seriesOutcome(session, asked, asked.series);
    if (asked.format !== null && asked.out !== null) {
      mkdirSync(asked.out, { recursive: true });
      const written = await exportLog(session, asked.format, asked.out);
      if (!written.ok) return { exit: 1, text: written.error, json: { error: written.error } };
      const text = `wrote ${written.value.files.length} files to ${asked.out}`;
      return { exit: 0, text, json: written.value };
    }
    return summaryOutcome(session);
  } catch (error) {
    const text = `Review failed on ${asked.file}: ${error instanceof Error ? error.message : String(error)}`;
    return { exit: 1, text, json: { error: text } };
  } finally {
    service.close(review.id);
  }
}

function parseArgs(args: readonly string[]): Asked | string {
  const files: string[] = [];
  const options = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--summary" || arg === "--json") continue;
    if (!arg.startsWith("--")) {
      files.push(arg);
      continue;
    }
    if (!["--series", "--export", "--out", "--from", "--to", "--points"].includes(arg))
      return `unknown option ${arg}; usage: ${reviewUsage}`;
    const value = args[++i];
    if (value === undefined) return `${arg} needs a value; usage: ${reviewUsage}`;
    options.set(arg, value);
  }
  const [file] = files;
  if (file === undefined || files.length > 1)
    return `one file or flight folder is needed; usage: ${reviewUsage}`;
  const wanted = options.get("--export");
  const format = exportFormats.find((name) => name === wanted) ?? null;
  if (wanted !== undefined && format === null)
    return `--export ${wanted} is not known; choose one of ${exportFormats.join(", ")}`;
  if (format !== null && !options.has("--out")) return "--export needs --out DIR";
  const numbers: (number | null)[] = [];
  for (const name of ["--from", "--to", "--points"]) {
    const text = options.get(name);
    const value = text === undefined ? null : Number(text);
    if (value !== null && !Number.isFinite(value)) return `${name} needs a number, not "${text ?? ""}"`;
    numbers.push(value);
  }
  return {
    file,
    series: options.get("--series") ?? null,
    format,
    out: options.get("--out") ?? null,
    from_s: numbers[0] ?? null,
    to_s: numbers[1] ?? null,
    points: Math.min(20_000, Math.max(10, Math.round(numbers[2] ?? 1000))),
  };
}

function seriesOutcome(session: Session, asked: Asked, path: string): ReviewOutcome {
  // A path with braces is an expression.
  const split = path.includes("{")
    ? { topic: expressionTopic, field: path }
    : splitReference(session.log.reader.topics, path);
  const series = split && session.series(split.topic, split.field, asked.from_s, asked.to_s, asked.points);
  if (!series) {
    const text = split
      ? `${split.topic} has no numeric field ${split.field}.`
      : `There is no topic in “${path}”; --summary lists them.`;
    return { exit: 1, text, json: { error: text } };
  }
  const rows = series.t_s.map((t, i) => `${t.toFixed(6)}\t${series.min[i] ?? ""}\t${series.max[i] ?? ""}`);
  return { exit: 0, text: ["t_s\tmin\tmax", ...rows].join("\n"), json: series };
}

function summaryOutcome(session: Session): ReviewOutcome {
  const summary = session.summary();
  const { completeness } = summary;
  const start = summary.start_utc_ms === null ? "time unknown" : new Date(summary.start_utc_ms).toISOString();
  const lines = [
    `${summary.title} · ${summary.format}`,
    `${start} · ${summary.duration_s.toFixed(1)} s · ${summary.message_count} messages in ${summary.topics.length} topics`,
    `${completeness.state}${completeness.notes.length > 0 ? `: ${completeness.notes.join("; ")}` : ""}`,
    `audit: ${summary.audit.state}, ${summary.audit.detail}`,
    ...summary.findings.map(
      (f) => `${f.at_s.toFixed(1).padStart(8)} s  ${f.severity}: ${f.title} (${f.detail})`,
    ),
  ];
  const { lanes, steps, topics, messages, ...rest } = summary;
  const json = {
    ...rest,
    topics: topics.map(({ name, type, count }) => ({ name, type, count })),
    messages,
    lanes,
    steps: steps.map(({ at_s, record }) => ({
      at_s,
      skill: record.proposal.call.skill,
      status: record.status,
      decision: record.decision,
      reasoning: record.proposal.trace.reasoning,
    })),
  };
  return { exit: 0, text: lines.join("\n"), json };
}
