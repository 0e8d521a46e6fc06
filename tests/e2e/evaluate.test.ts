import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppUnderTest, launchApp } from "../support/electron";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let kingfisher: AppUnderTest;
beforeAll(async () => {
  kingfisher = await launchApp();
});
afterAll(async () => {
  await kingfisher.close();
});

test("a suite of one trial: started in the window, flown by the runner, graded, listed, its flight opened in Review", async () => {
  const { page } = kingfisher;
  await page.keyboard.press("Control+4");
  const form = page.getByRole("form", { name: "New run" });
  await form.getByLabel("Suite").selectOption("smoke", { timeout: 60_000 });
  await form.getByLabel("Trials").fill("none");
  await expect.poll(() => form.getByRole("status").textContent()).toContain("Trials: a whole number");
  await form.getByLabel("Trials").fill("1");
  await form.getByRole("button", { name: "Start" }).click();

  const running = page.getByRole("region", { name: "Running" });
  await running.getByText("0 of 1 trials done").waitFor({ timeout: 60_000 });
  await running.getByText(/s flown/).waitFor({ timeout: 60_000 });

  const results = page.getByRole("region", { name: "Results: Smoke" });
  await results
    .getByRole("cell", { name: /1 of 1 21–100 %/ })
    .first()
    .waitFor({ timeout: 200_000 });
  await results.getByText("No trial failed.").waitFor();
  await page.getByRole("button", { name: /^smoke 1 of 1 passed/ }).waitFor();

  const shot = process.env["KINGFISHER_SHOT"];
  if (shot !== undefined) await page.screenshot({ path: shot });

  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return await axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
      resultTypes: ["violations"],
    });
  });
  expect(violations.map((v) => `${v.id}: ${String(v.nodes[0]?.target)}`)).toEqual([]);

  await results.getByRole("button", { name: /take off and land, passed/ }).click();
  await page
    .getByText(/take off to 1 m and land/)
    .first()
    .waitFor({ timeout: 60_000 });
});
