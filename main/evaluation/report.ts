import type {
  EvaluationFigure,
  EvaluationRow,
  EvaluationTable,
  PublishedFigure,
  TrialResult,
} from "#contract/evaluation";
import { figureText } from "./table";

export interface ReportParts {
  readonly title: string;
  readonly about: string;
  readonly table: EvaluationTable;
  readonly results: readonly TrialResult[];
  readonly published: readonly PublishedFigure[];
  /** The command line that makes the same run again. */
  readonly command: string;
  readonly version: string;
  /** From the report's folder to the run's, for the links to the recordings; without a slash at its end. */
  readonly toRun: string;
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** One file without anything from outside: styles inside, intervals as inline SVG, links only to the recordings beside it. */
export function reportHtml(parts: ReportParts): string {
  const { table, title, about } = parts;
  const recordings = new Map(parts.results.map((r) => [r.trial, r.recording]));
  const link = (trial: number): string => {
    const recording = recordings.get(trial) ?? null;
    const text = `trial ${String(trial)}`;
    return recording === null
      ? text
      : `<a href="${escape(encodeURI(`${parts.toRun}/${recording}/`))}">${text}</a>`;
  };
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(title)}: evaluation</title><style>${style}</style></head><body><main>
<h1>${escape(title)}</h1>
<p>${escape(about)}</p>
<dl>
<dt>Policy</dt><dd>${escape(table.policy)}</dd><dt>Seed</dt><dd>${String(table.seed)}</dd>
<dt>Trials</dt><dd>${String(table.done)} of ${String(table.trials)}</dd>
<dt>Version</dt><dd>${escape(parts.version)}</dd><dt>Command</dt><dd><code>${escape(parts.command)}</code></dd>
</dl>
<h2>Figures</h2>
<p class="note">Intervals are 95 %: Wilson for shares, bootstrap of trials for medians and quantiles, exact Poisson for rates.</p>
<div class="wide"><table><thead><tr><th scope="col">Variant</th><th scope="col">Trials</th>${table.overall.figures
    .map((f) => `<th scope="col">${escape(f.label)}</th>`)
    .join("")}</tr></thead>
<tbody>${table.rows.map((row) => tableRow(row, table, "")).join("\n")}
${tableRow(table.overall, table, ' class="all"')}</tbody></table></div>
${publishedSection(parts)}
<h2>Failures by cause</h2>
${
  table.failures.length === 0
    ? "<p>No trial failed.</p>"
    : table.failures
        .map(
          (f) =>
            `<details open><summary><b>${String(f.trials.length)}</b> ${escape(f.cause)}</summary><ul>${f.trials
              .map((t) => `<li>${link(t.trial)}, ${escape(t.variant)}: ${escape(t.detail)}</li>`)
              .join("")}</ul></details>`,
        )
        .join("\n")
}
<h2>Trials</h2>
<div class="wide"><table><thead><tr><th scope="col">Trial</th><th scope="col">Result</th><th scope="col">Variant</th><th scope="col">Place</th><th scope="col">Mission</th><th scope="col">Conditions</th></tr></thead>
<tbody>${parts.results.map((r) => trialRow(r, link(r.trial))).join("\n")}</tbody></table></div>
</main></body></html>
`;
}

const tableRow = (row: EvaluationRow, table: EvaluationTable, attribute: string): string =>
  `<tr${attribute}><th scope="row">${escape(row.variant)}</th><td>${String(row.trials)}</td>${row.figures
    .map((f, k) => `<td>${escape(figureText(f))}${bar(f, scaleOf(table, k))}</td>`)
    .join("")}</tr>`;

/** Shares are drawn on 0 to 1; numbers from 0 to the greatest end of any interval in their column. */
function scaleOf(table: EvaluationTable, column: number): number {
  const figures = [...table.rows, table.overall].flatMap((row) => row.figures[column] ?? []);
  if (figures.every((f) => f.kind === "share")) return 1;
  return Math.max(...figures.map((f) => Math.max(f.high ?? 0, f.value ?? 0)), 1e-9);
}

function bar({ value, low, high }: EvaluationFigure, scale: number): string {
  if (value === null || low === null || high === null) return "";
  const x = (v: number): string => ((Math.max(0, v) / scale) * 100).toFixed(1);
  const width = (((high - Math.max(0, low)) / scale) * 100).toFixed(1);
  return `<svg viewBox="-1 0 102 8" aria-hidden="true"><rect x="0" y="3.5" width="100" height="1" class="axis"/><rect x="${x(low)}" y="2.5" width="${width}" height="3" class="range"/><circle cx="${x(value)}" cy="4" r="2.4" class="value"/></svg>`;
}

const trialRow = (r: TrialResult, link: string): string =>
  `<tr><th scope="row">${link}</th><td>${r.passed ? "passed" : "<b>failed</b>"}</td><td>${escape(r.variant)}</td><td>${escape(r.scene)} ${String(r.scene_seed)}</td><td>${escape(r.command)}</td><td>${
    r.predicates.length === 0
      ? escape(r.why)
      : r.predicates
          .map(
            (p) =>
              `<div${p.passed ? "" : ' class="broken"'}>${p.passed ? "✓" : "✗"} ${escape(p.id)}: ${escape(p.detail)}</div>`,
          )
          .join("")
  }</td></tr>`;

function publishedSection({ published, table }: ReportParts): string {
  if (published.length === 0) return "";
  const ours = (key: string): string => {
    const figure = table.overall.figures.find((f) => f.key === key);
    return figure === undefined ? "-" : figureText(figure);
  };
  return `<h2>Beside published figures</h2><div class="wide"><table><thead><tr><th scope="col">Figure</th><th scope="col">Published</th><th scope="col">Here</th><th scope="col">Source</th></tr></thead><tbody>${published
    .map(
      (p) =>
        `<tr><th scope="row">${escape(p.label)}</th><td>${String(p.value)} ${escape(p.unit)}</td><td>${escape(ours(p.key))}</td><td>${escape(p.source)}</td></tr>`,
    )
    .join("")}</tbody></table></div>`;
}

const style = `
:root{color-scheme:light dark;--fg:#16191d;--dim:#59616b;--bg:#fff;--line:#d5d9de;--mark:#0b6f8f;--warn:#a3261c}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ec;--dim:#9aa3ad;--bg:#14171a;--line:#343a41;--mark:#57c4e5;--warn:#ff8a7d}}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
main{max-width:1200px;margin:0 auto;padding:24px}
h1{font-size:28px;margin:0 0 4px}h2{font-size:20px;margin:32px 0 8px}
dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 16px;margin:16px 0}dt,.note{color:var(--dim)}dd{margin:0}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13px}
th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid var(--line)}
th[scope=row]{font-weight:600;white-space:nowrap}tr.all>*{border-top:2px solid var(--fg)}
svg{display:block;width:120px;height:10px;margin-top:2px}.axis{fill:var(--line)}.range{fill:var(--mark);opacity:.5}.value{fill:var(--mark)}
summary{cursor:pointer}.broken,b{color:var(--warn)}a{color:var(--mark)}code{font-size:13px}
`;
