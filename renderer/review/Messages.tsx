import { useEffect, useMemo, useRef, useState } from "react";
import { useCursor, useDesk, useDeskState, useSummary } from "./hooks";
import css from "./Review.module.css";
import { indexAt } from "./series";
import { timeText } from "./time";

const most = 1500;

/** MAVLink, PX4 and Kingfisher names of severities, brought to three. */
export function toneOf(severity: string): "warning" | "caution" | "neutral" {
  if (/^(emerg|alert|crit|err|fatal|warning$)/i.test(severity)) return "warning";
  return /^(warn|caution|not_confirmed)/i.test(severity) ? "caution" : "neutral";
}

/** Texts of the recording with their times; the one at the cursor is marked and kept in view. */
export function Messages() {
  const desk = useDesk();
  const summary = useSummary();
  const mode = useDeskState((s) => s.time_mode);
  const cursor_s = useCursor(0.2);
  const [query, setQuery] = useState("");
  const [follow, setFollow] = useState(true);
  const list = useRef<HTMLUListElement>(null);
  const found = useMemo(() => {
    const wanted = query.toLowerCase();
    return summary.messages.filter((m) =>
      `${m.severity} ${m.source} ${m.text}`.toLowerCase().includes(wanted),
    );
  }, [summary, query]);
  const times = useMemo(() => found.map((m) => m.at_s), [found]);
  const current = indexAt(times, cursor_s + 0.2);
  useEffect(() => {
    if (follow) list.current?.querySelector('[data-current="true"]')?.scrollIntoView({ block: "nearest" });
  }, [current, follow]);
  return (
    <>
      <input
        className={css.search}
        type="search"
        placeholder="Filter by text, source, severity"
        aria-label="Filter messages"
        value={query}
        onChange={(e) => setQuery(e.target.value)}
      />
      <label className={css.follow}>
        <input type="checkbox" checked={follow} onChange={(e) => setFollow(e.target.checked)} /> Follow the
        cursor
      </label>
      <ul ref={list} className={css.scroll} aria-label="Messages">
        {found.slice(0, most).map((m, i) => (
          <li key={`${m.at_s}-${i}`} data-current={i === current}>
            <button
              type="button"
              className={css.message}
              data-tone={toneOf(m.severity)}
              aria-current={i === current}
              onClick={() => desk.send({ kind: "seek", to_s: m.at_s })}
            >
              <span className={css.at}>{timeText(mode, m.at_s, summary, 1)}</span>
              <span>
                <b>{m.severity}</b> <span className={css.source}>{m.source}</span> {m.text}
              </span>
            </button>
          </li>
        ))}
        {found.length > most && <li className={css.more}>{found.length - most} more: narrow the filter</li>}
        {found.length === 0 && (
          <li className={css.quiet}>
            {summary.messages.length === 0
              ? "This recording holds no texts."
              : "No message matches the filter."}
          </li>
        )}
      </ul>
    </>
  );
}
