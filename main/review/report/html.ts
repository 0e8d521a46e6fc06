import type { ReviewSummary } from "#contract/review";
import type { Session } from "../session";
import { clock, explainStops } from "../summary/explain";
import { plain } from "../summary/lanes";
import { evidenceHtml, figuresHtml } from "./figures";
import { stepsHtml, stopHtml } from "./steps";
import { escapeXml, lanesSvg } from "./svg";

const EVIDENCE_SHOWN = 8;
const MESSAGES_SHOWN = 300;

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1d21;background:#fff}
h1{font-size:1.6rem;margin-bottom:.2rem}h2,h3{break-after:avoid}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #cdd2d8}h3{font-size:1rem;margin:1.2rem 0 .4rem}
h4{font-size:.78rem;text-transform:uppercase;letter-spacing:.05em;color:#556;margin:.8rem 0 .2rem}p{margin:.25rem 0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}td,th{text-align:left;padding:.2rem .7rem .2rem 0;vertical-align:top;border-bottom:1px solid #e8ebee}
th{font-weight:600;white-space:nowrap}svg{width:100%;height:auto;display:block}.warning{color:#b00020;font-weight:600}.caution{color:#8a5a00;font-weight:600}
.verified{color:#15803d;font-weight:600}.broken{color:#b00020;font-weight:600}.quiet{color:#667}figure{margin:.6rem 0;break-inside:avoid}figcaption{color:#445;font-size:.85rem}
.seen{float:right;margin:0 0 .5rem 1rem}.seen img{width:17rem;border:1px solid #ccc;display:block}section{overflow:hidden;border-bottom:1px solid #e8ebee;padding-bottom:.6rem}
.stop{break-inside:avoid;border:1px solid #d9a3a3;border-left:4px solid #b00020;padding:.2rem 1rem .8rem;margin:.8rem 0;border-radius:4px}summary{color:#445;cursor:pointer}
@page{size:A4;margin:14mm}@media print{body{margin:0;max-width:none;font-size:11px}a{color:inherit;text-decoration:none}}`;

/** One self-contained page: what happened and why, findings with their evidence, figures, every step with what the model saw, the audit. */
export function reportHtml(session: Session): string {
  const s = session.summary();
  const stops = explainStops(s, session.log.reader);
  const marks = stops.map(({ at_s }) => at_s);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeXml(s.title)}</title><style>${STYLE}</style>
<h1>${escapeXml(s.title)}</h1><p class=quiet>${escapeXml(s.path)}</p>
<table>${facts(s)
    .map(
      ([name, value, tone]) =>
        `<tr><th>${escapeXml(name)}<td${tone === undefined ? "" : ` class="${tone}"`}>${escapeXml(value)}`,
    )
    .join("")}</table>
<h2>Outcome</h2>${outcomeHtml(s, stops.length)}
${stops.map((stop) => stopHtml(session, stop)).join("\n")}
<h2>Findings</h2>${findingsHtml(session, s)}
<h2>Timeline</h2>${lanesSvg(s)}
<h2>Figures</h2>${figuresHtml(session, marks)}
${s.steps.length > 0 ? `<h2>Steps</h2>${stepsHtml(session, s)}` : ""}
<h2>Messages</h2>${messagesHtml(s)}</html>\n`;
}

function facts(s: ReviewSummary): (readonly [string, string, string?])[] {
  const joined = s.sources
    .slice(1)
    .map(
      ({ key, format, offset }) =>
        `${key} (${format}) at ${plain(offset.offset_s, 3)} s, ${offset.how}${offset.correlation === null ? "" : `, correlation ${plain(offset.correlation, 2)} of ${offset.signal}`}`,
    );
  return [
    ["Recorded", timesOf(s)],
    [
      "Duration",
      `${clock(s.duration_s)} (${s.duration_s.toFixed(1)} s)${s.takeoff_s === null ? "" : `, take-off at ${clock(s.takeoff_s)}`}`,
    ],
    ["Format", s.format],
    ...(joined.length > 0 ? [["Joined", joined.join("; ")] as const] : []),
    ["Completeness", [s.completeness.state, ...s.completeness.notes].join("; ")],
    [
      "Audit chain",
      `${s.audit.state}: ${s.audit.detail}`,
      s.audit.state === "absent" ? "quiet" : s.audit.state,
    ],
    ["Messages", `${s.message_count} in ${s.topics.length} topics`],
    ...["autopilot", "type", "version", "git", "address", "scene", "seed"].flatMap((key) => {
      const value = s.meta[key];
      return value === undefined || value === "" ? [] : [[key, value] as const];
    }),
  ];
}

/** UTC, local time with its zone, boot time: what the recording knows. */
export function timesOf(s: Pick<ReviewSummary, "start_utc_ms" | "start_boot_ms">): string {
  const boot = s.start_boot_ms === null ? "" : `; vehicle up for ${clock(s.start_boot_ms / 1000)}`;
  if (s.start_utc_ms === null) return `date unknown: the log carries no clock${boot}`;
  const start = new Date(s.start_utc_ms);
  const offset_min = -start.getTimezoneOffset();
  const two = (v: number): string => String(v).padStart(2, "0");
  const zone = `${offset_min < 0 ? "−" : "+"}${two(Math.floor(Math.abs(offset_min) / 60))}:${two(Math.abs(offset_min) % 60)}`;
  const local = `${start.getFullYear()}-${two(start.getMonth() + 1)}-${two(start.getDate())} ${two(start.getHours())}:${two(start.getMinutes())}:${two(start.getSeconds())}`;
  return `${start.toISOString().replace("T", " ").slice(0, 19)} UTC; local ${local} (UTC${zone})${boot}`;
}

function outcomeHtml(s: ReviewSummary, stops: number): string {
  const flown = s.steps.filter(({ record }) => record.started_at_ms !== null);
  const good = flown.filter(({ record }) => record.status === "success").length;
  const worst = s.findings.find(({ severity }) => severity === "warning");
  const lines = [
    s.steps.length > 0
      ? `${flown.length} of ${s.steps.length} proposed steps were flown, ${good} ended well.`
      : "This log holds no reasoning steps.",
    stops > 0
      ? `${stops} ${stops === 1 ? "step" : "steps"} stopped; each is explained below from the record.`
      : s.steps.length > 0
        ? "Nothing stopped the mission."
        : "",
    worst === undefined
      ? "No warning was found by any rule."
      : `Worst finding: ${worst.title}, ${worst.detail}, at ${clock(worst.at_s)}.`,
  ];
  return lines
    .filter((line) => line !== "")
    .map((line) => `<p>${escapeXml(line)}</p>`)
    .join("");
}

function findingsHtml(session: Session, s: ReviewSummary): string {
  if (s.findings.length === 0) return "<p>No rule found anything.</p>";
  const rows = s.findings.map(
    (f) =>
      `<tr><td>${clock(f.at_s)}<td class="${f.severity}">${f.severity}<td>${escapeXml(f.title)}<td>${escapeXml(f.detail)}<td class=quiet>${escapeXml(f.evidence === null ? "" : `${f.evidence.topic}${f.evidence.field === "" ? "" : `.${f.evidence.field}`}`)}`,
  );
  const shown = s.findings.flatMap((f) => evidenceHtml(session, f) ?? []).slice(0, EVIDENCE_SHOWN);
  return `<table><tr><th>When<th>Severity<th>Finding<th>Detail<th>Evidence${rows.join("")}</table>${shown.join("\n")}`;
}

function messagesHtml(s: ReviewSummary): string {
  if (s.messages.length === 0) return "<p>None.</p>";
  const rows = s.messages
    .slice(0, MESSAGES_SHOWN)
    .map((m) => `<tr><td>${clock(m.at_s)}<td>${escapeXml(m.severity)}<td>${escapeXml(m.text)}`);
  const more = s.messages.length - MESSAGES_SHOWN;
  return `<table>${rows.join("")}</table>${more > 0 ? `<p class=quiet>and ${more} more in the recording</p>` : ""}`;
}
