import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AppUnderTest, launchApp } from "../support/electron";
import { buildShellDouble } from "../support/shell-double/build";
import { openXKeyboard, type XKeyboard } from "../support/x-keys";

interface Seen {
  readonly seen: {
    readonly menu: string[];
    readonly keys: string[];
    readonly pictures: number[];
    readonly evaluated: string;
  };
}
const deniedOnPurpose =
  /Content Security Policy|ERR_BLOCKED_BY_CLIENT|Failed to fetch|unload|Permissions? check/i;

let shell: AppUnderTest;
let keyboard: XKeyboard;

const told = (): Promise<readonly string[]> =>
  shell.app.evaluate(() => (globalThis as unknown as { told: string[] }).told);
const toldMatching = async (pattern: RegExp): Promise<number> =>
  (await told()).filter((line) => pattern.test(line)).length;

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  await vi.waitUntil(condition, { timeout: 20_000, interval: 20 }).catch((cause: unknown) => {
    throw new Error(`Never came: ${what}`, { cause });
  });
}

beforeAll(async () => {
  shell = await launchApp({
    folder: await buildShellDouble(),
    args: ["--use-fake-device-for-media-stream"],
    expectedErrors: deniedOnPurpose,
  });
  keyboard = await openXKeyboard();
  await until(async () => (await toldMatching(/^alive$/)) > 0, "the page's first sign of life");
});
afterAll(async () => {
  keyboard.close();
  await shell.close();
});

describe("a page cannot get out", () => {
  test("no Node in the page, and only three functions of ours", async () => {
    const found = await shell.page.evaluate(() => {
      const page = globalThis as unknown as Record<string, unknown>;
      return {
        node: ["require", "process", "module", "Buffer", "global"].filter((name) => name in page),
        ours: Object.keys(page["kingfisher"] as object).sort(),
      };
    });
    expect(found).toEqual({ node: [], ours: ["on", "pathOf", "request"] });
  });

  test("web preferences are the hard ones", async () => {
    const preferences = await shell.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): Record<string, unknown>;
      };
      const { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity } =
        contents.getLastWebPreferences();
      return { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity };
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      webSecurity: true,
    });
  });

  test("navigation away is denied", async () => {
    await shell.page.evaluate(() => {
      window.location.href = "https://example.invalid/";
    });
    await shell.logged(/Navigation denied: https:\/\/example\.invalid/);
    expect(await shell.page.evaluate(() => window.location.href)).toBe("kingfisher://app/index.html");
  });

  test("a new window is denied", async () => {
    expect(await shell.page.evaluate(() => window.open("kingfisher://app/index.html") === null)).toBe(true);
    expect(await shell.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });

  test("permissions are denied", async () => {
    const answers = await shell.page.evaluate(async () => ({
      camera: await navigator.mediaDevices.getUserMedia({ video: true }).then(
        () => "granted",
        (error: unknown) => (error as Error).name,
      ),
      notifications: await Notification.requestPermission(),
      position: await new Promise((done) => {
        navigator.geolocation.getCurrentPosition(
          () => {
            done("granted");
          },
          (error) => {
            done(error.code);
          },
        );
      }),
    }));
    expect(answers).toEqual({ camera: "NotAllowedError", notifications: "denied", position: 1 });
  });

  test("no inline script, no eval, no foreign script runs", async () => {
    const ran = await shell.page.evaluate(async () => {
      const page = globalThis as unknown as Seen & { inlineRan?: boolean };
      const add = (configure: (script: HTMLScriptElement) => void): Promise<string> =>
        new Promise((done) => {
          const script = document.createElement("script");
          script.onload = () => {
            done("ran");
          };
          script.onerror = () => {
            done("blocked");
          };
          configure(script);
          document.head.append(script);
        });
      void add((script) => {
        script.textContent = "globalThis.inlineRan = true";
      });
      const foreign = await add((script) => {
        script.src = "https://example.invalid/x.js";
      });
      return { inline: page.inlineRan === true, evaluated: page.seen.evaluated, foreign };
    });
    expect(ran).toEqual({ inline: false, evaluated: "EvalError", foreign: "blocked" });
  });

  test("an unknown request and a malformed one reach no handler", async () => {
    const answers = await shell.page.evaluate(async () => {
      const bridge = (
        window as unknown as { kingfisher: { request(name: string, input: unknown): Promise<unknown> } }
      ).kingfisher;
      const attempt = async (name: string, input: unknown): Promise<string> => {
        try {
          await bridge.request(name, input);
          return "answered";
        } catch (error) {
          return (error as Error).message;
        }
      };
      return [await attempt("shell.run", {}), await attempt("ui.drawn", { what: "everything" })];
    });
    expect(answers[0]).toMatch(/Unknown request/);
    expect(answers[1]).toMatch(/ui\.drawn failed/);
    expect(shell.log()).toMatch(/Request ui\.drawn failed/);
  });

  test("a frame inside the page is not listened to", async () => {
    const answer = await shell.app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      await contents?.executeJavaScript(`new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.src = "index.html"; frame.onload = done; frame.onerror = done;
        document.body.append(frame);
      })`);
      const frame = contents?.mainFrame.frames[0];
      return await frame?.executeJavaScript("typeof window.kingfisher");
    });
    expect(answer).toBe("undefined");
  });
});

describe("pictures", () => {
  test("each camera has a port, and pictures go on after a reload", async () => {
    const count = (): Promise<number> =>
      shell.page.evaluate(() => (globalThis as unknown as Seen).seen.pictures.length);
    await until(async () => (await count()) > 5, "pictures");
    await shell.page.reload();
    await until(async () => (await count()) > 5, "pictures after a reload");
    const order = await shell.page.evaluate(() => (globalThis as unknown as Seen).seen.pictures);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});

describe("keys", () => {
  test("F9 holds exactly once and never reaches the page, also while typing", async () => {
    const before = await toldMatching(/^hold/);
    await shell.page.focus("#text");
    await keyboard.press("F9");
    await until(async () => (await toldMatching(/^hold/)) === before + 1, "one HOLD");
    expect(await shell.page.evaluate(() => (globalThis as unknown as Seen).seen.keys)).not.toContain("F9");
  });

  test("Shift+L writes an L while typing and lands otherwise", async () => {
    await shell.page.fill("#text", "");
    await shell.page.focus("#text");
    await keyboard.press("Shift", "L");
    await expect.poll(() => shell.page.inputValue("#text")).toBe("L");
    expect(await toldMatching(/^land/)).toBe(0);
    await shell.page.evaluate(() => {
      (document.activeElement as HTMLElement).blur();
    });
    await expect.poll(() => shell.page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
    await keyboard.press("Shift", "L");
    await until(async () => (await toldMatching(/^land/)) === 1, "LAND");
  });

  test("Ctrl+3 and Ctrl+K reach the page as menu actions", async () => {
    await keyboard.press("Control", "3");
    await keyboard.press("Control", "K");
    await expect
      .poll(() => shell.page.evaluate(() => (globalThis as unknown as Seen).seen.menu))
      .toEqual(["review", "palette"]);
  });

  test("F9 holds while the page hangs, and its silence is reported", async () => {
    const before = await toldMatching(/^hold/);
    void shell.page.evaluate(() => {
      const until_ms = performance.now() + 6000;
      while (performance.now() < until_ms) Math.sqrt(until_ms);
    });
    await until(async () => (await toldMatching(/^lost: the window has been silent/)) > 0, "silence");
    await keyboard.press("F9");
    await until(async () => (await toldMatching(/^hold/)) === before + 1, "one HOLD");
    const alive = await toldMatching(/^alive/);
    await until(async () => (await toldMatching(/^alive/)) > alive, "the page's return");
  });

  test("F9 holds while the page's process is dead, and the window comes back", async () => {
    const before = await toldMatching(/^hold/);
    await shell.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      // The restart is kept away until the key has been pressed.
      const dead = contents as unknown as { reload: () => void };
      const reload = dead.reload.bind(contents);
      dead.reload = () => {};
      Object.assign(globalThis, { reload });
      contents?.forcefullyCrashRenderer();
    });
    await until(async () => (await toldMatching(/^lost: its process is gone/)) === 1, "the loss");
    await keyboard.press("F9");
    await until(async () => (await toldMatching(/^hold/)) === before + 1, "one HOLD");
    const alive = await toldMatching(/^alive/);
    await shell.app.evaluate(() => {
      (globalThis as unknown as { reload: () => void }).reload();
    });
    await until(async () => (await toldMatching(/^alive/)) > alive, "signs of life of the new page");
  });
});
