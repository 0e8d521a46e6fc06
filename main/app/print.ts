import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { app, BrowserWindow } from "electron";
import type { Input, Output } from "#contract/ipc";
import type { StationHandlers } from "../ipc/port";
import type { ShellArguments } from "./arguments";

/** A4 with the page's own margins (`@page` in the report). */
const PAPER = { pageSize: "A4", printBackground: true, preferCSSPageSize: true } as const;

/**
 * Prints a page of ours as PDF in a window that nobody sees: no scripts, no network, nothing but the file. Only the window's
 * process can: the review process has no Chromium.
 */
async function printPage(page: string): Promise<Buffer> {
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      sandbox: true,
      javascript: false,
      contextIsolation: true,
      nodeIntegration: false,
      partition: "print",
    },
  });
  try {
    await window.loadURL(pathToFileURL(page).href);
    return await window.webContents.printToPDF(PAPER);
  } finally {
    window.destroy();
  }
}

/** Writes a PDF whole or not at all. */
async function printTo(page: string, target: string): Promise<number> {
  const pdf = await printPage(page);
  const staged = `${target}.new`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(staged, pdf);
    renameSync(staged, target);
  } finally {
    rmSync(staged, { force: true });
  }
  return pdf.length;
}

/** `--print PAGE --to FILE`: prints and leaves, which the command line uses. False when it was not asked for. */
export function printIfAsked({ print }: ShellArguments): boolean {
  if (print === null) return false;
  void app
    .whenReady()
    .then(() => printTo(print.page, print.target))
    .then(() => {
      app.exit(0);
    })
    .catch((error: unknown) => {
      process.stderr.write(`Print: ${error instanceof Error ? error.message : String(error)}\n`);
      app.exit(1);
    });
  return true;
}

/** `review.export`: reports as PDF are made here of the review process's page; everything else it writes itself. */
export async function exportOrPrint(
  station: StationHandlers,
  { id, order }: Input<"review.export">,
): Promise<Output<"review.export">> {
  if (order.format !== "pdf") return station["review.export"]({ id, order });
  const folder = mkdtempSync(join(tmpdir(), "kingfisher-print-"));
  try {
    const html = await station["review.export"]({
      id,
      order: { ...order, format: "report", folder, overwrite: true },
    });
    if (!html.ok || html.value.state !== "written") return html;
    const [page = ""] = html.value.files;
    const name = page.slice(folder.length + 1).replace(/\.html$/, ".pdf");
    const target = join(order.folder, name);
    if (existsSync(target) && !order.overwrite)
      return { ok: true, value: { state: "exists", files: [target] } };
    const bytes = await printTo(page, target);
    return { ok: true, value: { ...html.value, format: "pdf", files: [target], bytes } };
  } catch (error) {
    return {
      ok: false,
      reason: `Printing to ${order.folder} failed: ${error instanceof Error ? error.message : String(error)}.`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
