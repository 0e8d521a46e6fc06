import { type BrowserWindow, clipboard, dialog } from "electron";
import type { Handlers, Input } from "#contract/ipc";
import type { ShellRequest, StationPort } from "../ipc/port";
import type { Home } from "../platform/paths";
import { appInfo } from "./info";
import type { MediaDesk } from "./media";
import { exportOrPrint } from "./print";

export interface ShellState {
  typing: boolean;
  readonly drawn: Set<string>;
  window(): BrowserWindow | null;
  alive(): void;
  spectate(on: boolean): void;
}

/** The requests that concern the window itself; the station answers all others. */
export function shellHandlers(
  station: StationPort,
  state: ShellState,
  home: Home,
  media: MediaDesk,
): Handlers {
  const own: Pick<Handlers, ShellRequest | "review.export" | "review.media"> = {
    "app.info": () => Promise.resolve(appInfo(home, process.versions)),
    "app.copy": async ({ text }) => {
      // A promise in newer Electron, done at once in older.
      await clipboard.writeText(text);
      return {};
    },
    "ui.alive": () => {
      state.alive();
      station.rendererAlive();
      return Promise.resolve({});
    },
    "ui.drawn": ({ what }) => {
      state.drawn.add(what);
      return Promise.resolve({});
    },
    "ui.typing": ({ typing }) => {
      state.typing = typing;
      return Promise.resolve({});
    },
    "spectator.watch": ({ on }) => {
      state.spectate(on);
      return Promise.resolve({});
    },
    "dialog.pick": async (asked) => ({ path: await pick(state.window(), asked) }),
    "review.export": (input) => exportOrPrint(station.handlers, input),
    "review.media": async (input) => {
      const found = await station.handlers["review.media"](input);
      return found.ok ? { ok: true, value: { url: media.addressOf(found.value.url) } } : found;
    },
    "review.pick": async () => ({ path: await pickRecording(state.window(), home) }),
  };
  return { ...station.handlers, ...own };
}

const recordings = [
  ...["mcap", "tlog", "ulg", "ulog", "bag", "bin", "log", "db3", "hdf5", "h5", "parquet", "json"],
  ...["mp4", "m4v", "mov", "webm", "mkv"],
];

/** The system's file dialog; null when cancelled. */
export async function pickRecording(window: BrowserWindow | null, home: Home): Promise<string | null> {
  const options = {
    title: "Open Recording",
    defaultPath: home.flights,
    filters: [
      { name: "Recordings", extensions: recordings },
      { name: "All files", extensions: ["*"] },
    ],
    properties: ["openFile" as const],
  };
  const { canceled, filePaths } =
    window === null ? await dialog.showOpenDialog(options) : await dialog.showOpenDialog(window, options);
  return canceled ? null : (filePaths[0] ?? null);
}

/** A file to open, a place to save, or a folder; null when cancelled. */
async function pick(window: BrowserWindow | null, asked: Input<"dialog.pick">): Promise<string | null> {
  const { kind, title, extension, suggested } = asked;
  const any = { name: "All files", extensions: ["*"] };
  const filters = extension === "" ? [any] : [{ name: `.${extension}`, extensions: [extension] }, any];
  const options = { title, filters, ...(suggested === "" ? {} : { defaultPath: suggested }) };
  if (kind === "save") {
    const saved =
      window === null ? await dialog.showSaveDialog(options) : await dialog.showSaveDialog(window, options);
    return saved.canceled ? null : saved.filePath;
  }
  const properties = [kind === "folder" ? ("openDirectory" as const) : ("openFile" as const)];
  const all = { ...options, properties };
  const opened =
    window === null ? await dialog.showOpenDialog(all) : await dialog.showOpenDialog(window, all);
  return opened.canceled ? null : (opened.filePaths[0] ?? null);
}
