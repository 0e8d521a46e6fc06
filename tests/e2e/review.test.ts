import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ReviewWorkspace } from "#contract/review-workspace";
import { type AppUnderTest, launchApp } from "../support/electron";
import { setupOf } from "../support/setup-page";

const patience = { timeout: 60_000 };
const golden = fileURLToPath(new URL("../golden", import.meta.url));
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let kingfisher: AppUnderTest;
let page: Page;
let dialogsGive: (path: string) => Promise<void>;
const logs = mkdtempSync(join(tmpdir(), "kingfisher-logs-"));

beforeAll(async () => {
  for (const name of ["px4-1.18-hexa.ulg", "px4-1.17-hexa.tlog", "ardupilot-4.7-hexa.bin"])
    copyFileSync(join(golden, name), join(logs, name));
  kingfisher = await launchApp({ size: { width: 1440, height: 900 } });
  page = kingfisher.page;
  dialogsGive = (path) => setupOf(kingfisher).dialogsGive(path);
  await page.keyboard.press("Control+3");
});
afterAll(async () => {
  await kingfisher.close();
  rmSync(logs, { recursive: true, force: true });
});

const menu = async (item: string): Promise<void> => {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: item }).click();
};
const plots = () => page.getByRole("region", { name: "Plots" });
const titles = () => plots().getByRole("heading", { level: 3 }).allInnerTexts();

test("a PX4 log opens with the attitude layout, its findings and its path", async () => {
  await dialogsGive(join(logs, "px4-1.18-hexa.ulg"));
  await page.getByRole("button", { name: "Open a recording…" }).click();
  await page.getByRole("region", { name: "Timeline" }).waitFor(patience);
  const layout = page.getByRole("combobox", { name: "Layout" });
  await expect.poll(() => layout.locator("option").allInnerTexts(), patience).toContain("Attitude");
  await layout.selectOption({ label: "Attitude" });
  await expect.poll(titles, patience).toContain("Roll");
  await page.getByRole("application", { name: /3D replay/ }).waitFor(patience);
});

test("an expression is plotted, and what cannot be computed is said first", async () => {
  await plots().getByRole("button", { name: "Expression" }).click();
  const field = plots().getByRole("textbox", { name: "Expression" });
  await field.fill("{vehicle_attitude.nothing} * 2");
  await field.press("Enter");
  await plots().getByText("There is no numeric field {vehicle_attitude.nothing}.").waitFor(patience);
  const height = "0 - {vehicle_local_position.z}";
  await field.fill(height);
  await field.press("Enter");
  await expect.poll(async () => (await titles())[0], patience).toBe(height);
  await plots()
    .getByRole("button", { name: `Spectrum of ${height}` })
    .click();
  await page
    .getByRole("region", { name: `Spectrum of ${height}` })
    .getByText(/Hz sampled/)
    .waitFor(patience);
  await page.getByRole("button", { name: "Close the spectrum" }).click();
});

test("another log is laid over it, moved by hand, and stays where it was put", async () => {
  await page.getByRole("button", { name: "Add log" }).click();
  await page.getByRole("menuitem", { name: /px4-1\.17-hexa\.tlog/ }).click();
  const tab = page.getByRole("tab", { name: /Logs 2/ });
  await tab.waitFor(patience);
  await tab.click();
  const offset = page.getByRole("textbox", { name: /^Offset of/ });
  await offset.fill("-2.5");
  await offset.press("Enter");
  await expect.poll(() => page.getByText("set by hand").count(), patience).toBe(1);
  await expect
    .poll(async () =>
      Number(await page.getByRole("slider", { name: "Cursor" }).getAttribute("aria-valuemin")),
    )
    .toBe(-2.5);
});

test("bookmarks and notes are kept in a workspace file and come back with everything else", async () => {
  await page.getByRole("button", { name: "Bookmark" }).click();
  const words = page.getByRole("textbox", { name: /^Words for the bookmark/ });
  await words.fill("engine start");
  await page.getByRole("textbox", { name: "Notes on this review" }).fill("looks fine");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^Saved to/).waitFor(patience);
  const folder = join(kingfisher.home, "workspaces");
  const [name = ""] = readdirSync(folder);
  const file = ReviewWorkspace.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
  expect(file.logs).toHaveLength(2);
  expect(file.logs[1]?.offset_s).toBe(-2.5);

  await page.getByRole("button", { name: "Close this recording" }).click();
  await page
    .getByRole("region", { name: "Opened lately" })
    .getByRole("button", { name: new RegExp(name.replace(/[.]/g, "\\.")) })
    .click();
  await page.getByRole("tab", { name: /Logs 2/ }).waitFor(patience);
  await expect
    .poll(() => page.getByRole("textbox", { name: /^Words for the bookmark/ }).inputValue(), patience)
    .toBe("engine start");
  expect(await page.getByRole("textbox", { name: "Notes on this review" }).inputValue()).toBe("looks fine");
});

test("an export is written whole, and what is there already is not replaced unasked", async () => {
  const out = join(logs, "out");
  mkdirSync(out);
  const dialog = page.getByRole("dialog", { name: "Export" });
  await page.getByRole("button", { name: "Export" }).click();
  await dialog.getByRole("radio", { name: /^CSV/ }).check();
  await dialog.getByRole("textbox", { name: "Into" }).fill(out);
  await dialog.getByRole("button", { name: "Export", exact: true }).click();
  await dialog.getByRole("status").waitFor(patience);
  expect(readdirSync(out).some((name) => name.endsWith(".csv"))).toBe(true);
  await dialog.getByRole("button", { name: "Export", exact: true }).click();
  await dialog.getByText(/there already/).waitFor(patience);
  await dialog.getByRole("button", { name: "Close" }).click();
});

test("a printed report comes out of the window's own printer", async () => {
  const out = join(logs, "report");
  const dialog = page.getByRole("dialog", { name: "Export" });
  await page.getByRole("button", { name: "Export" }).click();
  await dialog.getByRole("radio", { name: /^Report \(PDF\)/ }).check();
  await dialog.getByRole("textbox", { name: "Into" }).fill(out);
  await dialog.getByRole("button", { name: "Export", exact: true }).click();
  await dialog.getByRole("status").waitFor(patience);
  const [pdf = ""] = readdirSync(out).filter((name) => name.endsWith(".pdf"));
  expect(existsSync(join(out, pdf))).toBe(true);
  expect(readFileSync(join(out, pdf)).subarray(0, 5).toString("latin1")).toBe("%PDF-");
  await dialog.getByRole("button", { name: "Close" }).click();
});

test("nothing of an open review breaches the rules of access", async () => {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
  });
  expect(violations.map((v) => `${v.id}: ${String(v.nodes[0]?.target)}`)).toEqual([]);
});

test("the archive reads a folder, finds, compares, and answers SQL", async () => {
  await menu("Copy a link to this moment");
  await page.getByText(/^Copied kingfisher:\/\/review\?/).waitFor(patience);
  await page.getByRole("button", { name: "Close this recording" }).click();
  await page.getByRole("tab", { name: "Archive" }).click();
  const archive = page.getByRole("region", { name: "Archive" });
  await dialogsGive(logs);
  await archive.getByRole("button", { name: "Another folder…" }).click();
  await archive.getByText(/\b3 flights/).waitFor(patience);
  await archive.getByRole("searchbox", { name: "Words" }).fill("hexa");
  const marks = archive.getByRole("checkbox");
  await expect.poll(() => marks.count(), patience).toBe(3);
  await marks.nth(0).check();
  await marks.nth(1).check();
  await archive.getByRole("button", { name: "Compare 2" }).click();
  await archive.getByRole("rowheader", { name: "Duration" }).waitFor(patience);
  await archive.getByRole("button", { name: "Trends" }).click();
  await archive.getByRole("combobox", { name: /^Figure/ }).waitFor(patience);
  await archive.getByRole("button", { name: "SQL" }).click();
  const sql = archive.getByRole("textbox");
  await sql.fill("SELECT count(*) AS n FROM flights");
  await sql.press("Control+Enter");
  await archive.getByRole("cell", { name: "3", exact: true }).waitFor(patience);
  await sql.fill("DROP TABLE flights");
  await sql.press("Control+Enter");
  await archive.getByRole("alert").waitFor(patience);
});
