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
import { Notices } from "./shell/Notices";
import css from "./shell/Shell.module.css";
import { useAlive } from "./shell/useAlive";
import { useKeyboard } from "./shell/useKeyboard";
import { WorkspaceBar } from "./shell/WorkspaceBar";
import { useSettingsStore, useStationStore, useUiStore } from "./stores/context";
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
          <ErrorBoundary
            fallback={(error, again) => <Failed workspace={workspace} error={error} again={again} />}
          >
            <View />
          </ErrorBoundary>
        </div>
      );
    });
}

interface FailedProps {
  readonly workspace: Workspace;
  readonly error: Error;
  readonly again: () => void;
}

function Failed({ workspace, error, again }: FailedProps) {
  return (
    <section className={css.failed} role="alert">
      <h1>{workspaceTitle(workspace)} could not be drawn</h1>
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
