import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Bridge } from "#contract/ipc";
import { cockpitOf } from "../support/cockpit";
import { type AppUnderTest, launchApp } from "../support/electron";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const workspaces = ["Fly", "Programs", "Review", "Evaluate", "Setup"] as const;
const sections = [
  "Links",
  "Arming checks",
  "Parameters",
  "Plan and fence",
  "Logs and files",
  "External position",
  "Inspector",
  "Limits",
  "Appearance",
  "Alerts",
  "Operator",
  "About",
] as const;
const themes = ["dark", "sunlight", "contrast"] as const;

let kingfisher: AppUnderTest;
beforeAll(async () => {
  kingfisher = await launchApp();
  await cockpitOf(kingfisher).until(({ vehicle }) => vehicle.connected, "the vehicle");
  await kingfisher.page.evaluate(axeSource);
});
afterAll(async () => {
  await kingfisher.close();
});

/** Breaches of WCAG 2.2 A and AA, one line each with the first element concerned. */
async function breaches(): Promise<readonly string[]> {
  const { violations } = await kingfisher.page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return await axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"],
    });
  });
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes.length}, first ${String(nodes[0]?.target)} ${nodes[0]?.failureSummary ?? ""})`,
  );
}

test("a breach would be found", async () => {
  await kingfisher.page.evaluate(() => {
    document.body.insertAdjacentHTML("beforeend", "<button id='planted'></button>");
  });
  expect(await breaches()).toContainEqual(expect.stringContaining("button-name"));
  await kingfisher.page.evaluate(() => {
    document.getElementById("planted")?.remove();
  });
});

describe.each(themes)("in the %s theme", (theme) => {
  beforeAll(async () => {
    await kingfisher.page.evaluate(async (wanted) => {
      const { kingfisher: bridge } = window as unknown as { kingfisher: Bridge };
      const settings = await bridge.request("settings.get", {});
      await bridge.request("settings.set", {
        ...settings,
        appearance: { ...settings.appearance, theme: wanted },
      });
    }, theme);
    await kingfisher.page.waitForSelector(`html[data-theme="${theme}"]`);
  });

  test.each(workspaces)("%s is accessible", async (workspace) => {
    await kingfisher.page.keyboard.press(`Control+${workspaces.indexOf(workspace) + 1}`);
    expect(await breaches()).toEqual([]);
  });

  test.each(sections)("Setup, %s is accessible", async (section) => {
    await kingfisher.page.keyboard.press("Control+5");
    await kingfisher.page.getByRole("tab", { name: section }).click();
    await kingfisher.page.getByRole("tabpanel", { name: section }).waitFor();
    expect(await breaches()).toEqual([]);
  });
});

test("at 640 by 400 HOLD, LAND and KILL are still there, inside the window", async () => {
  await kingfisher.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(640, 400);
  });
  await expect.poll(() => kingfisher.page.evaluate(() => window.innerWidth), { timeout: 20_000 }).toBe(640);
  for (const name of [/HOLD/, /LAND/, /KILL/]) {
    const button = kingfisher.page
      .getByRole("group", { name: "Emergency actions" })
      .getByRole("button", { name });
    const box = await button.first().boundingBox();
    expect(box).not.toBeNull();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 9999) <= 640).toBe(true);
  }
});
