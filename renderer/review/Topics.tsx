import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { useDesk, useDeskState, useSummary } from "./hooks";
import css from "./Review.module.css";
import { rateText, searchTopics } from "./topics";

const most_fields = 120;

/** Every topic with its fields; a click on a field plots it. */
export function Topics() {
  const desk = useDesk();
  const { topics, duration_s } = useSummary();
  const into = useDeskState((s) => s.into);
  const into_title = useDeskState((s) => (s.into === null ? null : (s.plots[s.into]?.title ?? null)));
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const found = useMemo(() => searchTopics(topics, query), [topics, query]);
  const toggle = (name: string): void => {
    const next = new Set(open);
    if (!next.delete(name)) next.add(name);
    setOpen(next);
  };
  return (
    <>
      <input
        className={css.search}
        type="search"
        placeholder="Search topics and fields"
        aria-label="Search topics and fields"
        value={query}
        onChange={(e) => setQuery(e.target.value)}
      />
      <p className={css.into} role="status">
        {into === null ? "A field opens as a plot of its own" : `A field joins “${into_title ?? ""}”`}
      </p>
      <ul className={css.scroll} aria-label="Topics">
        {found.map(({ topic, fields, by_field }) => {
          const shown = open.has(topic.name) !== by_field;
          return (
            <li key={topic.name}>
              <button
                type="button"
                className={css.topic}
                aria-expanded={shown}
                disabled={fields.length === 0}
                title={topic.type}
                onClick={() => toggle(topic.name)}
              >
                <ChevronRight size={13} aria-hidden />
                <span>{topic.name}</span>
                <span className={css.at}>{rateText(topic.count, duration_s)}</span>
              </button>
              {shown && (
                <ul>
                  {fields.slice(0, most_fields).map((f) => (
                    <li key={f.path}>
                      <button
                        type="button"
                        className={css.field}
                        onClick={() => desk.addField(topic.name, f.path)}
                        aria-label={`Plot ${topic.name} ${f.path}`}
                      >
                        <span>{f.path}</span>
                        <span className={css.at}>{f.unit}</span>
                      </button>
                    </li>
                  ))}
                  {fields.length > most_fields && (
                    <li className={css.more}>{fields.length - most_fields} more: search for them</li>
                  )}
                </ul>
              )}
            </li>
          );
        })}
        {found.length === 0 && <li className={css.quiet}>No topic or field matches “{query}”.</li>}
      </ul>
    </>
  );
}
