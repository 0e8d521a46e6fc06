import { ChartNoAxesColumn, Command, FileCode2, Film, Plane, SlidersHorizontal } from "lucide-react";
import { AlertLine } from "../alerts/AlertLine";
import { timeLeft } from "../approvals/card";
import { callTitle } from "../reasoning/trace";
import {
  useApprovalStore,
  useNow,
  useSettingsStore,
  useStationStore,
  useStores,
  useUiStore,
} from "../stores/context";
import { type Workspace, workspaces } from "../stores/ui";
import { Kbd } from "../ui/Button";
import { workspaceTitle } from "./actions";
import css from "./Shell.module.css";

const icons: Readonly<Record<Workspace, typeof Plane>> = {
  fly: Plane,
  programs: FileCode2,
  review: Film,
  evaluate: ChartNoAxesColumn,
  setup: SlidersHorizontal,
};

/** Second row, always of the same height: nothing below it moves when an alert comes. */
export function WorkspaceBar() {
  const { ui } = useStores();
  const current = useUiStore((state) => state.workspace);
  const recording = useStationStore((station) => station.recording);
  return (
    <section className={css.second} aria-label="Workspaces and alerts">
      <nav className={css.tabs} aria-label="Workspaces">
        {workspaces.map((workspace, index) => {
          const Icon = icons[workspace];
          return (
            <button
              key={workspace}
              type="button"
              className={css.tab}
              aria-current={workspace === current ? "page" : undefined}
              title={`${workspaceTitle(workspace)}  Ctrl+${index + 1}`}
              onClick={() => ui.setState({ workspace })}
            >
              <Icon size={14} aria-hidden />
              <span>{workspaceTitle(workspace)}</span>
            </button>
          );
        })}
      </nav>
      <AlertLine />
      {current !== "fly" && <DecisionWaits />}
      <div className={css.recording} title={recording ?? undefined} data-on={recording !== null}>
        <i aria-hidden />
        {recording === null ? "not recording" : "recording"}
      </div>
      <button
        type="button"
        className={css.command}
        title="Command palette"
        onClick={() => ui.setState({ palette_open: true })}
      >
        <span className="visually-hidden">Command palette</span>
        <Command size={14} aria-hidden />
        <Kbd>Ctrl+K</Kbd>
      </button>
    </section>
  );
}

/** Whatever workspace is open, a decision that is asked for shows, with the time left for it. */
function DecisionWaits() {
  const { ui } = useStores();
  const card = useApprovalStore((state) => state.card);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const now_ms = useNow(500);
  if (card === null) return null;
  return (
    <button
      type="button"
      className={css.waits}
      title="Ctrl+J"
      onClick={() =>
        ui.setState(({ decision }) => ({
          workspace: "fly",
          decision: { count: decision.count + 1, ask: "focus" },
        }))
      }
    >
      Decide: {callTitle(card.proposal.call, units)} · {timeLeft(card, now_ms).text}
    </button>
  );
}
