import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReviewSeries, ReviewSummary } from "#contract/review";
import { skillLibrary } from "#contract/skills";
import type { Session } from "../session";
import type { Exported } from "./exported";
import { escapeXml } from "./kml";
import { flightName } from "./parquet";

/** One self-contained page: what happened, findings, lanes, figures, every step with what the model saw, the audit. */
export function exportReport(session: Session, out: string): Exported {
  const file = join(out, `${flightName(session.log.path)}.html`);
  writeFileSync(file, reportHtml(session));
  return { format: "report", files: [file], rows: 1 };
}

const FIGURES: readonly (readonly [string, string, string])[] = [
  ["Height", "/kingfisher/vehicle", "position_enu_m[2]"],
  ["S_safe", "/kingfisher/s_safe", "score"],
  ["Yaw", "/kingfisher/vehicle", "quat_flu_enu.yaw_deg"],
  ["Height (down)", "vehicle_local_position", "z"],
  ["Roll", "vehicle_attitude", "q.roll_deg"],
  ["Pitch", "vehicle_attitude", "q.pitch_deg"],
  ["Battery", "battery_status", "remaining"],
  ["Height (down)", "LOCAL_POSITION_NED", "z"],
  ["Roll", "ATTITUDE", "roll"],
  ["Pitch", "ATTITUDE", "pitch"],
  ["Height", "POS", "RelHomeAlt"],
  ["Roll", "ATT", "Roll"],
  ["Pitch", "ATT", "Pitch"],
];

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1d21}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #ccc}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .6rem .25rem 0;vertical-align:top;border-bottom:1px solid #e4e4e4}svg{width:100%;height:auto}
.warning{color:#b00020;font-weight:600}.caution{color:#8a5a00;font-weight:600}img{max-width:20rem;border:1px solid #ccc}
figure{margin:1rem 0}figcaption{color:#555}section{break-inside:avoid}`;

export function reportHtml(session: Session): string {
  const s = session.summary();
  const start = s.start_utc_ms === null ? "time unknown" : `${new Date(s.start_utc_ms).toISOString()} (UTC)`;
  const state = [s.completeness.state, ...s.completeness.notes].join("; ");
  const facts: readonly (readonly [string, string])[] = [
    ["Recorded", `${start}, ${s.duration_s.toFixed(1)} s`],
    ["Format", s.format],
    ["Completeness", state],
    ["Decisions", `${s.audit.state}: ${s.audit.detail}`],
    ["Messages", `${s.message_count} in ${s.topics.length} topics`],
    ...["autopilot", "type", "version", "git", "address", "scene", "seed"].flatMap((key) => {
      const value = s.meta[key];
      return value === undefined || value === "" ? [] : [[key, value] as const];
    }),
  ];
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeXml(s.title)}</title><style>${STYLE}</style>
<h1>${escapeXml(s.title)}</h1>
<table>${facts.map(([name, value]) => `<tr><th>${escapeXml(name)}<td>${escapeXml(value)}`).join("")}</table>
<h2>Findings</h2>${findingsHtml(s)}
<h2>Timeline</h2>${lanesSvg(s)}
<h2>Figures</h2>${figuresHtml(session)}
${s.steps.length > 0 ? `<h2>Steps</h2>${stepsHtml(session, s)}` : ""}
<h2>Messages</h2><table>${s.messages
    .slice(0, 400)
    .map((m) => `<tr><td>${m.at_s.toFixed(1)} s<td>${escapeXml(m.severity)}<td>${escapeXml(m.text)}`)
    .join("")}</table></html>\n`;
}

const findingsHtml = (s: ReviewSummary): string =>
  s.findings.length === 0
    ? "<p>No rule found anything.</p>"
    : `<table>${s.findings
        .map(
          (f) =>
            `<tr><td>${f.at_s.toFixed(1)} s<td class="${f.severity}">${f.severity}<td>${escapeXml(f.title)}<td>${escapeXml(f.detail)}`,
        )
        .join("")}</table>`;

const TONES: Readonly<Record<string, string>> = {
  neutral: "#9aa3ad",
  machine: "#b5179e",
  intent: "#0891b2",
  go: "#15803d",
  caution: "#d97706",
  warning: "#b00020",
};
const WIDTH = 900;

function lanesSvg(s: ReviewSummary): string {
  const x = (t: number): number => 110 + (t / Math.max(s.duration_s, 1e-9)) * (WIDTH - 120);
  const rows = s.lanes.map(({ label, spans, marks }, row) => {
    const y = 10 + row * 28;
    const bars = spans.map((span) => {
      const width = Math.max(1, x(span.to_s) - x(span.from_s));
      const text =
        width > 8 * span.label.length
          ? `<text x="${(x(span.from_s) + 4).toFixed(1)}" y="${y + 14}" fill="#fff">${escapeXml(span.label)}</text>`
          : "";
      return `<rect x="${x(span.from_s).toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="20" fill="${TONES[span.tone] ?? ""}"><title>${escapeXml(span.label)}</title></rect>${text}`;
    });
    const ticks = marks.map(
      (m) =>
        `<rect x="${x(m.at_s).toFixed(1)}" y="${y}" width="3" height="20" fill="${TONES[m.tone] ?? ""}"><title>${escapeXml(m.label)}</title></rect>`,
    );
    return `<text x="0" y="${y + 14}">${escapeXml(label)}</text>${bars.join("")}${ticks.join("")}`;
  });
  const height = 20 + s.lanes.length * 28;
  return `<svg viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui" font-size="12" role="img" aria-label="lanes">${rows.join("")}</svg>`;
}

function figuresHtml(session: Session): string {
  const figures = FIGURES.flatMap(([title, topic, field]) => {
    const series = session.series(topic, field, null, null, 800);
    return series && series.t_s.length > 1 ? [figure(title, series)] : [];
  });
  return figures.length > 0 ? figures.join("") : "<p>This log carries none of the usual signals.</p>";
}

/** Minimum and maximum of every stretch as one filled outline: no extreme is lost. */
function figure(title: string, series: ReviewSeries): string {
  const values = [...series.min, ...series.max].filter((v): v is number => v !== null);
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(high >= low)) return "";
  const span_s = (series.t_s.at(-1) ?? 1) - (series.t_s[0] ?? 0);
  const x = (t: number): string => (((t - (series.t_s[0] ?? 0)) / Math.max(span_s, 1e-9)) * WIDTH).toFixed(1);
  const y = (v: number): string => (110 - ((v - low) / Math.max(high - low, 1e-9)) * 100).toFixed(1);
  const edge = (list: readonly (number | null)[]): string[] =>
    list.flatMap((v, i) => (v === null ? [] : [`${x(series.t_s[i] ?? 0)},${y(v)}`]));
  const outline = [...edge(series.max), ...edge(series.min).reverse()].join(" ");
  const unit = series.unit === "" ? "" : ` ${series.unit}`;
  return `<figure><svg viewBox="0 0 ${WIDTH} 120" role="img" aria-label="${escapeXml(title)}"><polygon points="${outline}" fill="none" stroke="#1f4e79" stroke-width="1.2"/></svg><figcaption>${escapeXml(title)}: ${low.toPrecision(4)} to ${high.toPrecision(4)}${escapeXml(unit)}, ${series.raw_count} samples of ${escapeXml(`${series.topic}.${series.field}`)}</figcaption></figure>`;
}

function stepsHtml(session: Session, s: ReviewSummary): string {
  const [camera] = s.image_topics;
  return s.steps
    .map(({ at_s, record }) => {
      const { proposal, decision, verdict } = record;
      const image = camera ? session.image(camera.topic, at_s) : null;
      const worst = verdict.checks[0];
      const picture = image
        ? `<img alt="what the camera saw" src="data:${image.media_type};base64,${Buffer.from(image.bytes).toString("base64")}">`
        : "";
      const approval =
        decision === null
          ? "no decision"
          : `${decision.kind.replaceAll("_", " ")} by ${decision.by} after ${(decision.after_ms / 1000).toFixed(1)} s`;
      return `<section><h3>${at_s.toFixed(1)} s · ${escapeXml(skillLibrary[proposal.call.skill].title)}</h3>${picture}
<p>${escapeXml(proposal.trace.reasoning)}</p><p>${verdict.checks.length} checks, ${verdict.pass ? "passed" : "not passed"}${worst ? `; worst: ${escapeXml(worst.detail)}` : ""}. ${escapeXml(approval)}. Result: ${record.status ?? "not finished"}${record.detail === "" ? "" : `, ${escapeXml(record.detail)}`}.</p></section>`;
    })
    .join("\n");
}
