import { useMemo, useState } from "react";
import { useSummary } from "./hooks";
import css from "./Review.module.css";
import { valueText } from "./series";
import { duration } from "./time";

const most = 400;

/** The vehicle's parameters as they were; those that changed during the flight say when. */
export function Parameters() {
  const { parameters } = useSummary();
  const [query, setQuery] = useState("");
  const found = useMemo(() => {
    const wanted = query.toLowerCase();
    const hits = parameters.filter((p) => p.name.toLowerCase().includes(wanted));
    return [...hits].sort(
      (a, b) => Math.sign(b.changes.length) - Math.sign(a.changes.length) || (a.name < b.name ? -1 : 1),
    );
  }, [parameters, query]);
  return (
    <>
      <input
        className={css.search}
        type="search"
        placeholder="Search parameters"
        aria-label="Search parameters"
        value={query}
        onChange={(e) => setQuery(e.target.value)}
      />
      <ul className={css.scroll} aria-label="Parameters">
        {found.slice(0, most).map((p) => (
          <li key={p.name} className={css.parameter}>
            <span>{p.name}</span>
            <span className={css.at}>{valueText(p.value)}</span>
            {p.changes.map((c) => (
              <span key={c.at_s} className={css.change}>
                ▲ {duration(c.at_s)} → {valueText(c.value)}
              </span>
            ))}
          </li>
        ))}
        {found.length > most && <li className={css.more}>{found.length - most} more: search for them</li>}
        {found.length === 0 && (
          <li className={css.quiet}>
            {parameters.length === 0 ? "This recording holds no parameters." : "No parameter matches."}
          </li>
        )}
      </ul>
    </>
  );
}
