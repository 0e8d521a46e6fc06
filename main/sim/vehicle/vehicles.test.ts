import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { armFrames, hullOf } from "#contract/airframe-shape";
import { eulerFluEnu } from "#contract/frames";
import { rehearse } from "../../../tests/support/rehearsal";
import { vehicleOf } from "../../../tests/support/sim-scene";
import { resourcePath } from "../../platform/paths";
import type { Pilot } from "../check/pilot";
import { loadVehicle } from "../files";
import { autopilotModel, massPoints, massProperties } from "./model";

vi.setConfig({ testTimeout: 120_000 });

const vehicles = ["hexa650", "airvla-quad7", "flybycode-tilt"] as const;
/** A moderate reach ahead for each arm. */
const reaches: Readonly<Record<(typeof vehicles)[number], readonly number[]>> = {
  hexa650: [1.25, -0.5, -0.25, 0],
  "airvla-quad7": [0, 0.6, 0, -1.6, 0, -0.5, 0],
  "flybycode-tilt": [1.25, -0.5, -0.25, 0],
};

const folder = mkdtempSync(join(tmpdir(), "kingfisher-vehicles-"));
mkdirSync(join(folder, "vehicles"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Largest distance from the setpoint and largest tilt over some seconds. */
function worst(pilot: Pilot, seconds: number): { readonly off_m: number; readonly tilt_rad: number } {
  let [off_m, tilt_rad] = [0, 0];
  pilot.run(seconds, () => {
    const { position_enu_m: at, quat_flu_enu } = pilot.simulation.world.truth();
    const to = pilot.target_enu_m;
    const { pitch_rad, roll_rad } = eulerFluEnu(quat_flu_enu);
    off_m = Math.max(off_m, Math.hypot(at[0] - to[0], at[1] - to[1], at[2] - to[2]));
    tilt_rad = Math.max(tilt_rad, Math.hypot(pitch_rad, roll_rad));
  });
  return { off_m, tilt_rad };
}

test.each(vehicles)("%s hovers, steps 1 m and swings its arm under the same autopilot", async (id) => {
  await rehearse(
    "office",
    1,
    (pilot) => {
      const { world } = pilot.simulation;
      expect(pilot.modes.length).toBeGreaterThan(1);
      pilot.run(4);
      expect(worst(pilot, 8).off_m).toBeLessThan(0.05);
      const [x, y, z] = pilot.target_enu_m;
      pilot.target_enu_m = [x + 1, y, z];
      pilot.run(6);
      expect(worst(pilot, 3).off_m).toBeLessThan(0.08);
      pilot.arm.order({ kind: "joints", joints_rad: reaches[id], speed_share: 1 });
      const swing = worst(pilot, 7);
      expect(swing.off_m).toBeLessThan(0.25);
      expect(swing.tilt_rad).toBeLessThan(0.15);
      const state = pilot.arm.state;
      expect(state?.joints_rad.length).toBe(reaches[id].length);
      state?.joints_rad.forEach((q, i) => {
        expect(q).toBeCloseTo(reaches[id][i] ?? Number.NaN, 1);
      });
      expect(Math.max(...(state?.currents_a ?? []))).toBeGreaterThan(0.3);
      // What the companion's angles say of the gripper's place is where the fingers are.
      const { arm } = world.vehicle;
      if (arm === null) throw new Error("no arm");
      const centre = armFrames(arm, state?.joints_rad ?? []).at(-1);
      const left = world.pose(world.bodyId("finger-left")).at;
      const right = world.pose(world.bodyId("finger-right")).at;
      const body = world.truth();
      const away = Math.hypot(
        ...[0, 1, 2].map((k) => (left[k] ?? 0) / 2 + (right[k] ?? 0) / 2 - (body.position_enu_m[k] ?? 0)),
      );
      expect(away).toBeCloseTo(Math.hypot(...(centre?.at_flu_m ?? [])), 1);
    },
    id,
    1.6,
  );
});

test("masses and rotors are those of the papers: 8.3 kg on eight rotors, seven joints under four", () => {
  const tilt = vehicleOf("flybycode-tilt");
  expect(autopilotModel(tilt).mass_kg).toBeCloseTo(8.3, 2);
  expect(tilt.rotors.list.length).toBe(8);
  expect(tilt.rotors.list.every((r) => r.tilt !== undefined)).toBe(true);
  expect(tilt.not_modelled.join(" ")).toMatch(/tilt/);
  expect(hullOf(tilt).radius_m).toBeLessThan(0.45);
  const quad = vehicleOf("airvla-quad7");
  expect(quad.rotors.list.length).toBe(4);
  expect(quad.arm?.links.length).toBe(7);
});

test.each(vehicles)(
  "%s balances: with the arm stowed the centre of mass is under the rotors' middle",
  (id) => {
    const vehicle = vehicleOf(id);
    const { com_flu_m } = massProperties(massPoints(vehicle, vehicle.arm?.stowed_rad ?? []));
    expect(Math.hypot(com_flu_m[0], com_flu_m[1])).toBeLessThan(0.005);
  },
);

test.each(vehicles)("%s can lift itself twice over, and its arm clears the ground when it stands", (id) => {
  const vehicle = vehicleOf(id);
  const { mass_kg, max_thrust_n, rotors } = autopilotModel(vehicle);
  expect((rotors.length * max_thrust_n) / (mass_kg * 9.81)).toBeGreaterThan(1.9);
  const { arm, legs } = vehicle;
  if (arm === null) throw new Error("no arm");
  const foot = Math.min(...legs.list.map((leg) => leg.foot_flu_m[2])) - legs.foot_radius_m;
  for (const frame of armFrames(arm, arm.stowed_rad)) expect(frame.at_flu_m[2]).toBeGreaterThan(foot + 0.02);
});

/** A vehicle file with one thing changed. */
function broken(name: string, change: (file: Record<string, unknown>) => void): string {
  const file = JSON.parse(readFileSync(resourcePath("vehicles", "hexa650.json"), "utf8")) as Record<
    string,
    unknown
  >;
  change(file);
  writeFileSync(join(folder, "vehicles", `${name}.json`), JSON.stringify(file));
  const loaded = loadVehicle(name, folder);
  return loaded.ok ? "" : loaded.error;
}

test("a broken vehicle file names the file, the path inside it and what was expected", () => {
  const text = broken("heavy", (file) => {
    (file["rotors"] as { list: { spin: string }[] }).list.splice(2, 1, { spin: "left" });
  });
  expect(text).toContain(join(folder, "vehicles", "heavy.json"));
  expect(text).toContain("rotors.list.2");
  const number = broken("words", (file) => {
    (file["base"] as { mass_kg: unknown }).mass_kg = "three";
  });
  expect(number).toMatch(/base\.mass_kg.*expected number/);
  expect(
    broken("short", (file) => {
      (file["arm"] as { stowed_rad: number[] }).stowed_rad.pop();
    }),
  ).toMatch(/arm\.stowed_rad.*expected 4 angles, one for each link, received 3/);
  expect(
    broken("beyond", (file) => {
      (file["arm"] as { stowed_rad: number[] }).stowed_rad[0] = 9;
    }),
  ).toMatch(/arm\.stowed_rad\.0.*within the joint's range/);
  expect(
    broken("turned", (file) => {
      (file["arm"] as { links: { range_rad: number[] }[] }).links[1]?.range_rad.reverse();
    }),
  ).toMatch(/arm\.links\.1\.range_rad.*lower limit first/);
  writeFileSync(join(folder, "vehicles", "torn.json"), '{"schema": 1,');
  const torn = loadVehicle("torn", folder);
  expect(torn.ok ? "" : torn.error).toMatch(/torn\.json: not valid JSON/);
});

test("an unknown vehicle is one line with those that there are", () => {
  const unknown = loadVehicle("zeppelin");
  expect(unknown.ok ? "" : unknown.error).toBe(
    'unknown vehicle "zeppelin"; there are: airvla-quad7, flybycode-tilt, hexa650',
  );
});
