import { FolderOpen, Share } from "lucide-react";
import { Dialog } from "radix-ui";
import { type SyntheticEvent, useState } from "react";
import type { ExportResult } from "#contract/review";
import { Button } from "../ui/Button";
import css from "./ExportDialog.module.css";
import { formats, nearby, orderOf, takesTopics, type Wish } from "./exporting";
import { useDesk, useDeskState, useSummary } from "./hooks";
import { Jobs } from "./Jobs";
import { expressionTopic } from "./plots";
import { isWhole } from "./range";
import { sizeText, spokenDuration } from "./time";

type Outcome =
  | { readonly kind: "idle" | "busy" }
  | { readonly kind: "done"; readonly result: ExportResult }
  | { readonly kind: "failed"; readonly reason: string };

export function ExportButton() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} modal={false}>
      <Dialog.Trigger asChild>
        <Button size="small" title="Write this review in another format, or as a report">
          <Share size={14} aria-hidden /> Export
        </Button>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Content
          className={css.dialog}
          aria-describedby={undefined}
          onInteractOutside={(e) => e.preventDefault()}
        >
          <Dialog.Title>Export</Dialog.Title>
          <ExportForm onClose={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function ExportForm({ onClose }: { readonly onClose: () => void }) {
  const desk = useDesk();
  const summary = useSummary();
  const range = useDeskState((s) => s.range);
  const span = useDeskState((s) => s.playback.span);
  const plots = useDeskState((s) => s.plots);
  const whole = isWhole(range, span);
  const [wish, setWish] = useState<Wish>({
    format: "report",
    folder: nearby(summary),
    shown_only: !whole,
    topics: "all",
  });
  const [outcome, setOutcome] = useState<Outcome>({ kind: "idle" });
  const plotted = [
    ...new Set(plots.flatMap((p) => p.lines.map((l) => l.topic)).filter((t) => t !== expressionTopic)),
  ];
  const change = (part: Partial<Wish>): void => {
    setWish({ ...wish, ...part });
    setOutcome({ kind: "idle" });
  };
  const run = async (overwrite: boolean): Promise<void> => {
    setOutcome({ kind: "busy" });
    const answer = await desk.ask("review.export", {
      id: summary.id,
      order: orderOf(wish, range, plotted, overwrite),
    });
    setOutcome(
      answer.ok ? { kind: "done", result: answer.value } : { kind: "failed", reason: answer.reason },
    );
  };
  const submit = (e: SyntheticEvent): void => {
    e.preventDefault();
    void run(false);
  };
  const pickFolder = async (): Promise<void> => {
    const { path } = await desk.stores.bridge.request("dialog.pick", {
      kind: "folder",
      title: "Export To",
      extension: "",
      suggested: wish.folder,
    });
    if (path !== null) change({ folder: path });
  };
  const busy = outcome.kind === "busy";
  return (
    <form className={css.form} onSubmit={submit}>
      <fieldset className={css.formats} disabled={busy}>
        <legend>As</legend>
        {formats.map((f) => (
          <label key={f.id}>
            <input
              type="radio"
              name="format"
              checked={wish.format === f.id}
              onChange={() => change({ format: f.id })}
            />
            <b>{f.title}</b>
            <span>{f.what}</span>
          </label>
        ))}
      </fieldset>
      <label className={css.check}>
        <input
          type="checkbox"
          checked={wish.shown_only}
          disabled={busy || whole}
          onChange={(e) => change({ shown_only: e.target.checked })}
        />
        Only the {spokenDuration(range.to_s - range.from_s)} shown on the timeline
      </label>
      {takesTopics(wish.format) && (
        <label className={css.check}>
          <input
            type="checkbox"
            checked={wish.topics === "plotted"}
            disabled={busy || plotted.length === 0}
            onChange={(e) => change({ topics: e.target.checked ? "plotted" : "all" })}
          />
          Only the {plotted.length} plotted topics
        </label>
      )}
      <div className={css.folder}>
        <label>
          Into
          <input
            value={wish.folder}
            spellCheck={false}
            disabled={busy}
            onChange={(e) => change({ folder: e.target.value })}
          />
        </label>
        <Button size="small" disabled={busy} onClick={() => void pickFolder()}>
          <FolderOpen size={13} aria-hidden /> Choose…
        </Button>
      </div>
      {busy && <Jobs kind="export" />}
      <Result outcome={outcome} onReplace={() => void run(true)} />
      <div className={css.actions}>
        <Button onClick={onClose}>Close</Button>
        <Button tone="intent" type="submit" disabled={busy || wish.folder.trim() === ""}>
          {busy ? "Writing …" : "Export"}
        </Button>
      </div>
    </form>
  );
}

function Result({ outcome, onReplace }: { readonly outcome: Outcome; readonly onReplace: () => void }) {
  if (outcome.kind === "failed")
    return (
      <p className={css.result} data-bad="true" role="alert">
        {outcome.reason}
      </p>
    );
  if (outcome.kind !== "done") return null;
  const { result } = outcome;
  if (result.state === "exists")
    return (
      <div className={css.result} role="alert">
        <p>
          {result.files.length === 1 ? "This file is" : `${result.files.length} files are`} there already:{" "}
          {result.files.slice(0, 3).join(", ")}
        </p>
        <Button size="small" tone="caution" onClick={onReplace}>
          Replace
        </Button>
      </div>
    );
  return (
    <div className={css.result} role="status">
      <p>
        ✓ {result.files.length === 1 ? result.files[0] : `${result.files.length} files`} ·{" "}
        {sizeText(result.bytes)}
        {result.rows > 0 ? ` · ${result.rows} rows` : ""}
      </p>
      {result.notes.map((n) => (
        <p key={n}>{n}</p>
      ))}
    </div>
  );
}
