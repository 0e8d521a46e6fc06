import { FolderOpen, RotateCw } from "lucide-react";
import { useEffect } from "react";
import { Button } from "../../ui/Button";
import { useDesk } from "../hooks";
import { Jobs } from "../Jobs";
import css from "./Archive.module.css";
import { Compare } from "./Compare";
import { archiveOf, type View } from "./desk";
import { Flights } from "./Flights";
import { ArchiveContext, useArchive, useArchiveState } from "./hooks";
import { Sql } from "./Sql";
import { Trends } from "./Trends";

const views: readonly { readonly id: View; readonly title: string }[] = [
  { id: "flights", title: "Flights" },
  { id: "compare", title: "Compare" },
  { id: "trends", title: "Trends" },
  { id: "sql", title: "SQL" },
];

/** Many flights at once: found, laid beside each other, followed over time, asked in SQL. */
export function Archive() {
  const archive = archiveOf(useDesk());
  return (
    <ArchiveContext value={archive}>
      <Inside />
    </ArchiveContext>
  );
}

function Inside() {
  const archive = useArchive();
  const s = useArchiveState((all) => all);
  useEffect(() => {
    if (archive.state.getState().indexed === "") void archive.index(false);
  }, [archive]);
  return (
    <section className={css.archive} aria-label="Archive">
      <Folder />
      {s.indexing && <Jobs kind="archive" />}
      {s.reason !== null && (
        <p className={css.reason} role="alert">
          {s.reason}
        </p>
      )}
      <div className={css.views} role="group" aria-label="View of the archive">
        {views.map((v) => (
          <button
            key={v.id}
            type="button"
            aria-pressed={s.view === v.id}
            onClick={() => void archive.show(v.id)}
          >
            {v.title}
            {v.id === "compare" && s.chosen.length > 0 ? ` ${s.chosen.length}` : ""}
          </button>
        ))}
      </div>
      {s.view === "flights" && <Flights />}
      {s.view === "compare" && <Compare />}
      {s.view === "trends" && <Trends />}
      {s.view === "sql" && <Sql />}
    </section>
  );
}

function Folder() {
  const archive = useArchive();
  const desk = useDesk();
  const folder = useArchiveState((s) => s.folder);
  const indexed = useArchiveState((s) => s.indexed);
  const indexing = useArchiveState((s) => s.indexing);
  const unreadable = useArchiveState((s) => s.unreadable);
  const pick = async (): Promise<void> => {
    const { path } = await desk.stores.bridge.request("dialog.pick", {
      kind: "folder",
      title: "Open Archive",
      extension: "",
      suggested: folder ?? "",
    });
    if (path !== null) await archive.choose(path);
  };
  return (
    <div className={css.folder}>
      <span title={folder ?? undefined}>
        <b>{folder ?? "Flights recorded here"}</b> {indexing ? "reading …" : indexed}
      </span>
      {unreadable.length > 0 && (
        <span className={css.unreadable} title={unreadable.map((u) => `${u.path}: ${u.reason}`).join("\n")}>
          ▲ {unreadable.length} {unreadable.length === 1 ? "file" : "files"} could not be read
        </span>
      )}
      <Button size="small" onClick={() => void pick()}>
        <FolderOpen size={13} aria-hidden /> Another folder…
      </Button>
      {folder !== null && (
        <Button size="small" onClick={() => void archive.choose(null)}>
          Own flights
        </Button>
      )}
      <Button
        size="small"
        disabled={indexing}
        title="Read every file again"
        onClick={() => void archive.index(true)}
      >
        <RotateCw size={13} aria-hidden /> Read again
      </Button>
    </div>
  );
}
