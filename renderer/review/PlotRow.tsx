import { AudioWaveform, Plus, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { ReviewSeries } from "#contract/review";
import type { PlotSpec } from "#contract/review-workspace";
import { useSettingsStore } from "../stores/context";
import { useCursor, useCursorMoves, useDesk, useDeskState, useSummary } from "./hooks";
import { Latest } from "./latest";
import css from "./Plots.module.css";
import { lineColours, PlotCanvas, type PlotLook } from "./plot-canvas";
import { isWhole, panRange, type Range, zoomRange } from "./range";
import { valueAt, valueText } from "./series";
import { timeText } from "./time";
import { inDisplay } from "./units";

interface Props {
  readonly spec: PlotSpec;
  readonly index: number;
  readonly last: boolean;
  /** New fields join this plot. */
  readonly taking: boolean;
  readonly hover_s: number | null;
  readonly onHover: (t_s: number | null) => void;
}

/** Neutral first; none of the colours that mean something. */
const line_tokens = ["--text-0", "#7aa7d9", "#c9ab7c", "#a296dc", "#7fb5a4", "#c98f9b"] as const;

function readLook(): PlotLook {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => (name.startsWith("#") ? name : style.getPropertyValue(name).trim());
  return {
    axis: token("--text-2"),
    grid: token("--bg-3"),
    lines: line_tokens.map(token),
    commanded: token("--machine"),
    caution: token("--caution"),
    warning: token("--warning"),
    font: "11px Inter, system-ui, sans-serif",
  };
}

export function PlotRow({ spec, index, last, taking, hover_s, onHover }: Props) {
  const desk = useDesk();
  const summary = useSummary();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<PlotCanvas | null>(null);
  const theme = useSettingsStore((s) => s.appearance.theme);
  const mode = useDeskState((s) => s.time_mode);
  const [width, setWidth] = useState(0);
  const units = useSettingsStore((s) => s.appearance.units);
  const raw = useSeries(spec, width);
  const series = useMemo(() => raw.map((s) => (s === null ? null : inDisplay(s, units))), [raw, units]);
  const look = useMemo(readLook, [theme]);
  const colours = lineColours(spec, look);

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const { range, playback } = desk.state.getState();
    const axis = last ? (t: number) => timeText(mode, t, summary, 1) : null;
    const created = new PlotCanvas(element, spec, look, sizeOf(element), range, axis, {
      onSeek: (to_s) => desk.send({ kind: "seek", to_s }),
      onZoom: (wanted) => desk.setRange(wanted),
      onWheel: (about_s, factor) =>
        desk.setRange(zoomRange(desk.state.getState().range, about_s, factor, playback.span)),
      onPan: (by_s) => desk.setRange(panRange(desk.state.getState().range, by_s, playback.span)),
      onReset: () => desk.showAll(),
      onHover,
    });
    canvas.current = created;
    created.setCursor(desk.state.getState().playback.cursor_s);
    created.setMark(desk.state.getState().mark_s);
    const watch = new ResizeObserver(() => {
      created.setSize(sizeOf(element));
      setWidth(Math.round(element.clientWidth));
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      created.destroy();
      canvas.current = null;
    };
  }, [desk, spec, look, last, mode, summary, onHover]);

  useEffect(() => canvas.current?.setSeries(series), [series, look, last, mode]);
  useEffect(
    () =>
      desk.state.subscribe((s, before) => {
        if (s.range !== before.range) canvas.current?.setRange(s.range);
        if (s.mark_s !== before.mark_s) canvas.current?.setMark(s.mark_s);
      }),
    [desk],
  );
  useCursorMoves((t) => canvas.current?.setCursor(t));

  return (
    <div className={css.row} data-taking={taking}>
      <div className={css.legend}>
        <div className={css.title}>
          <h3 title={spec.title}>{spec.title}</h3>
          <button
            type="button"
            aria-pressed={taking}
            aria-label={`Add fields to ${spec.title}`}
            title="Fields clicked under Topics join this plot"
            onClick={() => desk.takeFields(taking ? null : index)}
          >
            <Plus size={13} aria-hidden />
          </button>
          <button
            type="button"
            aria-label={`Remove plot ${spec.title}`}
            onClick={() => desk.removePlot(index)}
          >
            <X size={13} aria-hidden />
          </button>
        </div>
        <ul>
          {spec.lines.map((line, i) => (
            <li key={`${line.topic}.${line.field}`} title={`${line.topic}.${line.field}`}>
              <i
                data-commanded={line.role === "commanded"}
                style={{ "--line-colour": colours[i] } as React.CSSProperties}
                aria-hidden
              />
              <span className={css.name}>{line.label}</span>
              <LineValue series={series[i] ?? null} hover_s={hover_s} />
              <span className={css.acts}>
                <button
                  type="button"
                  aria-label={`Spectrum of ${line.label}`}
                  title="Spectrum of the shown stretch"
                  onClick={() => desk.showSpectrum(line)}
                >
                  <AudioWaveform size={11} aria-hidden />
                </button>
                <button
                  type="button"
                  aria-label={`Remove ${line.label} from ${spec.title}`}
                  onClick={() => desk.removeLine(index, i)}
                >
                  <X size={11} aria-hidden />
                </button>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div
        ref={host}
        className={css.chart}
        role="img"
        aria-label={`Plot of ${spec.lines.map((l) => l.label).join(", ")} over time`}
      />
    </div>
  );
}

/** The value under the pointer while it is over a plot, else at the cursor; with a mark, its difference from there. */
function LineValue({
  series,
  hover_s,
}: {
  readonly series: ReviewSeries | null;
  readonly hover_s: number | null;
}) {
  const cursor_s = useCursor(0.05);
  const mark_s = useDeskState((s) => s.mark_s);
  if (series === null) return <span className={css.value}>…</span>;
  const v = valueAt(series, hover_s ?? cursor_s);
  if (v === null) return <span className={css.value}>–</span>;
  const from = mark_s === null ? null : valueAt(series, mark_s);
  if (from !== null)
    return (
      <span className={css.value} title="difference from the mark">
        Δ {valueText((v.low + v.high - from.low - from.high) / 2)} {series.unit}
      </span>
    );
  const alike = valueText(v.low) === valueText(v.high);
  const text = alike ? valueText(v.low) : `${valueText(v.low)} … ${valueText(v.high)}`;
  return (
    <span className={css.value} title={alike ? undefined : "smallest and largest under the cursor"}>
      {text} {series.unit}
    </span>
  );
}

const sizeOf = (element: HTMLElement) => ({
  width: Math.max(60, element.clientWidth),
  height: Math.max(40, element.clientHeight),
});

/** Series of a plot at the width of the screen, asked anew when the range changes; the old ones stay until then. */
function useSeries(spec: PlotSpec, width: number): readonly (ReviewSeries | null)[] {
  const desk = useDesk();
  const [series, setSeries] = useState<readonly (ReviewSeries | null)[]>([]);
  useEffect(() => {
    if (width === 0) return;
    const points = Math.min(4000, Math.max(60, Math.round(width)));
    const latest = new Latest<Range | null, readonly (ReviewSeries | null)[]>(
      (range) => Promise.all(spec.lines.map((l) => desk.series(l.topic, l.field, range, points))),
      setSeries,
    );
    const ask = (): void => {
      const { range, playback } = desk.state.getState();
      latest.want(isWhole(range, playback.span) ? null : withMargin(range));
    };
    ask();
    const cancel = desk.state.subscribe((s, before) => {
      if (s.range !== before.range) ask();
    });
    return () => {
      cancel();
      latest.close();
    };
  }, [desk, spec, width]);
  return series;
}

/** A tenth more on both sides, so that lines run to the edges and small pans find data. */
function withMargin({ from_s, to_s }: Range): Range {
  const more_s = (to_s - from_s) * 0.1;
  return { from_s: Math.max(0, from_s - more_s), to_s: to_s + more_s };
}
