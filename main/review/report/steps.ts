import type { ReviewSummary } from "#contract/review";
import type { LogImage, LogReader } from "../reader";
import type { Session } from "../session";
import { clock, judged, type StopExplained, safetyFall, stepEnd_s, stepTitle } from "../summary/explain";
import { stationClock } from "../summary/kingfisher";
import { typed } from "../summary/kingfisher-record";
import { plain } from "../summary/lanes";
import { escapeXml } from "./svg";

type Step = ReviewSummary["steps"][number];

/** The picture that the model was given for a step: the newest of the front camera when it was observed. */
function seenBy(session: Session, step: Step): LogImage | null {
  const { reader } = session.log;
  const camera = reader.image_topics.find(({ topic }) => !topic.includes("depth"));
  if (!camera) return null;
  const { captured_at_ms } = step.record.proposal.observation;
  const captured_s = captured_at_ms === null ? Number.NaN : stationClock(reader)(captured_at_ms);
  const at_s = Number.isFinite(captured_s) ? captured_s + 0.001 : step.at_s;
  return session.image(camera.topic, at_s);
}

function pictureHtml(session: Session, step: Step): string {
  const image = seenBy(session, step);
  if (!image) return "<p class=quiet>No picture is recorded for this step.</p>";
  const data = Buffer.from(image.bytes).toString("base64");
  return `<figure class=seen><img alt="what the model saw" src="data:${image.media_type};base64,${data}"><figcaption>what the model saw at ${clock(image.at_s)}</figcaption></figure>`;
}

const paragraphs = (lines: readonly string[]): string =>
  lines.map((line) => `<p>${escapeXml(line)}</p>`).join("");

/** The answer to "why did it stop here", with the picture. */
export function stopHtml(session: Session, stop: StopExplained): string {
  return `<section class=stop><h3>${escapeXml(stop.title)}</h3>${pictureHtml(session, stop.step)}${stop.parts
    .map(({ title, lines }) => `<h4>${escapeXml(title)}</h4>${paragraphs(lines)}`)
    .join("")}</section>`;
}

/** Every reasoning step: picture, trace, verdict, who approved it after how long, what was flown, what it did to S_safe. */
export function stepsHtml(session: Session, summary: ReviewSummary): string {
  return summary.steps.map((step) => stepHtml(session, step)).join("\n");
}

function stepHtml(session: Session, step: Step): string {
  const { proposal, verdict, decision, status, detail } = step.record;
  const end_s = stepEnd_s(step);
  const { reader } = session.log;
  const checks = verdict.checks.map(
    (c) =>
      `<tr><td class="${c.status === "pass" ? "" : c.status === "fail" ? "warning" : "caution"}">${c.status}<td>${escapeXml(c.label)}<td>${c.value === null ? "not measured" : `${plain(c.value, 3)} ${escapeXml(c.unit)}`}<td>${c.needed === null ? "" : `${c.sense === "at_least" ? "≥" : "≤"} ${plain(c.needed, 3)}`}<td>${escapeXml(c.detail)}`,
  );
  const refused = proposal.invalid.map(
    (i) => `<p><del>${escapeXml(i.text.slice(0, 400))}</del> refused: ${escapeXml(i.reason)}</p>`,
  );
  const took = end_s === null ? "" : ` in ${plain(end_s - step.at_s)} s`;
  const fall = end_s === null ? null : safetyFall(reader, end_s);
  return `<section><h3>${clock(step.at_s)} · step ${step.record.step} · ${escapeXml(stepTitle(step))}</h3>${pictureHtml(session, step)}
<p><b>Saw</b> ${escapeXml(proposal.trace.image_description)}</p><p><b>Why</b> ${escapeXml(proposal.trace.reasoning)}</p>
${refused.join("")}<p><b>Decision</b> ${escapeXml(decision === null ? "none" : (judged(step).at(-1) ?? ""))}</p>
<p><b>Result</b> ${status ?? "not finished"}${took}${detail === "" ? "" : `: ${escapeXml(detail)}`}</p>
<p><b>S_safe</b> ${escapeXml(safetyDuring(reader, step.at_s, end_s ?? step.at_s + 1))}${fall === null ? "" : ` ${escapeXml(fall)}`}</p>
<details open><summary>${verdict.checks.length} checks, ${verdict.pass ? "passed" : "not passed"}</summary><table><tr><th>Verdict<th>Check<th>Measured<th>Needed<th>Detail${checks.join("")}</table></details></section>`;
}

/** The lowest score and the displacement of each watched object during a step. */
function safetyDuring(reader: LogReader, from_s: number, to_s: number): string {
  let lowest: number | null = null;
  const most = new Map<string, { label: string; cm: number }>();
  for (const { at_s, value } of typed(reader, "/kingfisher/s_safe")) {
    if (at_s < from_s || at_s > to_s + 0.5) continue;
    if (value.score !== null) lowest = Math.min(lowest ?? value.score, value.score);
    for (const { id, label, displacement_m } of value.objects) {
      const cm = displacement_m * 100;
      if (cm >= (most.get(id)?.cm ?? -1)) most.set(id, { label, cm });
    }
  }
  if (lowest === null) return "nothing was being watched.";
  const moved = [...most.values()]
    .sort((a, b) => b.cm - a.cm)
    .slice(0, 4)
    .map(({ label, cm }) => `${label} ${plain(cm)} cm`);
  return `lowest ${plain(lowest, 0)}; displacement ${moved.join(", ")}.`;
}
