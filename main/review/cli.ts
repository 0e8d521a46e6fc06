import { parseMomentLink } from "#contract/review-link";
import { type Asked, parseArgs } from "./cli-arguments";
import type { ReviewOutcome } from "./cli-outcome";
import { summaryOutcome } from "./cli-summary";
import { reviewDeps } from "./deps";
import { exportLog } from "./export/export";
import { flightName } from "./export/names";
import { quietJob } from "./jobs";
import type { Review } from "./joined/review";
import { offeredLayouts } from "./layouts/offered";
import { expressionTopic, splitReference } from "./references";
import { reportHtml } from "./report/html";
import { ReviewService } from "./service";
import type { Session } from "./session";
import { explainStops } from "./summary/explain";

/** Prints a page as PDF; an error is one sentence. Absent where there is no Electron. */
export type PrintPdf = (html: string, target: string, overwrite: boolean) => Promise<string | null>;

const fails = (text: string, exit: 1 | 2 = 1): ReviewOutcome => ({ exit, text, json: { error: text } });

/** `kingfisher review …`, without the verb itself. Never throws for bad input or bad files. */
export async function runReview(
  args: readonly string[],
  signal?: AbortSignal,
  printPdf?: PrintPdf,
): Promise<ReviewOutcome> {
  const asked = parseArgs(args);
  if (typeof asked === "string") return fails(asked, 2);
  const service = new ReviewService(reviewDeps);
  const review = await service.open(asked.file);
  if (typeof review === "string") return fails(review);
  try {
    for (const path of asked.join) {
      const joined = await review.join(path);
      if (!joined.ok) return fails(joined.error);
    }
    for (const { key, offset_s } of asked.offsets) {
      const set = review.setOffset(key, offset_s);
      if (!set.ok) return fails(set.error);
    }
    return await answer(review, asked, signal, printPdf);
  } catch (error) {
    return fails(`Review failed on ${asked.file}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    service.close(review.id);
  }
}

function answer(
  review: Review,
  asked: Asked,
  signal: AbortSignal | undefined,
  printPdf: PrintPdf | undefined,
): Promise<ReviewOutcome> | ReviewOutcome {
  const session = review.view;
  if (asked.series !== null) return seriesOutcome(session, asked, asked.series);
  if (asked.spectrum !== null) return spectrumOutcome(session, asked, asked.spectrum);
  if (asked.why) return whyOutcome(session);
  if (asked.layouts) {
    const layouts = offeredLayouts(
      review.summary().topics,
      review.parts.map(({ key }) => key),
      [],
    );
    return { exit: 0, text: layouts.map(({ id, title }) => `${id}\t${title}`).join("\n"), json: layouts };
  }
  if (asked.format !== null && asked.out !== null)
    return exported(session, asked, asked.out, signal, printPdf);
  const at_s = parseMomentLink(asked.file)?.at_s ?? null;
  return summaryOutcome(review.summary(), at_s);
}

async function exported(
  session: Session,
  asked: Asked,
  folder: string,
  signal: AbortSignal | undefined,
  printPdf: PrintPdf | undefined,
): Promise<ReviewOutcome> {
  const { format, from_s, to_s, topics, overwrite } = asked;
  if (format === null) return fails("no format");
  if (format === "pdf") {
    if (printPdf === undefined)
      return fails(
        "A PDF is printed by Electron, which is not set up here (npm start sets it up); use --export report for HTML.",
      );
    const target = `${folder}/${flightName(session.log.path)}.pdf`;
    const problem = await printPdf(reportHtml(session), target, overwrite);
    return problem === null
      ? { exit: 0, text: `wrote 1 file to ${folder}`, json: { state: "written", format, files: [target] } }
      : fails(problem);
  }
  const written = await exportLog(
    session,
    { format, folder, from_s, to_s, topics: topics === null ? null : [...topics], overwrite },
    quietJob(signal),
  );
  if (!written.ok) return fails(written.error);
  const result = written.value;
  if (result.state === "exists") {
    const [first = ""] = result.files;
    const more = result.files.length > 1 ? ` and ${result.files.length - 1} more` : "";
    return fails(`${first}${more} exist already; --overwrite replaces them.`);
  }
  const notes = result.notes.map((note) => `\n  ${note}`).join("");
  const count = result.files.length;
  return {
    exit: 0,
    text: `wrote ${count} ${count === 1 ? "file" : "files"} to ${folder}${notes}`,
    json: result,
  };
}

/** A path with braces is an expression. */
const splitPath = (session: Session, path: string): { topic: string; field: string } | null =>
  path.includes("{")
    ? { topic: expressionTopic, field: path }
    : splitReference(session.log.reader.topics, path);

const noField = (split: { topic: string; field: string } | null, path: string): ReviewOutcome =>
  fails(
    split
      ? `${split.topic} has no numeric field ${split.field}.`
      : `There is no topic in “${path}”; --summary lists them.`,
  );

function seriesOutcome(session: Session, asked: Asked, path: string): ReviewOutcome {
  const split = splitPath(session, path);
  const series = split && session.series(split.topic, split.field, asked.from_s, asked.to_s, asked.points);
  if (!series) return noField(split, path);
  const rows = series.t_s.map((t, i) => `${t.toFixed(6)}\t${series.min[i] ?? ""}\t${series.max[i] ?? ""}`);
  return { exit: 0, text: ["t_s\tmin\tmax", ...rows].join("\n"), json: series };
}

function spectrumOutcome(session: Session, asked: Asked, path: string): ReviewOutcome {
  const split = splitPath(session, path);
  if (!split) return noField(split, path);
  const found = session.spectrum(split.topic, split.field, asked.from_s, asked.to_s, "hann");
  if (!found.ok) return fails(found.reason);
  const { peaks, sample_rate_hz, resolution_hz, unit } = found.value;
  const lines = [
    `${sample_rate_hz.toFixed(1)} Hz, resolution ${resolution_hz.toFixed(3)} Hz, Hann window`,
    ...peaks.map((p) => `${p.frequency_hz.toFixed(2)} Hz\t${p.amplitude.toPrecision(4)} ${unit}`),
  ];
  return { exit: 0, text: lines.join("\n"), json: found.value };
}

function whyOutcome(session: Session): ReviewOutcome {
  const stops = explainStops(session.summary(), session.log.reader);
  const text =
    stops.length === 0
      ? "Nothing stopped this mission: every step ended well, or there are none."
      : stops
          .map(({ title, parts }) =>
            [title, ...parts.map((p) => `  ${p.title}\n${p.lines.map((l) => `    ${l}`).join("\n")}`)].join(
              "\n",
            ),
          )
          .join("\n\n");
  const json = stops.map(({ at_s, title, parts, step }) => ({ at_s, title, step: step.record.step, parts }));
  return { exit: 0, text, json };
}
