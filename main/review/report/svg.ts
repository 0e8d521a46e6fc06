import type { ReviewSeries, ReviewSummary } from "#contract/review";

export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const WIDTH = 900;
const LEFT = 64;
const RIGHT = 12;
const INK = "#1a1d21";
const QUIET = "#6b7480";
const COLOURS = ["#1f4e79", "#0f766e", "#7c3aed", "#b45309"];
const COMMANDED = "#b5179e";
export const TONES: Readonly<Record<string, string>> = {
  neutral: "#9aa3ad",
  machine: COMMANDED,
  intent: "#0891b2",
  go: "#15803d",
  caution: "#d97706",
  warning: "#b00020",
};

export interface FigureLine {
  readonly label: string;
  readonly series: ReviewSeries;
  readonly commanded: boolean;
}

export interface Figure {
  readonly title: string;
  readonly lines: readonly FigureLine[];
  readonly limit: number | null;
  /** A stretch to point at. */
  readonly shade: { readonly from_s: number; readonly to_s: number } | null;
  /** Moments to mark. */
  readonly marks: readonly number[];
}

/** Round steps for an axis. */
function ticks(low: number, high: number, about: number): number[] {
  const raw = (high - low) / about;
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
  const out: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-6; v += step)
    out.push(Number(v.toPrecision(12)));
  return out;
}

const px = (value: number): string => value.toFixed(1);
const label = (value: number): string => String(Number(value.toPrecision(4)));
const minutes = (t: number): string => {
  const sign = t < 0 ? "−" : "";
  const s = Math.abs(t);
  const rest = Number((s % 60).toFixed(2));
  return s < 60 ? `${sign}${label(s)}` : `${sign}${Math.floor(s / 60)}:${String(rest).padStart(2, "0")}`;
};

/** One plot with axes: minimum and maximum of every stretch as one filled outline, so that no extreme is lost. Null when empty. */
export function figureSvg({ title, lines, limit, shade, marks }: Figure): string | null {
  const height = 170;
  const [top, bottom] = [10, height - 24];
  let [low, high] = [Infinity, -Infinity];
  let [from_s, to_s] = [Infinity, -Infinity];
  for (const { series } of lines) {
    for (const v of [...series.min, ...series.max]) {
      if (v === null) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    from_s = Math.min(from_s, series.t_s[0] ?? Infinity);
    to_s = Math.max(to_s, series.t_s.at(-1) ?? -Infinity);
  }
  if (!(high >= low) || !(to_s > from_s)) return null;
  if (limit !== null) [low, high] = [Math.min(low, limit), Math.max(high, limit)];
  const room = high > low ? (high - low) * 0.06 : Math.max(Math.abs(high) * 0.1, 0.5);
  [low, high] = [low - room, high + room];
  const x = (t: number): number => LEFT + ((t - from_s) / (to_s - from_s)) * (WIDTH - LEFT - RIGHT);
  const y = (v: number): number => bottom - ((v - low) / (high - low)) * (bottom - top);
  const parts: string[] = [];
  if (shade !== null) {
    const [a, b] = [Math.max(from_s, shade.from_s), Math.min(to_s, shade.to_s)];
    if (b >= a)
      parts.push(
        `<rect x="${px(x(a))}" y="${top}" width="${px(Math.max(2, x(b) - x(a)))}" height="${bottom - top}" fill="#d97706" opacity=".14"/>`,
      );
  }
  for (const v of ticks(low, high, 4))
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${px(y(v))}" y2="${px(y(v))}" stroke="#e4e7ea"/><text x="${LEFT - 6}" y="${px(y(v) + 4)}" text-anchor="end" fill="${QUIET}">${label(v)}</text>`,
    );
  for (const t of ticks(from_s, to_s, 9))
    parts.push(
      `<text x="${px(x(t))}" y="${height - 8}" text-anchor="middle" fill="${QUIET}">${minutes(t)}</text>`,
    );
  if (limit !== null)
    parts.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${px(y(limit))}" y2="${px(y(limit))}" stroke="#b00020" stroke-dasharray="5 4"/>`,
    );
  for (const at_s of marks)
    if (at_s >= from_s && at_s <= to_s)
      parts.push(
        `<line x1="${px(x(at_s))}" x2="${px(x(at_s))}" y1="${top}" y2="${bottom}" stroke="#b00020"/>`,
      );
  lines.forEach(({ series, commanded }, n) => {
    const edge = (list: readonly (number | null)[]): string[] =>
      list.flatMap((v, i) => (v === null ? [] : [`${px(x(series.t_s[i] ?? 0))},${px(y(v))}`]));
    const colour = commanded ? COMMANDED : (COLOURS[n % COLOURS.length] ?? INK);
    const dashed = commanded ? ' stroke-dasharray="6 3"' : "";
    const same = series.min.every((v, i) => v === series.max[i]);
    const points = same ? edge(series.max) : [...edge(series.max), ...edge(series.min).reverse()];
    parts.push(
      `<${same ? "polyline" : "polygon"} points="${points.join(" ")}" fill="${same ? "none" : colour}" fill-opacity=".25" stroke="${colour}" stroke-width="1.4" stroke-linejoin="round"${dashed}/>`,
    );
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui,sans-serif" font-size="11" role="img" aria-label="${escapeXml(title)}">${parts.join("")}</svg>`;
}

export const lineColour = (line: FigureLine, n: number): string =>
  line.commanded ? COMMANDED : (COLOURS[n % COLOURS.length] ?? INK);

/** Lanes of states and marks over the whole time. */
export function lanesSvg(s: ReviewSummary): string {
  const lanes = s.lanes.filter(({ spans, marks }) => spans.length + marks.length > 0);
  const { from_s, to_s } = s.span;
  const left = 150;
  const x = (t: number): number =>
    left + ((t - from_s) / Math.max(to_s - from_s, 1e-9)) * (WIDTH - left - RIGHT);
  const rows = lanes.map((lane, row) => {
    const y = 6 + row * 26;
    const bars = lane.spans.map((span) => {
      const width = Math.max(1, x(span.to_s) - x(span.from_s));
      const fits = width > 7 * span.label.length;
      const text = fits
        ? `<text x="${px(x(span.from_s) + 4)}" y="${y + 14}" fill="#fff">${escapeXml(span.label)}</text>`
        : "";
      return `<rect x="${px(x(span.from_s))}" y="${y}" width="${px(width)}" height="20" rx="2" fill="${TONES[span.tone] ?? ""}"><title>${escapeXml(span.label)}</title></rect>${text}`;
    });
    const marks = lane.marks.map(
      (m) =>
        `<rect x="${px(x(m.at_s))}" y="${y}" width="3" height="20" fill="${TONES[m.tone] ?? ""}"><title>${escapeXml(m.label)}</title></rect>`,
    );
    return `<text x="0" y="${y + 14}" fill="${INK}">${escapeXml(lane.label)}</text>${bars.join("")}${marks.join("")}`;
  });
  const height = 30 + lanes.length * 26;
  const axis = ticks(from_s, to_s, 9).map(
    (t) =>
      `<text x="${px(x(t))}" y="${height - 6}" text-anchor="middle" fill="${QUIET}">${minutes(t)}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui,sans-serif" font-size="11" role="img" aria-label="what happened when">${rows.join("")}${axis.join("")}</svg>`;
}
