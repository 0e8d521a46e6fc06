import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useSettingsStore, useStores, useUiStore } from "../../stores/context";
import { readToken } from "../../twin/environment";
import { fixed } from "../../ui/format";
import css from "./Inspector.module.css";
import { askAfter, extendSeries, type LiveSeries, noSeries, valueRange } from "./live-series";
import { inspectorOf, type PlottedField, plotKey } from "./store";

const window_s = 30;
const period_ms = 200;
const height_px = 120;

/** One field over the last half minute, drawn as it comes. */
export function LivePlot({ plot }: { readonly plot: PlottedField }) {
  const stores = useStores();
  const store = inspectorOf(stores);
  const shown = useUiStore((ui) => ui.workspace === "setup");
  const theme = useSettingsStore((settings) => settings.appearance.theme);
  const host = useRef<HTMLDivElement>(null);
  const series = useRef<LiveSeries>(noSeries);
  const chart = useRef<uPlot | null>(null);
  const [last, setLast] = useState<number | null>(null);
  const { system_id, component_id, name, field, unit } = plot;

  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const created = new uPlot(options(element.clientWidth, series), dataOf(series.current), element);
    chart.current = created;
    const watch = new ResizeObserver(() => {
      if (element.clientWidth > 0) created.setSize({ width: element.clientWidth, height: height_px });
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      created.destroy();
      chart.current = null;
    };
  }, [theme]);

  useEffect(() => {
    if (!shown) return;
    let wanted = true;
    let busy = false;
    const ask = async (): Promise<void> => {
      if (busy) return;
      busy = true;
      const after_ms = askAfter(series.current);
      const answer = await stores.bridge
        .request("inspector.series", { system_id, component_id, name, field, after_ms })
        .catch(() => null);
      busy = false;
      if (!wanted || answer?.ok !== true) return;
      series.current = extendSeries(series.current, answer.value.at_ms, answer.value.values, window_s);
      setLast(series.current.values.at(-1) ?? null);
      chart.current?.setData(dataOf(series.current));
    };
    void ask();
    const cancel = stores.time.every(period_ms, () => void ask());
    return () => {
      wanted = false;
      cancel();
    };
  }, [stores, shown, system_id, component_id, name, field]);

  const close = (): void => {
    void stores.bridge.request("inspector.unplot", { system_id, component_id, name, field });
    store.setState(({ plots }) => ({ plots: plots.filter((one) => plotKey(one) !== plotKey(plot)) }));
  };
  const now = last === null ? "nothing yet" : `${plain(last)} ${unit}`;
  return (
    <figure className={css.plot} aria-label={`Plot of ${name}.${field}, now ${now}`}>
      <figcaption>
        <b>
          {name}.{field}
        </b>
        <span>{now}</span>
        <button type="button" aria-label={`Close the plot of ${field}`} onClick={close}>
          <X size={14} aria-hidden />
        </button>
      </figcaption>
      <div ref={host} className={css.chart} />
    </figure>
  );
}

const plain = (value: number): string =>
  Math.abs(value) >= 1000 ? fixed(value, 0) : fixed(value, Math.abs(value) >= 10 ? 2 : 4);

const dataOf = ({ at_s, values }: LiveSeries): uPlot.AlignedData => [[...at_s], [...values]];

function options(width: number, series: { readonly current: LiveSeries }): uPlot.Options {
  const token = (name: string): string => readToken(name).trim();
  const axis = {
    stroke: token("--text-2"),
    grid: { stroke: token("--line"), width: 1 },
    ticks: { show: false },
    font: `11px ${token("--font")}`,
  };
  return {
    width: Math.max(1, width),
    height: height_px,
    padding: [6, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: {
        time: false,
        range: () => {
          const end_s = series.current.at_s.at(-1) ?? window_s;
          return [end_s - window_s, end_s];
        },
      },
      y: { range: () => [...valueRange(series.current.values)] as [number, number] },
    },
    axes: [
      {
        ...axis,
        size: 22,
        splits: () => {
          const end_s = series.current.at_s.at(-1) ?? window_s;
          return [25, 20, 15, 10, 5].map((ago_s) => end_s - ago_s);
        },
        values: (_plot, splits) => {
          const end_s = series.current.at_s.at(-1) ?? 0;
          return splits.map((s) => `−${Math.round(end_s - s)} s`);
        },
      },
      {
        ...axis,
        size: 54,
        values: (_plot, splits) => splits.map((value) => String(Number(value.toPrecision(4)))),
      },
    ],
    series: [{}, { stroke: token("--text-0"), width: 1.5, points: { show: false } }],
  };
}
