import { X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import type { ReviewSpectrum } from "#contract/review";
import type { PlotLine } from "#contract/review-workspace";
import { Button } from "../ui/Button";
import { useDesk, useDeskState } from "./hooks";
import css from "./Plots.module.css";
import { isWhole } from "./range";
import { tickText, valueText } from "./series";

type Shown = { readonly spectrum: ReviewSpectrum } | { readonly reason: string } | null;

/** Amplitudes of one field over the shown stretch, by frequency; its strongest peaks in numbers. */
export function Spectrum({ line }: { readonly line: PlotLine }) {
  const desk = useDesk();
  const range = useDeskState((s) => s.range);
  const span = useDeskState((s) => s.playback.span);
  const [shown, setShown] = useState<Shown>(null);
  const settled = useSettled(range);
  useEffect(() => {
    let alive = true;
    const { summary } = desk;
    if (summary === null) return;
    const whole = isWhole(settled, span);
    void desk
      .ask("review.spectrum", {
        id: summary.id,
        topic: line.topic,
        field: line.field,
        from_s: whole ? null : settled.from_s,
        to_s: whole ? null : settled.to_s,
        window: "hann",
      })
      .then((answer) => {
        if (alive) setShown(answer.ok ? { spectrum: answer.value } : { reason: answer.reason });
      });
    return () => {
      alive = false;
    };
  }, [desk, line, settled, span]);
  return (
    <section className={css.spectrum} aria-label={`Spectrum of ${line.label}`}>
      <div className={css.legend}>
        <div className={css.title}>
          <h3>Spectrum · {line.label}</h3>
          <Button size="small" aria-label="Close the spectrum" onClick={() => desk.showSpectrum(null)}>
            <X size={12} aria-hidden />
          </Button>
        </div>
        {shown === null && <p>Reading …</p>}
        {shown !== null && "reason" in shown && <p role="alert">{shown.reason}</p>}
        {shown !== null && "spectrum" in shown && <Peaks spectrum={shown.spectrum} />}
      </div>
      {shown !== null && "spectrum" in shown ? <Chart spectrum={shown.spectrum} /> : <div />}
    </section>
  );
}

function Peaks({ spectrum }: { readonly spectrum: ReviewSpectrum }) {
  return (
    <>
      <ul>
        {spectrum.peaks.map((p) => (
          <li key={p.frequency_hz}>
            <span className={css.name}>{valueText(p.frequency_hz)} Hz</span>
            <span className={css.value}>
              {valueText(p.amplitude)} {spectrum.unit}
            </span>
          </li>
        ))}
        {spectrum.peaks.length === 0 && <li>no peak stands out</li>}
      </ul>
      <p>
        {valueText(spectrum.sample_rate_hz)} Hz sampled, {valueText(spectrum.resolution_hz)} Hz resolution
      </p>
    </>
  );
}

function Chart({ spectrum }: { readonly spectrum: ReviewSpectrum }) {
  const host = useRef<HTMLDivElement>(null);
  const data = useMemo(
    (): uPlot.AlignedData => [[...spectrum.frequency_hz], [...spectrum.amplitude]],
    [spectrum],
  );
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const style = getComputedStyle(document.documentElement);
    const token = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: token("--text-2"),
      grid: { stroke: token("--bg-3"), width: 1 },
      ticks: { show: false },
      font: "11px Inter, system-ui, sans-serif",
    };
    const sizeOf = () => ({
      width: Math.max(60, element.clientWidth),
      height: Math.max(40, element.clientHeight),
    });
    const plot = new uPlot(
      {
        ...sizeOf(),
        padding: [8, 10, 0, 0],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, y: false },
        scales: { x: { time: false } },
        axes: [
          { ...axis, size: 22, values: (_, at) => at.map((hz) => `${tickText(hz)} Hz`) },
          { ...axis, size: 46, values: (_, at) => at.map(tickText) },
        ],
        series: [{}, { stroke: token("--text-0"), width: 1.4, points: { show: false } }],
      },
      data,
      element,
    );
    const watch = new ResizeObserver(() => plot.setSize(sizeOf()));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [data]);
  return <div ref={host} className={css.chart} role="img" aria-label="Amplitude by frequency" />;
}

/** The range once it has stood still for a moment: zooming does not ask for a spectrum at every step. */
function useSettled<T>(value: T): T {
  const desk = useDesk();
  const [settled, setSettled] = useState(value);
  useEffect(() => desk.stores.time.after(250, () => setSettled(value)), [desk, value]);
  return settled;
}
