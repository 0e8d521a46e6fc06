import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type ConsoleMessage,
  type ElectronApplication,
  _electron as electron,
  type Page,
} from "playwright-core";

const here = fileURLToPath(new URL(".", import.meta.url));

export interface LaunchOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folder of the application; the built Kingfisher when not given. */
  readonly folder?: string;
  /** Console errors that a test provokes on purpose. */
  readonly expectedErrors?: RegExp;
  /** Kept when given; else a fresh one that is removed on close. */
  readonly home?: string;
  /** Window size in pixels: without a graphics card every one of them costs time. */
  readonly size?: { readonly width: number; readonly height: number };
}

export interface AppUnderTest {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** The fresh KINGFISHER_HOME of this start. */
  readonly home: string;
  /** What the main process has logged so far. */
  log(): string;
  /** Waits until the main process has logged a line that matches. */
  logged(line: RegExp, timeout_ms?: number): Promise<void>;
  /** Waits until the window shows signs of life again, as the main process sees it. */
  alive(): Promise<void>;
  /** Errors of the page's console so far; close() fails the test when there are any. */
  readonly consoleErrors: readonly string[];
  close(): Promise<void>;
}

/** Chromium's own remarks about the software renderer; they say nothing about our page. */
const remarks = /GPU stall due to ReadPixels|swiftshader|Automatic fallback to software WebGL/i;

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set: run through the e2e project`);
  return value;
}

/** Starts the built application in real Electron with a home of its own. */
export async function launchApp(options: LaunchOptions = {}): Promise<AppUnderTest> {
  const home = options.home ?? mkdtempSync(join(tmpdir(), "kingfisher-e2e-"));
  const size = options.size ?? { width: 1280, height: 800 };
  writeFileSync(join(home, "window.json"), JSON.stringify({ x: 0, y: 0, ...size, maximized: false }));
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => name !== "ELECTRON_RUN_AS_NODE" && name !== "NODE_OPTIONS",
    ),
  );
  const app = await electron.launch({
    executablePath: required("KINGFISHER_TEST_ELECTRON"),
    args: [
      ...required("KINGFISHER_TEST_FLAGS").split(" "),
      options.folder ?? resolve(here, "..", ".."),
      ...(options.args ?? []),
    ],
    env: { ...(inherited as Record<string, string>), ...options.env, KINGFISHER_HOME: home },
    timeout: 60_000,
  });
  const consoleErrors: string[] = [];
  const follow = (page: Page): void => {
    page.on("console", (message: ConsoleMessage) => {
      if (message.type() === "error" && !remarks.test(message.text())) consoleErrors.push(message.text());
    });
    page.on("pageerror", (error) => consoleErrors.push(`${error.name}: ${error.message}`));
  };
  app.on("window", follow);
  const page = await app.firstWindow();
  follow(page);
  await page.waitForLoadState("load");
  const log = (): string => {
    try {
      return readFileSync(join(home, "logs", "main.log"), "utf8");
    } catch {
      return "";
    }
  };
  const waitFor = async (condition: () => boolean, what: string, timeout_ms: number): Promise<void> => {
    const until_ms = Date.now() + timeout_ms;
    while (!condition()) {
      if (Date.now() > until_ms) throw new Error(`Never logged: ${what}. The log:\n${log()}`);
      await new Promise((done) => setTimeout(done, 25));
    }
  };
  return {
    app,
    page,
    home,
    log,
    logged: (line, timeout_ms = 20_000) =>
      waitFor(() => line.test(log()), `a line like ${String(line)}`, timeout_ms),
    alive: () =>
      waitFor(
        () => log().lastIndexOf("The window is alive") > log().lastIndexOf("Window lost"),
        "a living window",
        60_000,
      ),
    consoleErrors,
    close: async () => {
      // Leaving with an armed vehicle asks; nobody is there to answer.
      await app.evaluate(({ dialog }) => {
        dialog.showMessageBoxSync = () => 1;
      });
      await app.close();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
      const unexpected = consoleErrors.filter((text) => options.expectedErrors?.test(text) !== true);
      if (unexpected.length > 0)
        throw new Error(`The page's console shows errors:\n${unexpected.join("\n")}`);
    },
  };
}
