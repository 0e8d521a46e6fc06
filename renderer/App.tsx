import { type ComponentType, useEffect, useState } from "react";
import { useSound } from "./alerts/useSound";
import { EvaluateWorkspace } from "./evaluation/EvaluateWorkspace";
import { realm } from "./flight-bar/cells";
import { Emergency } from "./flight-bar/Emergency";
import { FlightCells } from "./flight-bar/FlightBar";
import { FlyWorkspace } from "./fly/FlyWorkspace";
import { Palette } from "./palette/Palette";
import { ProgramsWorkspace } from "./programs/ProgramsWorkspace";
import { ReviewWorkspace } from "./review/ReviewWorkspace";
import { SetupWorkspace } from "./setup/SetupWorkspace";
import { workspaceTitle } from "./shell/actions";
import { ErrorBoundary } from "./shell/ErrorBoundary";
import { LogOffer } from "./shell/LogOffer";
import { Notices } from "./shell/Notices";
import css from "./shell/Shell.module.css";
import { useAlive } from "./shell/useAlive";
import { useKeyboard } from "./shell/useKeyboard";
import { WorkspaceBar } from "./shell/WorkspaceBar";
import { useSettingsStore, useStationStore, useStores, useUiStore } from "./stores/context";
import { type Workspace, workspaces } from "./stores/ui";
import { Button } from "./ui/Button";

const views: Readonly<Record<Workspace, ComponentType>> = {
  fly: FlyWorkspace,
  programs: ProgramsWorkspace,
  review: ReviewWorkspace,
  evaluate: EvaluateWorkspace,
  setup: SetupWorkspace,
};

export function App() {
  const kind = useStationStore((station) => realm(station).kind);
  useAppearance();
  useKeyboard();
  useAlive();
  return (
    <div className={css.shell} data-realm={kind}>
      <header className={css.bar} aria-label="Flight bar">
        <ErrorBoundary fallback={(error) => <p>The flight status could not be drawn: {error.message}</p>}>
          <FlightCells />
        </ErrorBoundary>
        <Emergency />
      </header>
      <ErrorBoundary
        fallback={() => <p>The workspace bar could not be drawn. Ctrl+1 to Ctrl+5 still work.</p>}
      >
        <WorkspaceBar />
        <Extras />
      </ErrorBoundary>
      <main className={css.workspace}>
        <Silence />
        <Workspaces />
      </main>
    </div>
  );
}

function Extras() {
  useSound();
  return (
    <>
      <Palette />
      <Notices />
      <LogOffer />
    </>
  );
}

/** A workspace is built when it is first visited and keeps its state from then on. */
function Workspaces() {
  const current = useUiStore((ui) => ui.workspace);
  const [visited, setVisited] = useState<readonly Workspace[]>([current]);
  if (!visited.includes(current)) setVisited([...visited, current]);
  return workspaces
    .filter((workspace) => visited.includes(workspace))
    .map((workspace) => {
      const View = views[workspace];
      return (
        <div key={workspace} className={css.workspace} hidden={workspace !== current}>
          <h1 className="visually-hidden">{workspaceTitle(workspace)}</h1>
          <ErrorBoundary
            fallback={(error, again) => <Failed workspace={workspace} error={error} again={again} />}
          >
            <View />
          </ErrorBoundary>
        </div>
      );
    });
}

/** The station did not answer this window's first question: nothing shown here can be trusted to be current. */
function Silence() {
  const stores = useStores();
  const snapshot = useUiStore((ui) => ui.snapshot);
  if (snapshot.state !== "failed") return null;
  return (
    <section className={css.silence} role="alert">
      <b>The station has not answered: {snapshot.reason}</b> What this window shows may be incomplete. HOLD
      with F9 still works.
      <Button size="small" onClick={() => stores.refresh()}>
        Ask again
      </Button>
    </section>
  );
}

interface FailedProps {
  readonly workspace: Workspace;
  readonly error: Error;
  readonly again: () => void;
}

function Failed({ workspace, error, again }: FailedProps) {
  return (
    <section className={css.failed} role="alert">
      <h2>{workspaceTitle(workspace)} could not be drawn</h2>
      <p>The flight is not affected: link, monitor and recording go on, and HOLD, LAND and KILL work.</p>
      <pre data-selectable>{error.message}</pre>
      <Button tone="intent" onClick={again}>
        Draw it again
      </Button>
    </section>
  );
}

function useAppearance(): void {
  const theme = useSettingsStore((settings) => settings.appearance.theme);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
}
