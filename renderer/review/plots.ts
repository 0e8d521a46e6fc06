import type { ReviewTopic } from "#contract/review";

/** One line of a plot. `role` decides its look: what was commanded is the machine's colour and dashed. */
export interface Line {
  readonly topic: string;
  readonly field: string;
  readonly label: string;
  readonly role: "measured" | "commanded";
}

export interface PlotSpec {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Fixed scale, for scores and shares. */
  readonly scale: readonly [number, number] | null;
  /** Thresholds drawn across. */
  readonly limits: readonly { readonly at: number; readonly tone: "caution" | "warning" }[];
}

export interface Layout {
  readonly id: string;
  readonly title: string;
  readonly plots: readonly PlotSpec[];
}

/** A line as layouts name it: topic, field, label, and "commanded" for what the machine was asked to do. */
export type Wanted = readonly [topic: string, field: string, label: string, role?: "commanded"];

export const plot = (
  title: string,
  wanted: readonly Wanted[],
  more: Partial<Pick<PlotSpec, "scale" | "limits">> = {},
): PlotSpec => ({
  title,
  lines: wanted.map(([topic, field, label, role]) => ({ topic, field, label, role: role ?? "measured" })),
  scale: null,
  limits: [],
  ...more,
});

/** A field of a recording, with its spelling there: instances are written `name#1`, `name[1]` or plain. */
function present(line: Line, topics: readonly ReviewTopic[]): Line | null {
  const topic =
    topics.find((t) => t.name === line.topic) ?? topics.find((t) => isFirstOf(t.name, line.topic));
  if (topic === undefined || topic.count === 0) return null;
  return topic.fields.some((f) => f.numeric && f.path === line.field) ? { ...line, topic: topic.name } : null;
}

const isFirstOf = (name: string, wanted: string): boolean =>
  /^[#@[ .]0\]?$/.test(name.replace(wanted, "")) && name.startsWith(wanted);

/** The layouts a recording can fill, without what it does not hold. */
export function fillable(layouts: readonly Layout[], topics: readonly ReviewTopic[]): readonly Layout[] {
  return layouts.flatMap((layout) => {
    const plots = layout.plots.flatMap((p) => {
      const lines = p.lines.map((l) => present(l, topics)).filter((l) => l !== null);
      return lines.length === 0 ? [] : [{ ...p, lines }];
    });
    return plots.length === 0 ? [] : [{ ...layout, plots }];
  });
}

/** When no layout fits: the first numeric fields of the busiest topics, so that something is to be seen. */
export function firstLook(topics: readonly ReviewTopic[]): readonly PlotSpec[] {
  return [...topics]
    .sort((a, b) => b.count - a.count)
    .flatMap((t) => {
      const fields = t.fields.filter((f) => f.numeric && !/time|stamp|seq/i.test(f.path)).slice(0, 3);
      return fields.length === 0
        ? []
        : [
            plot(
              t.name,
              fields.map((f) => [t.name, f.path, f.path] as const),
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
  const line: Line = {
    topic,
    field,
    label: field,
    role: /setpoint|target|desired|_sp$/i.test(`${topic}.${field}`) ? "commanded" : "measured",
  };
  if (into === null)
    return [...plots, { title: `${topic}.${field}`, lines: [line], scale: null, limits: [] }];
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
