import { FolderOpen, X } from "lucide-react";
import { Button } from "../ui/Button";
import { useDesk, useSummary } from "./hooks";
import css from "./Review.module.css";
import { dateText, spokenDuration } from "./time";

const sealText = {
  verified: "✓ record chain verified",
  broken: "■ record chain broken",
  absent: "no record chain",
} as const;

/** What is open, when it was flown, and how far it can be trusted. */
export function Header() {
  const desk = useDesk();
  const s = useSummary();
  const when = s.start_utc_ms === null ? "date unknown" : dateText(s.start_utc_ms);
  const vehicle = [s.meta["vehicle"], s.meta["site"] ?? s.meta["scene"]]
    .filter((v) => v !== undefined)
    .join(" · ");
  return (
    <header className={css.header} aria-label="Recording">
      <h1 title={s.path}>{s.title}</h1>
      <span className={css.chip}>{vehicle === "" ? s.format : vehicle}</span>
      <span className={css.when}>
        {when} · {spokenDuration(s.duration_s)}
      </span>
      <span className={css.chip} data-tone={s.audit.state} title={s.audit.detail}>
        {sealText[s.audit.state]}
      </span>
      {s.completeness.state === "complete" ? (
        <span className={css.chip}>complete</span>
      ) : (
        <span className={css.chip} data-tone="partial" title={s.completeness.notes.join("\n")}>
          ▲ {s.completeness.notes[0] ?? s.completeness.state}
        </span>
      )}
      <span className={css.grow}>
        {grouped(s.message_count)} messages · {s.topics.length} topics
      </span>
      <Button size="small" onClick={() => void desk.pick()}>
        <FolderOpen size={14} aria-hidden /> Open…
      </Button>
      <Button
        size="small"
        aria-label="Close this recording"
        title="Close this recording"
        onClick={() => desk.close()}
      >
        <X size={14} aria-hidden />
      </Button>
    </header>
  );
}

/** 22,865; not through the locale, which would write 22.865 elsewhere. */
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
