import { valueText } from "../series";
import { spokenDuration } from "../time";
import css from "./Archive.module.css";
import { useArchiveState } from "./hooks";

/** The marked flights as columns: figures, then how often each rule fired. */
export function Compare() {
  const chosen = useArchiveState((s) => s.chosen);
  const comparison = useArchiveState((s) => s.comparison);
  if (chosen.length === 0)
    return <p className={css.quiet}>Mark flights in the list to lay them beside each other.</p>;
  if (comparison === null) return <p className={css.quiet}>Comparing …</p>;
  const { flights, metrics, rules } = comparison;
  return (
    <div className={css.scroll}>
      <table className={css.table}>
        <thead>
          <tr>
            <th>Figure</th>
            {flights.map((f) => (
              <th key={f.flight} title={f.path}>
                {f.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Duration</th>
            {flights.map((f) => (
              <td key={f.flight}>{spokenDuration(f.duration_s)}</td>
            ))}
          </tr>
          {metrics
            .filter((m) => m.values.some((v) => v !== null))
            .map(({ metric, values }) => (
              <tr key={metric.id}>
                <th scope="row">{metric.label}</th>
                {values.map((v, i) => (
                  <td key={flights[i]?.flight ?? i}>{v === null ? "–" : `${valueText(v)} ${metric.unit}`}</td>
                ))}
              </tr>
            ))}
          {rules.map(({ rule, title, counts }) => (
            <tr key={rule}>
              <th scope="row">{title}</th>
              {counts.map((n, i) => (
                <td key={flights[i]?.flight ?? i}>{n === 0 ? "–" : `${n} ×`}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
