import type { PlotLayout, PlotLine, PlotSpec } from "#contract/review-workspace";

/** A line as layouts name it: topic (or "=" and an expression), field, label, and "commanded" for what was asked for. */
export type Wanted = readonly [topic: string, field: string, label: string, role?: "commanded"];

export const plot = (
  title: string,
  wanted: readonly Wanted[],
  more: Partial<Pick<PlotSpec, "scale" | "limits">> = {},
): PlotSpec => ({
  title,
  lines: wanted.map(
    ([topic, field, label, role]): PlotLine => ({
      topic,
      field,
      label,
      role: role ?? "measured",
    }),
  ),
  scale: null,
  limits: [],
  ...more,
});

export const layout = (id: string, title: string, plots: readonly PlotSpec[]): PlotLayout => ({
  id,
  title,
  plots,
});

export const caution = (at: number): PlotSpec["limits"][number] => ({ at, tone: "caution" });
export const warning = (at: number): PlotSpec["limits"][number] => ({ at, tone: "warning" });

/** Measured minus wanted, in degrees on the shorter way round. */
export const angleError = (measured: string, wanted: string): string =>
  `wrap_deg({${measured}} - {${wanted}})`;
