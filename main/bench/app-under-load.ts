import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Playwright from "playwright-core";
import { z } from "zod";
import type { RequestName } from "#contract/channels";
import type { Input, Output, Snapshot } from "#contract/ipc";
import type { Clock } from "../platform/clock";
import { appRoot } from "../platform/paths";

/** The built application in real Electron, and its operator's view of the station. */
export interface RunningApp {
  readonly app: Playwright.ElectronApplication;
  readonly display: string;
  ask<C extends RequestName>(request: C, input: Input<C>): Promise<Output<C>>;
  until(condition: (now: Snapshot) => boolean, what: string, timeout_ms?: number): Promise<Snapshot>;
  open(workspace: "fly" | "setup"): Promise<void>;
  close(): Promise<void>;
}

interface Display {
  readonly env: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  readonly stop: () => void;
}
interface Scripts {
  readonly ensureDisplay: (options: { virtual: boolean }) => Promise<Display>;
  readonly ensureBuilt: (parts: readonly string[]) => Promise<void>;
  readonly onPath: (program: string) => boolean;
}

/** The start scripts run before anything is bundled, so they are loaded from their own files. */
async function scripts(): Promise<Scripts> {
  const load = (name: string): Promise<unknown> =>
    import(pathToFileURL(join(appRoot(), "scripts", "lib", name)).href);
  const [system, build] = await Promise.all([load("system.mjs"), load("build.mjs")]);
  return { ...(system as object), ...(build as object) } as Scripts;
}

/** A development package: a Kingfisher installed for flying has none. */
function playwright(): typeof Playwright {
  try {
    return createRequire(join(appRoot(), "package.json"))("playwright-core") as typeof Playwright;
  } catch {
    throw new Error(
      "bench estop drives the real window with playwright-core: run `npm install` with development packages first",
    );
  }
}

async function electronPath(): Promise<string> {
  try {
    const note = JSON.parse(await readFile(join(appRoot(), ".cache", "runtime.json"), "utf8")) as unknown;
    return z.looseObject({ executable: z.string() }).parse(note).executable;
  } catch {
    throw new Error("bench estop needs the Electron runtime: run `npm start` once first");
  }
}

const pause = (clock: Clock, delay_ms: number): Promise<void> =>
  new Promise((done) => {
    clock.after(delay_ms, done);
  });

/** Starts the application with a home of its own; `close` removes it, the display and every child. */
export async function startApp(clock: Clock): Promise<RunningApp> {
  const { _electron } = playwright();
  const executablePath = await electronPath();
  const { ensureBuilt, ensureDisplay, onPath } = await scripts();
  await ensureBuilt(["preload", "renderer"]);
  const display = await ensureDisplay({ virtual: onPath("Xvfb") });
  const home = await mkdtemp(join(tmpdir(), "kingfisher-bench-"));
  let app: Playwright.ElectronApplication | null = null;
  let electron: ChildProcess | null = null;
  const close = async (): Promise<void> => {
    try {
      // Leaving with an armed vehicle asks; nobody is there to answer.
      await app?.evaluate(({ dialog }) => {
        dialog.showMessageBoxSync = () => 1;
      });
      await app?.close();
    } finally {
      if (electron?.exitCode === null) electron.kill("SIGKILL");
      display.stop();
      await rm(home, { recursive: true, force: true });
    }
  };
  try {
    const size = { x: 0, y: 0, width: 1280, height: 800, maximized: false };
    await writeFile(join(home, "window.json"), JSON.stringify(size));
    const env = Object.fromEntries(
      Object.entries({ ...process.env, ...display.env, KINGFISHER_HOME: home }).filter(
        ([name]) => name !== "ELECTRON_RUN_AS_NODE" && name !== "NODE_OPTIONS",
      ),
    );
    app = await _electron.launch({
      executablePath,
      args: [...display.flags, appRoot()],
      env,
      timeout: 60_000,
    });
    // Playwright forgets it once the application has closed.
    electron = app.process();
    await (await app.firstWindow()).waitForLoadState("load");
    return { ...operator(app, clock), app, display: env["DISPLAY"] ?? "", close };
  } catch (error) {
    await close();
    throw error;
  }
}

function operator(
  app: Playwright.ElectronApplication,
  clock: Clock,
): Pick<RunningApp, "ask" | "until" | "open"> {
  const ask = async <C extends RequestName>(request: C, input: Input<C>): Promise<Output<C>> =>
    (await app.evaluate(
      ({ BrowserWindow }, call) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          `window.kingfisher.request(${call})`,
        ) as Promise<unknown>,
      `${JSON.stringify(request)}, ${JSON.stringify(input)}`,
    )) as Output<C>;
  return {
    ask,
    until: async (condition, what, timeout_ms = 60_000) => {
      const end_ms = clock.now_ms() + timeout_ms;
      for (;;) {
        const now = await ask("station.snapshot", {});
        if (condition(now)) return now;
        if (clock.now_ms() > end_ms) {
          const { mission, vehicle, station } = now;
          const seen = JSON.stringify([mission.phase, mission.why, vehicle.mode, station.emergency]);
          throw new Error(`bench estop: never came: ${what}; instead ${seen}`);
        }
        await pause(clock, 50);
      }
    },
    open: async (workspace) => {
      const [name, heading] = workspace === "fly" ? ["1", "Fly"] : ["5", "Setup"];
      const page = await app.firstWindow();
      await page.keyboard.press(`Control+${name}`);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor({ state: "attached" });
    },
  };
}

/** One process per core that never rests. Returns what ends them. */
export function burnCores(): { readonly count: number; readonly stop: () => void } {
  const count = availableParallelism();
  const burners = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  const stop = (): void => {
    for (const burner of burners) burner.kill("SIGKILL");
  };
  process.once("exit", stop);
  return {
    count,
    stop: () => {
      process.removeListener("exit", stop);
      stop();
    },
  };
}
