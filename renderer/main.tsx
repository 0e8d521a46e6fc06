import { createRoot } from "react-dom/client";
import { App } from "./App";
import { createCameraHub, windowBridge } from "./bridge/bridge";
import { pageTime } from "./bridge/time";
import { Emergency } from "./flight-bar/Emergency";
import { ErrorBoundary } from "./shell/ErrorBoundary";
import css from "./shell/Shell.module.css";
import { StoresProvider } from "./stores/context";
import { createStores } from "./stores/stores";
import { isWorkspace } from "./stores/ui";
import { Button } from "./ui/Button";
import "./ui/tokens.css";
import "./ui/base.css";

const workspace_key = "kingfisher.workspace";

/** After a crash the window comes back where it was. */
function lastWorkspace() {
  const name = sessionStorage.getItem(workspace_key) ?? "";
  return isWorkspace(name) ? { workspace: name } : {};
}

function start(): void {
  const container = document.getElementById("root");
  if (container === null) throw new Error("Invariant: index.html has a root");
  const root = createRoot(container);
  const bridge = windowBridge();
  if (bridge === null) {
    root.render(<p className={css.failed}>Kingfisher's window needs its application: run npm start.</p>);
    return;
  }
  const cameras = createCameraHub(window);
  const stores = createStores({ bridge, cameras, time: pageTime, ui: lastWorkspace() });
  stores.ui.subscribe(({ workspace }) => sessionStorage.setItem(workspace_key, workspace));
  root.render(
    <StoresProvider stores={stores}>
      <ErrorBoundary fallback={(error, again) => <LastResort error={error} again={again} />}>
        <App />
      </ErrorBoundary>
    </StoresProvider>,
  );
}

/** Everything else failed to draw: the three buttons, and a way back. */
function LastResort({ error, again }: { readonly error: Error; readonly again: () => void }) {
  return (
    <div className={css.shell}>
      <header className={css.bar} aria-label="Flight bar">
        <Emergency />
      </header>
      <section className={css.failed} role="alert" style={{ gridRow: "2 / 4" }}>
        <h1>The window could not be drawn</h1>
        <p>The flight is not affected: link, monitor and recording go on, and HOLD, LAND and KILL work.</p>
        <pre data-selectable>{error.message}</pre>
        <Button tone="intent" onClick={again}>
          Draw it again
        </Button>
      </section>
    </div>
  );
}

start();
