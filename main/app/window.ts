import { join } from "node:path";
import { BrowserWindow, screen } from "electron";
import type { Home } from "../platform/paths";
import { pageUrl } from "./page";
import { loadWindowState, saveWindowState } from "./window-state";

/** The one window: sandboxed, isolated, without Node, and never throttled while in the background. */
export function createWindow(outFolder: string, home: Home): BrowserWindow {
  const statePath = join(home.root, "window.json");
  const state = loadWindowState(
    statePath,
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const window = new BrowserWindow({
    width: state.width,
    height: state.height,
    ...(state.x !== null && state.y !== null ? { x: state.x, y: state.y } : {}),
    minWidth: 640,
    minHeight: 400,
    title: "Kingfisher",
    backgroundColor: "#0e1113",
    autoHideMenuBar: true,
    show: false,
    webPreferences: {
      preload: join(outFolder, "preload", "index.cjs"),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      // A warning sounds although nobody has clicked yet.
      autoplayPolicy: "no-user-gesture-required",
      // A hidden window still shows signs of life: its silence would hold the flight.
      backgroundThrottling: false,
    },
  });
  if (state.maximized) window.maximize();
  window.once("ready-to-show", () => {
    window.show();
  });
  window.on("close", () => {
    const { x, y, width, height } = window.getNormalBounds();
    saveWindowState(statePath, { x, y, width, height, maximized: window.isMaximized() });
  });
  void window.loadURL(pageUrl);
  return window;
}
