import { CartesianGrid, ResponsiveContainer, Scatter, ScatterChart, Tooltip, XAxis, YAxis } from "recharts";
import { openAny } from "../files";
import { useDesk } from "../hooks";
import { tickText, valueText } from "../series";
import { dateText } from "../time";
import css from "./Archive.module.css";
import { useArchive, useArchiveState } from "./hooks";

/** One figure of every flight found, over the days they were flown. */
export function Trends() {
  const archive = useArchive();
  const desk = useDesk();
  const metrics = useArchiveState((s) => s.metrics);
  const metric = useArchiveState((s) => s.metric);
  const trend = useArchiveState((s) => s.trend);
  const points = trend?.points ?? [];
  const unit = trend?.metric.unit ?? "";
  return (
    <>
      <label className={css.metric}>
        Figure{" "}
        <select value={metric ?? ""} onChange={(e) => void archive.trend(e.target.value)}>
          {metrics.map((m) => (
            <option key={m.id} value={m.id}>
              {m.label}
            </option>
          ))}
        </select>
        <span>{slopeText(trend?.slope_per_30_days ?? null, unit)}</span>
      </label>
      {points.length === 0 ? (
        <p className={css.quiet}>No flight with a date carries this figure.</p>
      ) : (
        <>
          <div className={css.chart} role="img" aria-label={`${trend?.metric.label ?? ""} over time`}>
            <ResponsiveContainer width="100%" height={220}>
              <ScatterChart margin={{ top: 10, right: 16, bottom: 4, left: 4 }}>
                <CartesianGrid stroke="var(--bg-3)" />
                <XAxis
                  dataKey="start_utc_ms"
                  type="number"
                  domain={["dataMin - 3600000", "dataMax + 3600000"]}
                  tickFormatter={(ms: number) => dateText(ms).split(",")[0] ?? ""}
                  stroke="var(--text-2)"
                  fontSize={11}
                />
                <YAxis
                  dataKey="value"
                  type="number"
                  tickFormatter={tickText}
                  stroke="var(--text-2)"
                  fontSize={11}
                  width={52}
                />
                <Tooltip
                  isAnimationActive={false}
                  content={({ payload }) => {
                    const point = points.find((p) => p === (payload[0]?.payload as unknown));
                    return point === undefined ? null : (
                      <div className={css.tip}>
                        <b>{point.flight}</b>
                        <span>
                          {valueText(point.value)} {unit}
                        </span>
                      </div>
                    );
                  }}
                />
                <Scatter data={[...points]} fill="var(--intent)" isAnimationActive={false} />
              </ScatterChart>
            </ResponsiveContainer>
          </div>
          <div className={css.scroll}>
            <table className={css.table}>
              <thead>
                <tr>
                  <th>Flight</th>
                  <th>Start</th>
                  <th>{trend?.metric.label ?? "Value"}</th>
                </tr>
              </thead>
              <tbody>
                {points.map((p) => (
                  <tr key={p.flight}>
                    <td>
                      <button type="button" onClick={() => void openAny(desk, p.path)}>
                        {p.flight}
                      </button>
                    </td>
                    <td>{dateText(p.start_utc_ms)}</td>
                    <td>
                      {valueText(p.value)} {unit}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
}

const slopeText = (slope: number | null, unit: string): string =>
  slope === null ? "fewer than three flights: no slope" : `${valueText(slope)} ${unit} in 30 days`;
