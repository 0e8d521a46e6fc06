import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { appRoot } from "../platform/paths";
import type { PrintPdf } from "../review/cli";
import { fileProblem } from "../review/workspace/files";

const Note = z.looseObject({ executable: z.string() });
const LONGEST_MS = 120_000;

/** The Electron that `npm start` set up, when there is one. */
function electronPath(): string | null {
  try {
    const note = Note.parse(JSON.parse(readFileSync(join(appRoot(), ".cache", "runtime.json"), "utf8")));
    return existsSync(note.executable) ? note.executable : null;
  } catch {
    return null;
  }
}

/** Prints through the window's own process, which is started for this alone; null without an Electron. */
export function electronPrinter(): PrintPdf | null {
  const electron = electronPath();
  if (electron === null) return null;
  return async (html, target, overwrite) => {
    if (existsSync(target) && !overwrite) return `${target} exists already; --overwrite replaces it.`;
    const folder = mkdtempSync(join(tmpdir(), "kingfisher-print-"));
    const staged = `${target}.new`;
    try {
      mkdirSync(dirname(target), { recursive: true });
      const page = join(folder, "report.html");
      writeFileSync(page, html);
      const problem = await start(electron, ["--print", page, "--to", staged], folder);
      if (problem !== null) return problem;
      renameSync(staged, target);
      return null;
    } catch (error) {
      return fileProblem("Printing to", target, error);
    } finally {
      rmSync(staged, { force: true });
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

async function start(electron: string, args: readonly string[], home: string): Promise<string | null> {
  const root = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const command = [electron, join(appRoot()), ...root, ...args];
  // Without a display Chromium does not start; the virtual one of the set-up serves.
  const display = process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"];
  const whole =
    process.platform === "linux" && display === undefined ? ["xvfb-run", "-a", ...command] : command;
  const [file = electron, ...rest] = whole;
  try {
    await promisify(execFile)(file, rest, {
      env: { ...process.env, KINGFISHER_HOME: home },
      timeout: LONGEST_MS,
    });
    return null;
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const line = stderr?.split("\n").find((text) => text.startsWith("Print:"));
    return line ?? `Electron could not print: ${message.split("\n")[0] ?? ""}`;
  }
}
