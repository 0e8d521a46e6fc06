import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Bridge } from "#contract/ipc";
import { readTlog } from "../../main/link/tlog";
import { type Cockpit, cockpitOf } from "../support/cockpit";
import { type AppUnderTest, launchApp } from "../support/electron";

const HEARTBEAT = 0;
const SET_POSITION_TARGET_LOCAL_NED = 84;
const station_system = 255;
const hidden_s = 90;
const shown_s = 20;

let kingfisher: AppUnderTest;
let cockpit: Cockpit;
beforeAll(async () => {
  kingfisher = await launchApp();
  cockpit = cockpitOf(kingfisher);
  // The decision must outlast the time without a window.
  await kingfisher.page.evaluate(async () => {
    const { kingfisher: bridge } = window as unknown as { kingfisher: Bridge };
    const settings = await bridge.request("settings.get", {});
    await bridge.request("settings.set", {
      ...settings,
      approvals: { ...settings.approvals, timeout_s: 300 },
    });
  });
});
afterAll(async () => {
  await kingfisher.close();
});

const pause = (duration_s: number): Promise<void> => kingfisher.page.waitForTimeout(duration_s * 1000);
const utc_ms = async (): Promise<number> => (await cockpit.snapshot()).station.utc_ms;

/** Times in microseconds at which this station sent a message. */
function sentBy(bytes: Uint8Array, message_id: number): readonly number[] {
  const times: number[] = [];
  readTlog(bytes, (frame, time_us) => {
    if (frame.system_id === station_system && frame.id === message_id) times.push(time_us);
  });
  return times;
}
const rate_hz = (times: readonly number[], from_ms: number, to_ms: number): number =>
  times.filter((us) => us / 1000 >= from_ms && us / 1000 < to_ms).length / ((to_ms - from_ms) / 1000);

test("with the window hidden and minimised nothing slows down and the flight goes on (electron/electron#35875, #31016)", async () => {
  await cockpit.until(({ vehicle, perception }) => vehicle.connected && perception !== null, "the vehicle");
  await cockpit.say("take off, turn right and land");
  await cockpit.until(({ approval }) => approval?.verdict.pass === true, "a card that may be approved");
  await cockpit.approve();
  await cockpit.until(({ approval }) => approval?.proposal.call.skill === "yaw_right", "the next card");

  // The page's own timers, as its signs of life use them: a throttled page ticks once a second at best.
  await kingfisher.page.evaluate("globalThis.ticks = 0; setInterval(() => { globalThis.ticks += 1; }, 250)");
  const ticks = async (): Promise<number> => Number(await kingfisher.page.evaluate("globalThis.ticks"));
  const shown_from_ms = await utc_ms();
  await pause(shown_s);
  const ticked_shown = await ticks();
  const losses = (): number => kingfisher.log().split("Window lost").length;
  const losses_shown = losses();
  const hidden_from_ms = await utc_ms();
  await kingfisher.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.minimize();
    window?.hide();
  });
  expect(
    await kingfisher.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()),
  ).toBe(false);
  await pause(hidden_s);
  const ticked = await ticks();
  const hidden_to_ms = await utc_ms();

  expect((ticked - ticked_shown) / hidden_s / (ticked_shown / shown_s)).toBeGreaterThan(0.6);
  // The page was never missed: its signs of life came, the decision still waits and the vehicle still follows setpoints.
  expect(losses()).toBe(losses_shown);
  const now = await cockpit.snapshot();
  expect([now.mission.phase, now.vehicle.mode, now.vehicle.armed]).toEqual([
    "awaiting_approval",
    "offboard",
    true,
  ]);

  await kingfisher.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.restore();
    window?.show();
  });
  await cockpit.approveUntil("complete", "failed", "held");
  await cockpit.until(({ vehicle }) => !vehicle.armed, "landed and disarmed");
  await cockpit.until(({ station }) => station.recording === null, "the end of the recording");

  const flights = join(kingfisher.home, "flights");
  const [name = ""] = readdirSync(flights, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".tlog"));
  const bytes = new Uint8Array(readFileSync(join(flights, name)));
  const heartbeats = sentBy(bytes, HEARTBEAT);
  const setpoints = sentBy(bytes, SET_POSITION_TARGET_LOCAL_NED);
  for (const times of [heartbeats, setpoints]) {
    const shown_hz = rate_hz(times, shown_from_ms, hidden_from_ms);
    const hidden_hz = rate_hz(times, hidden_from_ms, hidden_to_ms);
    expect(hidden_hz / shown_hz).toBeGreaterThan(0.8);
    expect(hidden_hz / shown_hz).toBeLessThan(1.2);
  }
  expect(rate_hz(heartbeats, hidden_from_ms, hidden_to_ms)).toBeGreaterThan(0.8);
});
