import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Snapshot } from "#contract/ipc";
import { type Cockpit, cockpitOf } from "../support/cockpit";
import { type AppUnderTest, launchApp } from "../support/electron";
import { openXKeyboard, type XKeyboard } from "../support/x-keys";

let kingfisher: AppUnderTest;
let cockpit: Cockpit;
let keyboard: XKeyboard;

beforeAll(async () => {
  kingfisher = await launchApp();
  keyboard = await openXKeyboard();
  cockpit = cockpitOf(kingfisher);
});
afterAll(async () => {
  keyboard.close();
  await kingfisher.close();
});

test("a first start comes up with the embedded vehicle connected, its camera live, and says SIMULATION", async () => {
  const now = await cockpit.until(
    ({ vehicle, perception }) => vehicle.connected && perception !== null,
    "vehicle and camera",
  );
  expect(now.station).toMatchObject({ vehicle_kind: "embedded", simulation: true });
  await expect.poll(() => kingfisher.page.getByText("SIMULATION").first().isVisible()).toBe(true);
});

test("electron/electron#11934: a lost WebGL context comes back as a new drawing of the same scene, by itself", async () => {
  await kingfisher.alive();
  const { page } = kingfisher;
  const notice = page.getByText("The 3D view lost its graphics context");
  for (let loss = 0; loss < 2; loss++) {
    // A living context of the page's own; `getContext` gives what a canvas has, and null for another kind.
    const lost = page.waitForFunction(() => {
      const canvas = [...document.querySelectorAll("canvas")].find(
        (one) => one.getContext("webgl2")?.isContextLost() === false,
      );
      if (canvas === undefined) return false;
      canvas.dataset["lost"] = "yes";
      canvas.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
      return true;
    });
    await lost;
    // The old canvas is gone, a new one has drawn: the notice ends with its first picture.
    await expect.poll(() => page.locator("canvas[data-lost]").count(), { timeout: 20_000 }).toBe(0);
    await expect.poll(() => notice.count(), { timeout: 20_000 }).toBe(0);
    const drawn = await page.evaluate(() =>
      [...document.querySelectorAll("canvas")].some(
        (one) => one.getContext("webgl2")?.isContextLost() === false && one.width > 100,
      ),
    );
    expect(drawn).toBe(true);
  }
  expect((await cockpit.snapshot()).vehicle.connected).toBe(true);
});

test("a mission said in words is approved card by card, flown, recorded, and opens in Review", async () => {
  await kingfisher.alive();
  await cockpit.say("take off, move forward twice, turn right and land");
  const end = await cockpit.approveUntil("complete", "failed", "held");
  expect([end.mission.phase, end.mission.why]).toEqual(["complete", ""]);
  expect(end.mission.steps.map(({ proposal, status }) => [proposal.call.skill, status])).toEqual([
    ["take_off", "success"],
    ["forward", "success"],
    ["forward", "success"],
    // A quarter turn is three of the library's thirty degrees.
    ["yaw_right", "success"],
    ["yaw_right", "success"],
    ["yaw_right", "success"],
    ["land", "success"],
    ["task_complete", "success"],
  ]);
  const asked = end.mission.steps[5]?.proposal.end;
  const down = await cockpit.until(
    ({ vehicle }) => !vehicle.armed && vehicle.landed === "on_ground",
    "landed and disarmed",
  );
  const [east = 0, north = 0] = down.vehicle.position_enu_m ?? [];
  const [east_asked = 0, north_asked = 0] = asked?.position_enu_m ?? [];
  expect(Math.hypot(east - east_asked, north - north_asked)).toBeLessThan(0.15);
  expect(Math.abs(Math.sin(((down.vehicle.yaw_enu_rad ?? 0) - (asked?.yaw_enu_rad ?? 0)) / 2))).toBeLessThan(
    Math.sin((5 * Math.PI) / 360),
  );

  const flights = join(kingfisher.home, "flights");
  const files = readdirSync(flights, { recursive: true }).map(String);
  expect(files.some((file) => file.endsWith(".mcap"))).toBe(true);
  expect(files.some((file) => file.endsWith(".tlog"))).toBe(true);

  // The vehicle's own log, fetched into the flight's folder.
  const offer = kingfisher.page.getByRole("region", { name: "The vehicle's log" });
  await offer.getByRole("button", { name: "Fetch" }).click({ timeout: 60_000 });
  await offer.getByText("lies beside the recording").waitFor({ timeout: 120_000 });
  expect(readdirSync(flights, { recursive: true }).some((file) => String(file).endsWith(".ulg"))).toBe(true);
  await offer.getByRole("button", { name: "Not now" }).click();

  await keyboard.press("Control", "3");
  const list = kingfisher.page.getByRole("region", { name: "Flights on this machine" });
  await list.getByRole("button").first().click();
  await kingfisher.page.getByRole("region", { name: "Timeline" }).waitFor({ timeout: 60_000 });
  await keyboard.press("Control", "1");
});

describe("HOLD", () => {
  /** In the air with a card for a turn, whatever the test before has left behind. */
  async function hovering(): Promise<void> {
    await kingfisher.alive();
    await cockpit.endMission();
    const { vehicle } = await cockpit.snapshot();
    await cockpit.say(vehicle.armed ? "turn right and turn left" : "take off, turn right and turn left");
    if (!vehicle.armed) await cockpit.approve();
    await cockpit.until(({ approval }) => approval?.proposal.call.skill === "yaw_right", "the next card");
  }

  async function heldBy(press: () => Promise<void>): Promise<void> {
    await press();
    const held = await cockpit.until(
      ({ mission, vehicle }) => mission.phase === "held" && vehicle.mode === "hold",
      "held in AUTO.LOITER",
    );
    expect(held.approval).toBeNull();
    await cockpit.emergency("hold", "confirmed");
  }

  test("while a dialog is open", async () => {
    await hovering();
    await keyboard.press("Control", "K");
    await kingfisher.page.getByRole("dialog").waitFor();
    await heldBy(() => keyboard.press("F9"));
    await keyboard.press("Escape");
  });

  test("while text is being typed", async () => {
    await hovering();
    await kingfisher.page.getByRole("textbox", { name: "Say a mission" }).focus();
    await heldBy(() => keyboard.press("F9"));
  });

  test("with Space outside of text, which clicks nothing", async () => {
    await hovering();
    await kingfisher.page.getByRole("button", { name: /Reject/ }).focus();
    await heldBy(() => keyboard.press("Space"));
    await expect.poll(() => kingfisher.page.getByRole("textbox", { name: /reason/i }).count()).toBe(0);
  });

  test("with the page hung in the middle of a skill", async () => {
    await hovering();
    await cockpit.approve();
    await cockpit.until(({ mission }) => mission.phase === "executing", "a skill in flight");
    void kingfisher.page.evaluate(() => {
      const until_ms = performance.now() + 5000;
      while (performance.now() < until_ms) Math.sqrt(until_ms);
    });
    await heldBy(() => keyboard.press("F9"));
    expect(kingfisher.log()).toMatch(/HOLD by key/);
  });

  test("and Shift+L lands from there", async () => {
    await hovering();
    await kingfisher.page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
    });
    await keyboard.press("Shift", "L");
    await cockpit.until(
      ({ vehicle }) => !vehicle.armed && vehicle.landed === "on_ground",
      "landed and disarmed",
      90_000,
    );
  });

  // Last: for Playwright a page whose process has died stays dead.
  test("foxglove/ros-foxglove-bridge#310: by itself when the page's process dies; the new page shows the same flight, held", async () => {
    await hovering();
    await cockpit.approve();
    const before = await cockpit.until(({ mission }) => mission.phase === "executing", "a skill in flight");
    const signsOfLife = (): number => kingfisher.log().split("The window is alive").length;
    const lived = signsOfLife();
    await kingfisher.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
    });
    await kingfisher.logged(/Window lost: its process is gone/);
    // For Playwright the page stays dead; the new one is asked through the main process.
    const ask = (): Promise<Snapshot> =>
      kingfisher.app.evaluate(
        ({ BrowserWindow }) =>
          BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
            'window.kingfisher.request("station.snapshot", {})',
          ) as Promise<Snapshot>,
      );
    // Asking a frame that is just being replaced would never be answered: the new page's first sign of life comes first.
    await vi.waitUntil(() => signsOfLife() > lived, { timeout: 60_000, interval: 200 });
    let held = await ask();
    await vi.waitUntil(
      async () => {
        held = await ask();
        return held.mission.phase === "held" && held.vehicle.mode === "hold";
      },
      { timeout: 20_000, interval: 200 },
    );
    expect(held.mission.id).toBe(before.mission.id);
    expect(held.vehicle.armed).toBe(true);
    await kingfisher.alive();
  });
});
