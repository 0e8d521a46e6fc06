import type { ArchiveQuery } from "#contract/archive";
import { openAny } from "../files";
import { useDesk } from "../hooks";
import { dateText, sizeText, spokenDuration } from "../time";
import css from "./Archive.module.css";
import { useArchive, useArchiveState } from "./hooks";

const columns: readonly { readonly sort: ArchiveQuery["sort"]; readonly title: string }[] = [
  { sort: "name", title: "Flight" },
  { sort: "start", title: "Start" },
  { sort: "duration", title: "Duration" },
  { sort: "size", title: "Size" },
  { sort: "warnings", title: "Findings" },
];

/** What was found, with the filters that found it; the marked ones can be laid beside each other. */
export function Flights() {
  const archive = useArchive();
  const desk = useDesk();
  const flights = useArchiveState((s) => s.flights);
  const total = useArchiveState((s) => s.total);
  const chosen = useArchiveState((s) => s.chosen);
  const query = useArchiveState((s) => s.query);
  return (
    <>
      <Filters />
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th>
                <span className="visually-hidden">Compare</span>
              </th>
              {columns.map((c) => (
                <th
                  key={c.sort}
                  aria-sort={query.sort === c.sort ? (query.descending ? "descending" : "ascending") : "none"}
                >
                  <button
                    type="button"
                    onClick={() =>
                      void archive.search({
                        sort: c.sort,
                        descending: query.sort === c.sort ? !query.descending : c.sort !== "name",
                      })
                    }
                  >
                    {c.title} {query.sort === c.sort ? (query.descending ? "↓" : "↑") : ""}
                  </button>
                </th>
              ))}
              <th>Format</th>
            </tr>
          </thead>
          <tbody>
            {flights.map((f) => (
              <tr key={f.flight}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Compare ${f.title}`}
                    checked={chosen.includes(f.flight)}
                    onChange={() => archive.toggle(f.flight)}
                  />
                </td>
                <td>
                  <button type="button" title={f.path} onClick={() => void openAny(desk, f.path)}>
                    {f.title}
                  </button>
                </td>
                <td>{f.start_utc_ms === null ? "date unknown" : dateText(f.start_utc_ms)}</td>
                <td>{spokenDuration(f.duration_s)}</td>
                <td>{sizeText(f.size_bytes)}</td>
                <td>
                  {f.warnings > 0 && <span data-severity="warning">■ {f.warnings} </span>}
                  {f.cautions > 0 && <span data-severity="caution">▲ {f.cautions}</span>}
                  {f.warnings + f.cautions === 0 && "none"}
                </td>
                <td>
                  {f.format}
                  {f.completeness === "complete" ? "" : ` · ${f.completeness}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {flights.length === 0 && <p className={css.quiet}>No flight matches.</p>}
        {total > flights.length && (
          <p className={css.quiet}>
            {flights.length} of {total} shown: narrow the search.
          </p>
        )}
      </div>
    </>
  );
}

function Filters() {
  const archive = useArchive();
  const query = useArchiveState((s) => s.query);
  const flights = useArchiveState((s) => s.flights);
  const formats = [...new Set([...flights.map((f) => f.format), query.format ?? ""])].filter((f) => f !== "");
  return (
    <div className={css.filters} role="search" aria-label="Search the archive">
      <input
        type="search"
        placeholder="Words of name, vehicle, findings, messages, mission"
        aria-label="Words"
        value={query.text}
        maxLength={500}
        onChange={(e) => void archive.search({ text: e.target.value })}
      />
      <label>
        Format{" "}
        <select
          value={query.format ?? ""}
          onChange={(e) => void archive.search({ format: e.target.value === "" ? null : e.target.value })}
        >
          <option value="">any</option>
          {formats.map((f) => (
            <option key={f}>{f}</option>
          ))}
        </select>
      </label>
      <label>
        From{" "}
        <input type="date" onChange={(e) => void archive.search({ from_utc_ms: dayOf(e.target.value, 0) })} />
      </label>
      <label>
        to{" "}
        <input type="date" onChange={(e) => void archive.search({ to_utc_ms: dayOf(e.target.value, 1) })} />
      </label>
      <label>
        With finding{" "}
        <input
          className={css.short}
          placeholder="rule"
          value={query.rule ?? ""}
          onChange={(e) => void archive.search({ rule: e.target.value.trim() || null })}
        />
      </label>
      <label>
        With topic{" "}
        <input
          className={css.short}
          placeholder="topic"
          value={query.topic ?? ""}
          onChange={(e) => void archive.search({ topic: e.target.value.trim() || null })}
        />
      </label>
    </div>
  );
}

/** Midnight (local) of a day as the date field writes it, `later` days on; null for no day. */
function dayOf(text: string, later: number): number | null {
  const [year, month, day] = text.split("-").map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  const ms = new Date(year, month - 1, day + later).getTime();
  return Number.isFinite(ms) ? ms : null;
}
