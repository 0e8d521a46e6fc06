import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { app, type BrowserWindow, Menu, session } from "electron";
import type { Settings } from "#contract/settings";
import type { EmergencyAction } from "#contract/station";
import { createCameraPorts } from "../ipc/camera-ports";
import type { StationPort } from "../ipc/port";
import { createPublisher } from "../ipc/publish";
import { registerRequests, trustOrigin } from "../ipc/requests";
import { type Cancel, type Clock, realClock } from "../platform/clock";
import { openLogger } from "../platform/logger";
import { appRoot, homePaths } from "../platform/paths";
import { readVersion } from "../platform/version";
import { parseArguments, type ShellArguments } from "./arguments";
import { denyPermissions, guardContents, guardProcess } from "./guards";
import { emergencyKey } from "./keys";
import { askToLeave } from "./leaving";
import { followLinks } from "./links";
import { MediaDesk } from "./media";
import { menuTemplate } from "./menu";
import type { OpenStation, StationNeeds } from "./needs";
import { pageOrigin, registerScheme, servePage } from "./page";
import { printIfAsked } from "./print";
import { yieldDrawing } from "./priorities";
import { watchRenderer } from "./renderer-watch";
import { pickRecording, type ShellState, shellHandlers } from "./requests";
import { takeSmokePicture } from "./smoke";
import { Spectator, spectatorSocket } from "./spectator";
import { createWindow } from "./window";

/** A window that dies again within this time of its last death is restarted only after it. */
const restart_pause_ms = 5000;

/**
 * Runs Kingfisher's window around a station. Everything that Electron wants before `ready` happens here
 * synchronously, which is why main is built as CommonJS. `outFolder` holds preload/ and renderer/.
 */
export function startShell(openStation: OpenStation, outFolder: string = join(appRoot(), "out")): void {
  const home = homePaths();
  mkdirSync(home.profile, { recursive: true });
  app.setName("Kingfisher");
  app.setPath("userData", home.profile);
  // Root cannot use Chromium's sandbox and says so with --no-sandbox, which enableSandbox would take back.
  if (!app.commandLine.hasSwitch("no-sandbox")) app.enableSandbox();
  registerScheme();
  const args = parseArguments(process.argv);
  if (printIfAsked(args)) return;
  if (!app.requestSingleInstanceLock()) {
    process.stderr.write(
      `Kingfisher is already running with ${home.root}; its window was brought to the front\n`,
    );
    app.exit(args.smoke === null ? 0 : 1);
    return;
  }
  const logger = openLogger({ folder: home.logs, name: "main", echo: true });
  guardProcess(logger);
  guardContents(logger);
  const clock = realClock();
  const { version, git } = readVersion();
  logger.info(`Kingfisher ${version} (${git}), Electron ${process.versions.electron}, ${home.root}`);
  void app
    .whenReady()
    .then(async () => {
      const truth = spectatorSocket(process.pid);
      const needs = { clock, home, logger, embeddedArgs: ["--grader", truth] };
      new Shell(await openStation(needs), needs, args, truth).open(outFolder);
    })
    .catch((error: unknown) => {
      logger.error("Kingfisher could not start", error);
      app.exit(1);
    });
}

class Shell implements ShellState {
  typing = false;
  readonly drawn = new Set<string>();
  readonly #station: StationPort;
  readonly #needs: StationNeeds;
  readonly #args: ShellArguments;
  readonly #watch;
  readonly #publisher;
  readonly #cameras;
  readonly #spectator;
  #window: BrowserWindow | null = null;
  #lastDeath_ms = Number.NEGATIVE_INFINITY;
  #cancelRestart: Cancel = () => {};
  #armed = false;
  #closing = false;

  constructor(station: StationPort, needs: StationNeeds, args: ShellArguments, truth: string) {
    this.#station = station;
    this.#needs = needs;
    this.#args = args;
    this.#watch = watchRenderer(needs.clock, () => {
      this.#lost("the window has been silent for 2 s");
    });
    this.#publisher = createPublisher((name, value) => {
      this.#page()?.send(name, value);
    }, needs.clock);
    this.#cameras = createCameraPorts(() => this.#page());
    this.#spectator = new Spectator(truth, needs.clock, () => this.#page());
  }

  open(outFolder: string): void {
    const { logger, home, clock } = this.#needs;
    const media = new MediaDesk(pageOrigin);
    servePage(session.defaultSession, join(outFolder, "renderer"), media);
    denyPermissions(session.defaultSession, logger);
    registerRequests(shellHandlers(this.#station, this, home, media), trustOrigin(pageOrigin), logger);
    this.#station.on((name, value) => {
      if (name === "vehicle") this.#armed = (value as { readonly armed: boolean }).armed;
      if (name === "settings") this.#zoom((value as Settings).appearance.scale);
      this.#publisher.publish(name, value);
    });
    this.#station.onPicture((picture) => {
      this.#cameras.show(picture);
    });
    this.#window = createWindow(outFolder, home);
    this.#follow(this.#window);
    this.#setMenu(false);
    this.#followApp();
    if (this.#args.smoke !== null) void this.#smoke(this.#args.smoke, clock);
  }

  window(): BrowserWindow | null {
    return this.#window;
  }

  alive(): void {
    if (this.#watch.lost) this.#needs.logger.info("The window is alive");
    this.#watch.alive();
  }

  spectate(on: boolean): void {
    this.#spectator.watch(on);
  }

  #page(): Electron.WebContents | null {
    const contents = this.#window?.webContents;
    return contents === undefined || contents.isDestroyed() || contents.isCrashed() ? null : contents;
  }

  /** The operator's scale; true zoom, so that every pixel measure of the page follows. */
  #zoom(scale: number): void {
    this.#page()?.setZoomFactor(scale);
  }

  #emergency(action: EmergencyAction, source: string): void {
    this.#needs.logger.warn(`${action.toUpperCase()} by ${source}`);
    this.#station.emergency(action, source);
  }

  #lost(why: string): void {
    this.#needs.logger.error(`Window lost: ${why}`);
    this.#station.rendererLost(why);
  }

  #follow(window: BrowserWindow): void {
    const { logger } = this.#needs;
    const contents = window.webContents;
    contents.on("before-input-event", (event, input) => {
      const key = emergencyKey(input, { typing: this.typing, hung: this.#watch.lost });
      if (key.swallow) event.preventDefault();
      if (key.action !== null) this.#emergency(key.action, "key");
    });
    contents.on("did-finish-load", () => {
      yieldDrawing();
      void this.#station.handlers["settings.get"]({}).then((settings) => {
        this.#zoom(settings.appearance.scale);
      });
      this.typing = false;
      this.#cameras.reset();
      this.#spectator.close();
      this.#setMenu(false);
      if (this.#args.open !== null)
        this.#publisher.publish("menu", { action: "open", path: this.#args.open });
    });
    contents.on("render-process-gone", (_event, details) => {
      this.#watch.expectSilence();
      this.#cameras.reset();
      this.#spectator.close();
      this.#setMenu(true);
      this.#lost(`its process is gone (${details.reason}, exit ${details.exitCode})`);
      this.#restart();
    });
    contents.on("did-fail-load", (_event, code, text, url) => {
      logger.error(`Page failed to load: ${text} (${code}) ${url}`);
    });
    contents.on("preload-error", (_event, path, error) => {
      logger.error(`Preload failed: ${path}`, error);
    });
    window.on("unresponsive", () => logger.warn("The window does not respond"));
    window.on("responsive", () => logger.info("The window responds again"));
    window.on("close", (event) => {
      if (!this.#mayClose()) event.preventDefault();
    });
    window.on("closed", () => {
      this.#watch.expectSilence();
      this.#window = null;
    });
  }

  /** The same flight goes on in the new page; a page that keeps dying is not restarted in a tight loop. */
  #restart(): void {
    const { clock } = this.#needs;
    const wait_ms = this.#lastDeath_ms + restart_pause_ms - clock.now_ms();
    this.#lastDeath_ms = clock.now_ms();
    this.#cancelRestart();
    this.#cancelRestart = clock.after(Math.max(50, wait_ms), () => {
      if (!this.#closing) this.#window?.webContents.reload();
    });
  }

  #mayClose(): boolean {
    if (!this.#armed || this.#closing || this.#window === null) return true;
    if (!askToLeave(this.#window)) return false;
    this.#emergency("hold", "leaving");
    return true;
  }

  #setMenu(windowLost: boolean): void {
    const template = menuTemplate(
      {
        emergency: (action, source) => {
          this.#emergency(action, source);
        },
        show: (action) => {
          this.#publisher.publish("menu", { action, path: null });
        },
        openFile: () => {
          void this.#openFile();
        },
        restartWindow: () => this.#window?.webContents.forcefullyCrashRenderer(),
        quit: () => {
          app.quit();
        },
      },
      windowLost,
    );
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  async #openFile(): Promise<void> {
    const path = await pickRecording(this.#window, this.#needs.home);
    if (path !== null) this.#publisher.publish("menu", { action: "open", path });
  }

  #followApp(): void {
    followLinks((path) => {
      this.#publisher.publish("menu", { action: "open", path });
    });
    app.on("second-instance", () => {
      if (this.#window?.isMinimized() === true) this.#window.restore();
      this.#window?.focus();
    });
    app.on("window-all-closed", () => {
      app.quit();
    });
    app.on("will-quit", (event) => {
      if (this.#closing) return;
      event.preventDefault();
      void this.#leave(0);
    });
    // Drawing threads come and go with the window's size, the process with a driver's crash.
    this.#needs.clock.every(5000, yieldDrawing);
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void this.#leave(0));
  }

  async #leave(code: number): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#watch.close();
    this.#cancelRestart();
    this.#publisher.close();
    await this.#station.close().catch((error: unknown) => {
      this.#needs.logger.error("The station did not close cleanly", error);
    });
    app.exit(code);
  }

  async #smoke(path: string, clock: Clock): Promise<void> {
    if (this.#window === null) return;
    const missing = await takeSmokePicture({
      path,
      timeout_s: this.#args.smoke_timeout_s,
      window: this.#window,
      clock,
      view: async () => ({
        snapshot: await this.#station.handlers["station.snapshot"]({}),
        drawn: this.drawn,
      }),
    });
    if (missing.length === 0) process.stdout.write(`Smoke: everything drew; picture in ${path}\n`);
    else process.stderr.write(`Smoke: after ${this.#args.smoke_timeout_s} s ${missing.join("; ")}\n`);
    await this.#leave(missing.length === 0 ? 0 : 1);
  }
}
