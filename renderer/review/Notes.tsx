import { BookmarkPlus, X } from "lucide-react";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Panel";
import { relabelled, withoutBookmark } from "./bookmarks";
import { useDesk, useDeskState, useSummary } from "./hooks";
import { bookmarkHere } from "./keys";
import css from "./Notes.module.css";
import { timeText } from "./time";

/** Bookmarks and notes of whoever reads the flight; kept in the workspace file, never in the recording. */
export function Notes() {
  const desk = useDesk();
  const summary = useSummary();
  const mode = useDeskState((s) => s.time_mode);
  const bookmarks = useDeskState((s) => s.bookmarks);
  const notes = useDeskState((s) => s.notes);
  const file = useDeskState((s) => s.file);
  const right = (
    <Button size="small" title="Bookmark the cursor's moment (B)" onClick={() => bookmarkHere(desk)}>
      <BookmarkPlus size={13} aria-hidden /> Bookmark
    </Button>
  );
  return (
    <Panel title="Notes" className={css.panel} right={right}>
      <div className={css.body}>
        {bookmarks.length > 0 && (
          <ul className={css.list} aria-label="Bookmarks">
            {bookmarks.map((b) => (
              <li key={b.id}>
                <button
                  type="button"
                  className={css.time}
                  onClick={() => desk.send({ kind: "seek", to_s: b.at_s })}
                >
                  {timeText(mode, b.at_s, summary, 1)}
                </button>
                <input
                  aria-label={`Words for the bookmark at ${timeText(mode, b.at_s, summary, 1)}`}
                  value={b.label}
                  maxLength={200}
                  onChange={(e) =>
                    desk.state.setState({
                      bookmarks: relabelled(bookmarks, b.id, { label: e.target.value }),
                    })
                  }
                />
                <button
                  type="button"
                  aria-label={`Remove the bookmark ${b.label}`}
                  onClick={() => desk.state.setState({ bookmarks: withoutBookmark(bookmarks, b.id) })}
                >
                  <X size={12} aria-hidden />
                </button>
              </li>
            ))}
          </ul>
        )}
        <textarea
          className={css.notes}
          aria-label="Notes on this review"
          placeholder="Notes on this review"
          value={notes}
          maxLength={20_000}
          onChange={(e) => desk.state.setState({ notes: e.target.value })}
        />
        <p className={css.file} title={file?.path}>
          {file === null
            ? "Save keeps them in a workspace file."
            : `${nameOf(file.path)}${file.read_only ? " · read-only" : ""}`}
        </p>
      </div>
    </Panel>
  );
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
