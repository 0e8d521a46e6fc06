import type { ReviewFinding, ReviewTopic } from "#contract/review";
import type { PlotLine, PlotSpec } from "#contract/review-workspace";

/** With this topic a line's field is an expression over fields in braces. */
export const expressionTopic = "=";

/** When no layout fits: the first numeric fields of the busiest topics, so that something is to be seen. */
export function firstLook(topics: readonly ReviewTopic[]): readonly PlotSpec[] {
  return [...topics]
    .sort((a, b) => b.count - a.count)
    .flatMap((t) => {
      const fields = t.fields.filter((f) => f.numeric && !/time|stamp|seq/i.test(f.path)).slice(0, 3);
      return fields.length === 0
        ? []
        : [
            plotOf(
              t.name,
              fields.map((f) => lineOf(t.name, f.path)),
            ),
          ];
    })
    .slice(0, 3);
}

/** Adds a field to the plots: to `into` where given, else as a plot of its own. */
export function withField(
  plots: readonly PlotSpec[],
  topic: string,
  field: string,
  into: number | null,
): readonly PlotSpec[] {
  const line = lineOf(topic, field);
  if (into === null) return [...plots, plotOf(`${topic}.${field}`, [line])];
  return plots.map((p, i) =>
    i !== into || p.lines.some((l) => l.topic === topic && l.field === field)
      ? p
      : { ...p, lines: [...p.lines, line] },
  );
}

/** Without a line; a plot with none left goes too. */
export function withoutLine(plots: readonly PlotSpec[], at: number, line: number): readonly PlotSpec[] {
  return plots.flatMap((p, i) => {
    if (i !== at) return [p];
    const lines = p.lines.filter((_, k) => k !== line);
    return lines.length === 0 ? [] : [{ ...p, lines }];
  });
}

/** A new plot before all others, in place of one of the same name. */
export const withPlot = (plots: readonly PlotSpec[], spec: PlotSpec): readonly PlotSpec[] => [
  spec,
  ...plots.filter((p) => p.title !== spec.title),
];

/** What a finding rests on, with the limit that was broken; null where the messages themselves are the evidence. */
export function evidencePlot(finding: ReviewFinding): PlotSpec | null {
  const { evidence } = finding;
  if (evidence === null || evidence.field === "") return null;
  return {
    ...plotOf(finding.title, [lineOf(evidence.topic, evidence.field)]),
    limits:
      evidence.limit === null
        ? []
        : [{ at: evidence.limit, tone: finding.severity === "warning" ? "warning" : "caution" }],
  };
}

export const expressionPlot = (expression: string): PlotSpec =>
  plotOf(expression, [{ topic: expressionTopic, field: expression, label: expression, role: "measured" }]);

/** What was commanded is drawn as the machine's, where the names tell. */
const lineOf = (topic: string, field: string): PlotLine => ({
  topic,
  field,
  label: field,
  role: /setpoint|target|desired|_sp$/i.test(`${topic}.${field}`) ? "commanded" : "measured",
});

const plotOf = (title: string, lines: readonly PlotLine[]): PlotSpec => ({
  title,
  lines,
  scale: null,
  limits: [],
});
