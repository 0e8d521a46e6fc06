import uPlot from "uplot";
import type { ReviewSeries } from "#contract/review";
import type { PlotSpec } from "#contract/review-workspace";
import type { Range } from "./range";
import { extremes, linePoints, padded, tickText } from "./series";

export interface PlotLook {
  readonly axis: string;
  readonly grid: string;
  readonly lines: readonly string[];
  readonly commanded: string;
  readonly caution: string;
  readonly warning: string;
  readonly font: string;
}

export interface PlotActs {
  readonly onSeek: (t_s: number) => void;
  readonly onZoom: (range: Range) => void;
  readonly onWheel: (about_s: number, factor: number) => void;
  readonly onPan: (by_s: number) => void;
  readonly onReset: () => void;
  /** Null when the pointer left. */
  readonly onHover: (t_s: number | null) => void;
}

const sync_key = "kingfisher.review";
const axis_px = 46;

/** Line colours in order; what was commanded always wears the machine's colour. */
export function lineColours(spec: PlotSpec, look: PlotLook): readonly string[] {
  let next = 0;
  return spec.lines.map((line) => {
    if (line.role === "commanded") return look.commanded;
    next += 1;
    return look.lines[(next - 1) % look.lines.length] ?? look.axis;
  });
}

/** One uPlot chart: min/max-true lines, a playhead, zoom by dragging, wheel and double click. */
export class PlotCanvas {
  readonly #plot: uPlot;
  readonly #playhead: HTMLDivElement;
  readonly #mark: HTMLDivElement;
  readonly #spec: PlotSpec;
  readonly #abort = new AbortController();
  #series: readonly (ReviewSeries | null)[] = [];
  #range: Range;
  #cursor_s = 0;
  #mark_s: number | null = null;

  constructor(
    host: HTMLElement,
    spec: PlotSpec,
    look: PlotLook,
    size: { width: number; height: number },
    range: Range,
    time_axis: ((t_s: number) => string) | null,
    acts: PlotActs,
  ) {
    this.#spec = spec;
    this.#range = range;
    const colours = lineColours(spec, look);
    const axis = {
      stroke: look.axis,
      grid: { stroke: look.grid, width: 1 },
      ticks: { show: false },
      font: look.font,
    };
    this.#plot = new uPlot(
      {
        ...size,
        padding: [8, 10, time_axis === null ? 4 : 0, 0],
        legend: { show: false },
        cursor: {
          sync: { key: sync_key, scales: ["x", null] },
          drag: { x: true, y: false, setScale: false },
          points: { size: 6 },
          y: false,
        },
        scales: {
          x: { time: false, range: () => [this.#range.from_s, this.#range.to_s] },
          y: { range: () => [...this.#heights()] as [number, number] },
        },
        axes: [
          time_axis === null
            ? { ...axis, size: 0, values: () => [] }
            : { ...axis, size: 22, space: 90, values: (_, splits) => splits.map(time_axis) },
          { ...axis, size: axis_px, space: 22, values: (_, splits) => splits.map(tickText) },
        ],
        series: [
          {},
          ...spec.lines.map((line, i) => ({
            stroke: colours[i] ?? look.axis,
            width: line.role === "commanded" ? 1.2 : 1.4,
            points: { show: false },
            ...(line.role === "commanded" ? { dash: [5, 3] } : {}),
          })),
        ],
        hooks: {
          draw: [(u) => this.#drawLimits(u, look)],
          setSelect: [(u) => this.#selected(u, acts)],
          setCursor: [
            (u) =>
              acts.onHover(
                u.cursor.left === undefined || u.cursor.left < 0 ? null : u.posToVal(u.cursor.left, "x"),
              ),
          ],
        },
      },
      this.#aligned(),
      host,
    );
    this.#playhead = host.ownerDocument.createElement("div");
    this.#playhead.dataset["playhead"] = "";
    this.#mark = host.ownerDocument.createElement("div");
    this.#mark.dataset["mark"] = "";
    this.#plot.over.append(this.#mark, this.#playhead);
    this.#listen(acts);
  }

  setSize(size: { width: number; height: number }): void {
    this.#plot.setSize(size);
    this.setCursor(this.#cursor_s);
  }

  setSeries(series: readonly (ReviewSeries | null)[]): void {
    this.#series = series;
    this.#plot.setData(this.#aligned(), true);
    this.setCursor(this.#cursor_s);
  }

  setRange(range: Range): void {
    this.#range = range;
    this.#plot.setData(this.#plot.data, true);
    this.setCursor(this.#cursor_s);
  }

  setCursor(cursor_s: number): void {
    this.#cursor_s = cursor_s;
    this.#place(this.#playhead, cursor_s);
    this.#place(this.#mark, this.#mark_s);
  }

  /** The other end of a measurement; null for none. */
  setMark(mark_s: number | null): void {
    this.#mark_s = mark_s;
    this.#place(this.#mark, mark_s);
  }

  #place(line: HTMLElement, t_s: number | null): void {
    const left = t_s === null ? -2 : this.#plot.valToPos(t_s, "x");
    const inside = left >= -1 && left <= this.#plot.over.clientWidth + 1;
    line.style.display = inside ? "block" : "none";
    line.style.transform = `translateX(${left.toFixed(1)}px)`;
  }

  destroy(): void {
    this.#abort.abort();
    this.#plot.destroy();
  }

  #aligned(): uPlot.AlignedData {
    const tables = this.#spec.lines.map((_, i): uPlot.AlignedData => {
      const series = this.#series[i] ?? null;
      if (series === null || series.t_s.length === 0) return [[this.#range.from_s], [null]];
      const points = linePoints(series);
      return [[...points.t_s], [...points.value]];
    });
    return uPlot.join(tables);
  }

  #heights(): readonly [number, number] {
    if (this.#spec.scale !== null) return this.#spec.scale;
    const held = this.#series.filter((s) => s !== null);
    return padded(extremes(held, this.#range.from_s, this.#range.to_s) ?? [0, 1]);
  }

  #selected(u: uPlot, acts: PlotActs): void {
    const { left, width } = u.select;
    if (width < 6) return;
    acts.onZoom({ from_s: u.posToVal(left, "x"), to_s: u.posToVal(left + width, "x") });
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  }

  #drawLimits(u: uPlot, look: PlotLook): void {
    const { ctx, bbox } = u;
    for (const limit of this.#spec.limits) {
      const y = u.valToPos(limit.at, "y", true);
      ctx.save();
      ctx.strokeStyle = limit.tone === "warning" ? look.warning : look.caution;
      ctx.lineWidth = devicePixelRatio;
      ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.restore();
    }
  }

  #listen(acts: PlotActs): void {
    const over = this.#plot.over;
    const { signal } = this.#abort;
    let down_x: number | null = null;
    const at = (e: MouseEvent): number =>
      this.#plot.posToVal(e.clientX - over.getBoundingClientRect().left, "x");
    over.addEventListener("mousedown", (e) => (down_x = e.button === 0 ? e.clientX : null), { signal });
    over.addEventListener(
      "click",
      (e) => {
        if (down_x !== null && Math.abs(e.clientX - down_x) < 6) acts.onSeek(at(e));
        down_x = null;
      },
      { signal },
    );
    over.addEventListener("dblclick", () => acts.onReset(), { signal });
    over.addEventListener(
      "wheel",
      (e) => {
        // A plain wheel scrolls the list of plots.
        if (!e.ctrlKey && !e.shiftKey && !e.metaKey) return;
        e.preventDefault();
        const span_s = this.#range.to_s - this.#range.from_s;
        const turn = e.deltaY === 0 ? e.deltaX : e.deltaY;
        if (e.shiftKey) acts.onPan((turn / 1000) * span_s);
        else acts.onWheel(at(e), Math.exp(turn / 400));
      },
      { signal, passive: false },
    );
  }
}
