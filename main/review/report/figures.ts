import type { ReviewEvidence, ReviewFinding } from "#contract/review";
import type { PlotLayout, PlotSpec } from "#contract/review-workspace";
import { offeredLayouts } from "../layouts/offered";
import type { Session } from "../session";
import { escapeXml, type FigureLine, figureSvg, lineColour } from "./svg";

const POINTS = 700;
const PLOTS = 12;
/** What a reader looks at first, by layout. */
const CHOSEN = [
  "mission",
  "mission-motion",
  "mission-safety",
  "attitude",
  "position",
  "vibration",
  "battery",
  "actuators",
];

/** The usual figures of a log: of its own layouts, the most telling plots. */
export function figuresHtml(session: Session, marks: readonly number[]): string {
  const layouts = offeredLayouts(session.summary().topics, [], []);
  const wanted = CHOSEN.flatMap((name) => layouts.filter((l) => matches(l, name)));
  const seen = new Set<string>();
  const plots = wanted.flatMap(({ title, plots: all }) => all.map((plot) => ({ layout: title, plot })));
  const out: string[] = [];
  for (const { layout, plot } of plots) {
    const key = plot.lines.map(({ topic, field }) => `${topic}.${field}`).join();
    if (seen.has(key) || out.length >= PLOTS) continue;
    seen.add(key);
    const html = plotHtml(session, `${layout}: ${plot.title}`, plot, marks);
    if (html !== null) out.push(html);
  }
  return out.length > 0 ? out.join("\n") : "<p>This log carries none of the usual signals.</p>";
}

const matches = (layout: PlotLayout, name: string): boolean =>
  layout.id === name || layout.id.endsWith(`-${name}`);

function plotHtml(session: Session, title: string, plot: PlotSpec, marks: readonly number[]): string | null {
  const lines = plot.lines.flatMap(({ topic, field, label, role }): FigureLine[] => {
    const series = session.series(topic, field, null, null, POINTS);
    return series && series.t_s.length > 1 ? [{ label, series, commanded: role === "commanded" }] : [];
  });
  if (lines.length === 0) return null;
  const limit = plot.limits.at(-1)?.at ?? null;
  const reached =
    limit !== null && lines.some(({ series }) => near(series.min, limit) || near(series.max, limit));
  return drawn(title, lines, reached ? limit : null, null, marks);
}

/** A limit far above everything would flatten the lines it is meant for. */
const near = (values: readonly (number | null)[], limit: number): boolean =>
  values.some((v) => v !== null && Math.abs(v) >= Math.abs(limit) * 0.3);

/** The field a finding rests on, over its time. */
export function evidenceHtml(session: Session, finding: ReviewFinding): string | null {
  const { evidence } = finding;
  if (evidence === null || evidence.field === "" || finding.severity === "advisory") return null;
  const room_s = Math.max(4, (evidence.to_s - evidence.from_s) * 0.5);
  const series = session.series(
    evidence.topic,
    evidence.field,
    evidence.from_s - room_s,
    evidence.to_s + room_s,
    POINTS,
  );
  if (!series || series.t_s.length < 2) return null;
  const line = { label: evidence.field, series, commanded: false };
  return drawn(`${finding.title}: ${evidenceName(evidence)}`, [line], evidence.limit, evidence, [
    finding.at_s,
  ]);
}

const evidenceName = ({ topic, field }: ReviewEvidence): string => `${topic}.${field}`;

function drawn(
  title: string,
  lines: readonly FigureLine[],
  limit: number | null,
  shade: { from_s: number; to_s: number } | null,
  marks: readonly number[],
): string | null {
  const svg = figureSvg({ title, lines, limit, shade, marks });
  if (svg === null) return null;
  const [first] = lines;
  const unit = first?.series.unit ?? "";
  const keys = lines.map(
    (line, n) => `<span style="color:${lineColour(line, n)}">■</span> ${escapeXml(line.label)}`,
  );
  return `<figure><figcaption><b>${escapeXml(title)}</b>${unit === "" ? "" : ` (${escapeXml(unit)})`} ${keys.join(" ")}${limit === null ? "" : ` · limit ${limit}`}</figcaption>${svg}</figure>`;
}
