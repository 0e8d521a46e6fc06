import { afterEach, expect, test } from "vitest";
import { type LockstepStation, lockstepStation } from "../../support/lockstep-station";

let rig: LockstepStation | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

test("PX4/PX4-Autopilot#7491, #11970: the estimate jumps 2 m and its heading 40° in a hover; site, objects and vehicle stay where they are", async () => {
  rig = await lockstepStation({
    approvals: "auto",
    embeddedArgs: ["--event", "jump:2,0@22", "--event", "yaw_jump:40@27"],
  });
  const { station } = rig;
  let before: readonly number[] | null = null;
  let largest_step_m = 0;
  const headings_rad: number[] = [];
  const levels = new Set<string>();
  station.on((name) => {
    if (name !== "vehicle") return;
    const { vehicle, safety } = station.snapshot();
    const now = vehicle.position_enu_m;
    if (now === null || vehicle.landed !== "in_air") return;
    const step_m = before === null ? 0 : Math.hypot(...now.map((x, axis) => x - (before?.[axis] ?? x)));
    largest_step_m = Math.max(largest_step_m, step_m);
    before = now;
    headings_rad.push(vehicle.yaw_enu_rad ?? Number.NaN);
    levels.add(safety.level);
  });
  expect((await station.startMission("take off to 1 m, hold for 12 seconds and land")).ok).toBe(true);
  const end = await rig.until((s) => s.mission.phase === "complete" || s.mission.phase === "held");

  // Twice is enough for the mission loop: it asks a person, and the vehicle holds meanwhile.
  expect(end.mission.phase).toBe("held");
  const failures = end.mission.steps.filter((step) => step.status === "failure").map((step) => step.detail);
  expect(failures).toEqual([
    "The position estimate jumped by 2.0 m; holding where it is",
    "The heading estimate jumped by 40°; holding where it is",
  ]);
  // Believed positions go on as the vehicle flies, and it flies slowly: no step, and no heading that it never had.
  expect(largest_step_m).toBeLessThan(0.1);
  expect(Math.max(...headings_rad) - Math.min(...headings_rad)).toBeLessThan(0.2);
  expect([...levels]).not.toContain("stop");
  expect([...levels]).not.toContain("caution");

  const { site } = await station.handlers["link.detail"]({});
  expect(site.resets).toBe(2);
  expect(site.offset_enu_m[0]).toBeCloseTo(-2, 1);
  expect(site.offset_enu_m[1]).toBeCloseTo(0, 1);
  expect(site.yaw_rad).toBeCloseTo((-40 * Math.PI) / 180, 1);
});
