import { Sigma, ZoomOut } from "lucide-react";
import { useMemo, useState } from "react";
import "uplot/dist/uPlot.min.css";
import { Button } from "../ui/Button";
import { Empty, Panel } from "../ui/Panel";
import { ExpressionBar } from "./ExpressionBar";
import { useDesk, useDeskState } from "./hooks";
import { PlotRow } from "./PlotRow";
import css from "./Plots.module.css";
import { isWhole } from "./range";
import { Spectrum } from "./Spectrum";
import { spokenDuration } from "./time";

/** All plots on one time axis. Dragging zooms, a click moves the cursor, a double click shows everything. */
export function Plots() {
  const desk = useDesk();
  const plots = useDeskState((s) => s.plots);
  const layouts = useDeskState((s) => s.layouts);
  const layout = useDeskState((s) => s.layout);
  const range = useDeskState((s) => s.range);
  const whole = useDeskState((s) => isWhole(s.range, s.playback.span));
  const into = useDeskState((s) => s.into);
  const spectrum = useDeskState((s) => s.spectrum);
  const [writing, setWriting] = useState(false);
  const [hover_s, setHover] = useState<number | null>(null);
  const keys = useMemo(() => plots.map((p, i) => `${i}:${JSON.stringify(p)}`), [plots]);
  const facts = whole ? "whole recording" : `${spokenDuration(range.to_s - range.from_s)} shown`;
  const right = (
    <>
      <span>{facts} · true min/max</span>
      {!whole && (
        <Button size="small" onClick={() => desk.showAll()} title="Show the whole recording (0)">
          <ZoomOut size={13} aria-hidden /> All
        </Button>
      )}
      <Button
        size="small"
        aria-pressed={writing}
        title="Plot an expression over fields"
        onClick={() => setWriting(!writing)}
      >
        <Sigma size={13} aria-hidden /> Expression
      </Button>
      <label className={css.layout}>
        <span className="visually-hidden">Layout</span>
        <select value={layout ?? ""} onChange={(e) => desk.useLayout(e.target.value)}>
          {layout === null && <option value="">own plots</option>}
          {layouts.map((l) => (
            <option key={l.id} value={l.id}>
              {l.title}
            </option>
          ))}
        </select>
      </label>
    </>
  );
  return (
    <Panel title="Plots" right={right} className={css.panel}>
      {writing && <ExpressionBar onDone={() => setWriting(false)} />}
      {spectrum !== null && <Spectrum key={`${spectrum.topic}.${spectrum.field}`} line={spectrum} />}
      {plots.length === 0 ? (
        <Empty
          what="Shows any field of any topic over time."
          how="Click a field under Topics, or choose a layout."
        />
      ) : (
        <div className={css.rows}>
          {plots.map((spec, i) => (
            <PlotRow
              key={keys[i]}
              spec={spec}
              index={i}
              last={i === plots.length - 1}
              taking={into === i}
              hover_s={hover_s}
              onHover={setHover}
            />
          ))}
        </div>
      )}
    </Panel>
  );
}
