import { Play } from "lucide-react";
import { Button } from "../../ui/Button";
import { Jobs } from "../Jobs";
import css from "./Archive.module.css";
import { useArchive, useArchiveState } from "./hooks";

/** Read-only SQL over the tables of the archive and every topic of every flight. */
export function Sql() {
  const archive = useArchive();
  const sql = useArchiveState((s) => s.sql);
  const asking = useArchiveState((s) => s.asking);
  const answer = useArchiveState((s) => s.answer);
  return (
    <div className={css.sql}>
      <label>
        Tables: flights, findings, steps, messages, topics, and every topic by its name
        <textarea
          spellCheck={false}
          rows={5}
          value={sql}
          onChange={(e) => archive.state.setState({ sql: e.target.value })}
          onKeyDown={(e) => {
            if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
              e.preventDefault();
              void archive.run();
            }
          }}
        />
      </label>
      <div className={css.run}>
        <Button
          size="small"
          tone="intent"
          disabled={asking || sql.trim() === ""}
          title="Ctrl+Enter"
          onClick={() => void archive.run()}
        >
          <Play size={13} aria-hidden /> {asking ? "Asking …" : "Run"}
        </Button>
        {answer !== null && (
          <span>
            {answer.rows.length} rows{answer.truncated ? " (there are more)" : ""} in{" "}
            {Math.round(answer.elapsed_ms)} ms
          </span>
        )}
      </div>
      {asking && <Jobs kind="query" />}
      {answer !== null && (
        <div className={css.scroll}>
          <table className={css.table}>
            <thead>
              <tr>
                {answer.columns.map((c) => (
                  <th key={c.name} title={c.type}>
                    {c.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {answer.rows.map((row, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer never move
                <tr key={i}>
                  {row.map((value, k) => (
                    <td key={answer.columns[k]?.name ?? k}>{value === null ? "" : String(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
