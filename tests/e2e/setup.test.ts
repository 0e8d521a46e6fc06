import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Cockpit, cockpitOf } from "../support/cockpit";
import { type AppUnderTest, launchApp } from "../support/electron";
import { type SetupPage, setupOf } from "../support/setup-page";

const patience = { timeout: 60_000 };

let kingfisher: AppUnderTest;
let cockpit: Cockpit;
let setup: SetupPage;
beforeAll(async () => {
  kingfisher = await launchApp({ size: { width: 1280, height: 720 } });
  cockpit = cockpitOf(kingfisher);
  setup = setupOf(kingfisher);
  await cockpit.until(({ vehicle }) => vehicle.connected, "the vehicle");
  const complete = async (): Promise<boolean> =>
    (await setup.ask("link.detail", {})).parameters.state === "complete";
  await vi.waitUntil(complete, { timeout: 120_000, interval: 200 });
});
afterAll(async () => {
  await kingfisher.close();
});

const valueOf = async (name: string): Promise<number | undefined> => {
  const list = await setup.ask("parameters.list", {});
  return list.ok ? list.value.find((row) => row.name === name)?.value : undefined;
};

test("links: the open one with its rate, loss and signing, and the vehicle that is heard", async () => {
  const panel = await setup.open("Links");
  const link = panel.getByRole("region", { name: /^Link udp/ });
  await link.waitFor();
  await expect.poll(() => link.innerText(), patience).toMatch(/frames\s+[1-9]\d* \/s/);
  expect(await link.innerText()).toMatch(/signing\s+not used/);
  expect(await panel.getByRole("region", { name: "Vehicles" }).innerText()).toMatch(/Selected/);
});

describe("parameters", () => {
  test("are all there, found by words of name and description, and one is written and confirmed", async () => {
    const panel = await setup.open("Parameters");
    const list = panel.getByRole("listbox", { name: "Parameters" });
    await list.waitFor();
    const { parameters } = await setup.ask("link.detail", {});
    expect(parameters.received).toBe(parameters.count);
    await expect.poll(() => panel.getByText(`${parameters.count} parameters`).count(), patience).toBe(1);
    // Only the rows in view exist.
    expect(await list.getByRole("option").count()).toBeLessThan(80);

    const search = panel.getByRole("searchbox", { name: "Search parameters" });
    await search.fill("horizontal speed automatic");
    const option = list.getByRole("option").first();
    await expect.poll(() => option.innerText(), patience).toContain("MPC_XY_CRUISE");
    await option.click();
    const field = panel.getByRole("textbox", { name: "MPC_XY_CRUISE, value" });
    await field.fill("4,5");
    await field.press("Enter");
    await panel.getByText("Confirmed: the vehicle says 4.5 m/s").waitFor(patience);
    expect(await valueOf("MPC_XY_CRUISE")).toBe(4.5);
    await search.fill("");
  });

  test("that no vehicle could store are not sent", async () => {
    const panel = await setup.open("Parameters");
    await panel.getByRole("searchbox", { name: "Search parameters" }).fill("NAV_DLL_ACT");
    await panel
      .getByRole("listbox", { name: "Parameters" })
      .getByRole("option", { name: /^NAV_DLL_ACT/ })
      .click();
    const field = panel.getByRole("textbox", { name: "NAV_DLL_ACT, value" });
    const before = await valueOf("NAV_DLL_ACT");
    await field.fill("1.5");
    await panel.getByText("A whole number, without a point").waitFor();
    await field.press("Enter");
    expect(await valueOf("NAV_DLL_ACT")).toBe(before);
    await panel.getByRole("searchbox", { name: "Search parameters" }).fill("");
  });

  test("with named values are chosen by name, and those read at the start say that they wait for a restart", async () => {
    const panel = await setup.open("Parameters");
    const search = panel.getByRole("searchbox", { name: "Search parameters" });
    const list = panel.getByRole("listbox", { name: "Parameters" });
    await search.fill("NAV_DLL_ACT");
    await list.getByRole("option", { name: /^NAV_DLL_ACT/ }).click();
    await panel.getByRole("combobox", { name: "NAV_DLL_ACT, by name" }).selectOption({ label: "1 · Hold" });
    await panel.getByRole("button", { name: "Write", exact: true }).click();
    await panel.getByText("Confirmed: the vehicle says 1").waitFor(patience);
    await expect.poll(() => list.getByRole("option").first().innerText(), patience).toContain("1 · Hold");
    await search.fill("SYS_AUTOSTART");
    await list.getByRole("option", { name: /^SYS_AUTOSTART/ }).click();
    const field = panel.getByRole("textbox", { name: "SYS_AUTOSTART, value" });
    await field.fill("10045");
    await field.press("Enter");
    await panel
      .getByText(/SYS_AUTOSTART: takes effect after the vehicle has been restarted/)
      .waitFor(patience);
    await search.fill("");
  });

  test("are saved, compared with a file and loaded from it", async () => {
    const panel = await setup.open("Parameters");
    const path = join(kingfisher.home, "vehicle.params");
    await setup.dialogsGive(path);
    await panel.getByRole("button", { name: "Save to a file" }).click();
    await kingfisher.page.getByText(`Saved to ${path}`).waitFor(patience);
    const saved = readFileSync(path, "utf8");
    expect(saved.split("\n").filter((line) => /^\d/.test(line))).toHaveLength(
      (await setup.ask("link.detail", {})).parameters.count ?? -1,
    );
    writeFileSync(path, saved.replace(/(\tMPC_XY_CRUISE\t)\S+/, "$13.25").replace(/.*\tMPC_Z_P\t.*\n/, ""));

    await panel.getByRole("button", { name: "Compare with a file" }).click();
    const compare = panel.getByRole("region", { name: "Comparison with a file" });
    await compare.waitFor(patience);
    const row = compare.getByRole("row", { name: /MPC_XY_CRUISE/ });
    expect(await row.innerText()).toMatch(/4\.5\s+3\.25/);
    expect(await compare.getByRole("row", { name: /MPC_Z_P/ }).innerText()).toContain("not there");
    await row.getByRole("checkbox").check();
    await compare.getByRole("button", { name: "Write 1 from the file" }).click();
    await expect.poll(() => valueOf("MPC_XY_CRUISE"), patience).toBe(3.25);
    await expect.poll(() => compare.getByRole("row", { name: /MPC_XY_CRUISE/ }).count(), patience).toBe(0);
    await compare.getByRole("button", { name: "Back to the list" }).click();
  });

  test("leave the emergency keys alone: Space is text in the search and HOLD on the list, F9 holds in both", async () => {
    const panel = await setup.open("Parameters");
    const pressed = async (): Promise<number> => {
      const { station } = await cockpit.snapshot();
      return station.emergency.find(({ action }) => action === "hold")?.at_ms ?? 0;
    };
    const search = panel.getByRole("searchbox", { name: "Search parameters" });
    const first = await pressed();
    await search.fill("");
    await search.press("Space");
    expect(await search.inputValue()).toBe(" ");
    expect(await pressed()).toBe(first);
    await search.press("F9");
    await expect.poll(pressed, patience).not.toBe(first);
    const second = await pressed();
    await search.fill("");
    await panel.getByRole("listbox", { name: "Parameters" }).focus();
    await kingfisher.page.keyboard.press("Space");
    await expect.poll(pressed, patience).not.toBe(second);
  });
});

test("the arming checklist shows every reason and the failsafes in words; one that climbs through the ceiling blocks", async () => {
  const panel = await setup.open("Arming checks");
  const failsafes = panel.getByRole("region", { name: "What the vehicle does by itself" });
  await expect.poll(() => failsafes.getByRole("listitem").count(), patience).toBeGreaterThan(4);
  expect(await failsafes.innerText()).toContain("RTL_RETURN_ALT");
  const before = await valueOf("RTL_RETURN_ALT");
  await setup.ask("parameters.write", { name: "RTL_RETURN_ALT", value: 30 });
  const arming = panel.getByRole("region", { name: "Arming", exact: true });
  await expect
    .poll(() => arming.getByRole("img", { name: "blocks arming" }).count(), patience)
    .toBeGreaterThan(0);
  await expect.poll(() => failsafes.innerText(), patience).toMatch(/30(\.0)? m/);
  expect(await kingfisher.page.getByRole("tab", { name: /Arming checks/ }).innerText()).toMatch(/block/);
  await setup.ask("parameters.write", { name: "RTL_RETURN_ALT", value: before ?? 1.5 });
  await expect.poll(() => failsafes.getByRole("img", { name: "blocks arming" }).count(), patience).toBe(0);
});

test("the inspector shows ATTITUDE with its rate and fields, and plots one of them live", async () => {
  const panel = await setup.open("Inspector");
  const message = panel.getByRole("button", { name: /^ATTITUDE / }).first();
  await expect.poll(() => message.innerText(), patience).toMatch(/[1-9]\d*\.\d Hz/);
  await message.click();
  const fields = panel.getByRole("region", { name: "Fields of ATTITUDE" });
  await fields.getByRole("row", { name: /^roll / }).waitFor(patience);
  await fields.getByRole("button", { name: "Plot roll", exact: true }).click();
  const plot = panel.getByRole("figure", { name: /Plot of ATTITUDE\.roll/ });
  await plot.waitFor(patience);
  await expect.poll(() => plot.getAttribute("aria-label"), patience).toMatch(/now −?\d/);
  expect(await plot.locator("canvas").count()).toBe(1);
  await plot.getByRole("button", { name: "Close the plot of roll" }).click();
  await expect.poll(() => panel.getByRole("figure").count(), patience).toBe(0);
});

describe("a fence", () => {
  test("is placed, moved by mouse, keys and numbers, undone, and reaches the vehicle only when it is uploaded", async () => {
    const panel = await setup.open("Plan and fence");
    const editor = panel.getByRole("region", { name: "Fence editor" });
    await panel.getByRole("button", { name: "Keep-in area" }).click();
    await editor.getByRole("button", { name: /^Place a square/ }).click();
    const corner = (n: number) =>
      editor.getByRole("button", { name: new RegExp(`^Corner ${n} of Keep in 1`) });
    await corner(4).waitFor(patience);
    const east = panel.getByRole("textbox", { name: "East of corner 1, m" });
    const north = panel.getByRole("textbox", { name: "North of corner 1, m" });
    const start = Number(await east.inputValue());

    // Keys: a held arrow is one step for undo.
    await corner(1).focus();
    await kingfisher.page.keyboard.press("ArrowLeft");
    await kingfisher.page.keyboard.press("Shift+ArrowLeft");
    await expect.poll(async () => Number(await east.inputValue()), patience).toBeCloseTo(start - 0.55, 3);
    await kingfisher.page.keyboard.press("Control+z");
    await expect.poll(async () => Number(await east.inputValue()), patience).toBeCloseTo(start - 0.05, 3);

    // The mouse: corner 3 is dragged and stays where it is let go.
    const box = await corner(3).boundingBox();
    if (box === null) throw new Error("Invariant: corner 3 is in the picture");
    const before = await corner(3).getAttribute("aria-label");
    await kingfisher.page.mouse.move(box.x + 12, box.y + 12);
    await kingfisher.page.mouse.down();
    await kingfisher.page.mouse.move(box.x + 30, box.y, { steps: 4 });
    await kingfisher.page.mouse.up();
    await expect.poll(() => corner(3).getAttribute("aria-label"), patience).not.toBe(before);

    // Numbers, with a comma.
    await east.fill("−2,25");
    await east.press("Enter");
    await north.fill("-1.75");
    await north.press("Enter");
    await expect
      .poll(() => corner(1).getAttribute("aria-label"), patience)
      .toContain("east −2.25 m, north −1.75 m");

    // A keep-out circle beside it, by numbers alone.
    await panel.getByRole("button", { name: "Keep-out circle" }).click();
    await editor.getByRole("button", { name: /^Place a circle/ }).click();
    const radius = panel.getByRole("textbox", { name: "Radius, m" });
    await radius.fill("0.4");
    await radius.press("Enter");
    await panel.getByRole("textbox", { name: "Centre north, m" }).fill("1.2");
    await panel.getByRole("textbox", { name: "Centre north, m" }).press("Enter");

    const nothing_sent = await setup.ask("plan.read", {});
    expect(nothing_sent.ok && nothing_sent.value.fence).toEqual({ polygons: [], circles: [] });

    await panel.getByRole("button", { name: "Upload to the vehicle" }).click();
    await panel.getByText("Fence: read back and equal").waitFor(patience);
    await expect.poll(() => panel.getByText("same as here").count(), patience).toBe(1);
    const kept = await setup.ask("plan.read", {});
    if (!kept.ok) throw new Error(kept.reason);
    const [polygon] = kept.value.fence.polygons;
    const [circle] = kept.value.fence.circles;
    expect(polygon?.inclusion).toBe(true);
    expect(polygon?.corners_enu_m[0]?.[0]).toBeCloseTo(-2.25, 1);
    expect(polygon?.corners_enu_m[0]?.[1]).toBeCloseTo(-1.75, 1);
    expect(circle?.inclusion).toBe(false);
    expect(circle?.radius_m).toBeCloseTo(0.4, 3);
  });

  test("that crosses itself cannot be uploaded, and says which edges cross", async () => {
    const panel = await setup.open("Plan and fence");
    await panel.getByRole("button", { name: /^Keep in 1/ }).click();
    await panel.getByRole("textbox", { name: "East of corner 1, m" }).fill("9");
    await panel.getByRole("textbox", { name: "East of corner 1, m" }).press("Enter");
    await panel.getByRole("textbox", { name: "North of corner 1, m" }).fill("0.2");
    await panel.getByRole("textbox", { name: "North of corner 1, m" }).press("Enter");
    await panel.getByText(/crosses itself/).waitFor(patience);
    const upload = panel.getByRole("button", { name: "Upload to the vehicle" });
    expect(await upload.getAttribute("aria-disabled")).toBe("true");
    await panel.getByRole("region", { name: "Fence editor" }).getByRole("button", { name: "Undo" }).click();
    await panel.getByRole("region", { name: "Fence editor" }).getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => upload.getAttribute("aria-disabled"), patience).toBe("false");
  });

  test("goes into a .plan file and comes back from it", async () => {
    const panel = await setup.open("Plan and fence");
    const path = join(kingfisher.home, "site.plan");
    await setup.dialogsGive(path);
    await panel.getByRole("button", { name: "Save", exact: true }).click();
    await kingfisher.page.getByText(`Saved to ${path}`).waitFor(patience);
    const zones = panel.getByRole("list", { name: "Zones" }).getByRole("listitem");
    await panel.getByRole("button", { name: /^Keep out 1/ }).click();
    await panel.getByRole("button", { name: "Delete Keep out 1" }).click();
    expect(await zones.count()).toBe(1);
    await panel.getByRole("button", { name: "Open", exact: true }).click();
    await expect.poll(() => zones.count(), patience).toBe(2);
    await expect.poll(() => panel.getByText("same as here").count(), patience).toBe(1);
  });
});

// Last: it flies.
test("a log of a flight is downloaded whole and opens in Review", async () => {
  const empty = await setup.ask("plan.write", {
    mission: null,
    fence: { polygons: [], circles: [] },
    rally: null,
  });
  expect(empty.ok).toBe(true);
  await kingfisher.page.keyboard.press("Control+1");
  await cockpit.say("take off and land");
  const { vehicle } = await cockpit.approveUntil("complete", "failed", "held");
  // However the mission ended, the flight has to.
  if (vehicle.armed) await setup.ask("emergency.press", { action: "land" });
  await cockpit.until((now) => !now.vehicle.armed, "landed and disarmed", 90_000);
  const panel = await setup.open("Logs and files");
  const logs = panel.getByRole("list", { name: "Vehicle logs" }).getByRole("listitem");
  await panel.getByRole("button", { name: "Ask again" }).first().click();
  await expect.poll(() => logs.count(), patience).toBeGreaterThan(0);
  const folder = join(kingfisher.home, "downloads");
  mkdirSync(folder, { recursive: true });
  await setup.dialogsGive(folder);
  await logs.first().getByRole("button", { name: "Download" }).click();
  await logs
    .first()
    .getByText(/^complete/)
    .waitFor({ timeout: 120_000 });
  const list = await setup.ask("logs.list", {});
  const newest = list.ok ? [...list.value].sort((a, b) => b.id - a.id)[0] : undefined;
  const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".ulg"));
  const bytes = readFileSync(join(folder, file));
  expect(bytes.subarray(0, 7).toString("latin1")).toBe("ULog\x01\x12\x35");
  expect(bytes.length).toBe(newest?.size);

  await logs.first().getByRole("button", { name: "Open in Review" }).click();
  await kingfisher.page.getByRole("region", { name: "Timeline" }).waitFor({ timeout: 90_000 });
});
