import { Bookmark, FolderOpen, Layers, MoreHorizontal, Save, X } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { Button } from "../ui/Button";
import { ExportButton } from "./ExportDialog";
import { join, linkHere, openAny, openLayout, saveLayout, saveWorkspace } from "./files";
import { useDesk, useDeskState, useSummary } from "./hooks";
import css from "./Review.module.css";
import { dateText, spokenDuration } from "./time";

const sealText = {
  verified: "✓ record chain verified",
  broken: "■ record chain broken",
  absent: "no record chain",
} as const;

/** What is open, when it was flown, how far it can be trusted, and what can be done with the whole of it. */
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
      <AddLog />
      <Button
        size="small"
        title="Keep logs, offsets, plots, bookmarks and notes in a workspace file (Ctrl+S)"
        onClick={() => void saveWorkspace(desk, false)}
      >
        <Save size={14} aria-hidden /> Save
      </Button>
      <ExportButton />
      <More />
      <Button size="small" onClick={() => void pick(desk)}>
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

export async function pick(desk: ReturnType<typeof useDesk>): Promise<void> {
  const { path } = await desk.stores.bridge.request("review.pick", {});
  if (path !== null) await openAny(desk, path);
}

/** Another log of the same flight: what lies in the same folder first. */
function AddLog() {
  const desk = useDesk();
  const { beside } = useSummary();
  const joining = useDeskState((s) => s.joining);
  const other = async (): Promise<void> => {
    const { path } = await desk.stores.bridge.request("review.pick", {});
    if (path !== null) await join(desk, path);
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button size="small" disabled={joining} title="Lay another log of the same flight over this one">
          <Layers size={14} aria-hidden /> {joining ? "Finding its offset …" : "Add log"}
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} align="end" sideOffset={4}>
          {beside.map((b) => (
            <DropdownMenu.Item key={b.path} onSelect={() => void join(desk, b.path)} title={b.path}>
              {b.name} <small>same folder</small>
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Item onSelect={() => void other()}>Another file…</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function More() {
  const desk = useDesk();
  const name = useDeskState((s) => s.layouts.find((l) => l.id === s.layout)?.title ?? null);
  const title = useSummary().title;
  const copyLink = async (): Promise<void> => {
    const link = linkHere(desk.state.getState());
    if (link === null) return;
    await desk.stores.bridge.request("app.copy", { text: link });
    desk.say(`Copied ${link}`);
  };
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button size="small" aria-label="More actions" title="More actions">
          <MoreHorizontal size={14} aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} align="end" sideOffset={4}>
          <DropdownMenu.Item onSelect={() => void saveWorkspace(desk, true)}>
            Save workspace as…
          </DropdownMenu.Item>
          <DropdownMenu.Item onSelect={() => void copyLink()}>Copy a link to this moment</DropdownMenu.Item>
          <DropdownMenu.Separator />
          <DropdownMenu.Item onSelect={() => void saveLayout(desk, name ?? `${title} plots`, false)}>
            Keep these plots as a layout
          </DropdownMenu.Item>
          <DropdownMenu.Item onSelect={() => void saveLayout(desk, name ?? `${title} plots`, true)}>
            Save these plots to a layout file…
          </DropdownMenu.Item>
          <DropdownMenu.Item onSelect={() => void openLayout(desk)}>Open a layout file…</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** What the last action on files came to. */
export function Said() {
  const desk = useDesk();
  const said = useDeskState((s) => s.said);
  if (said === null) return null;
  return (
    <p className={css.said} data-bad={said.bad} role={said.bad ? "alert" : "status"}>
      <Bookmark size={13} aria-hidden />
      <span>{said.text}</span>
      <Button size="small" onClick={() => desk.state.setState({ said: null })}>
        Close
      </Button>
    </p>
  );
}

/** 22,865; not through the locale, which would write 22.865 elsewhere. */
const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
