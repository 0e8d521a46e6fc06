import { afterAll, beforeAll, expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { World } from "./world";

const rest: readonly number[] = [];
let world: World;
beforeAll(async () => {
  world = await World.create({ layout: sceneOf("office", 1), vehicle: vehicleOf("hexa650") });
});
afterAll(() => {
  world.close();
});
const run = (seconds: number): void => {
  for (let i = 0; i < seconds * 500; i++) world.step(rest);
};

test("at rest nothing moves: the vehicle stands on its legs, the objects lie still, the accelerometer reads gravity", () => {
  run(0.5);
  const before = world.pushable.map((_, i) => world.objectPose(i).at);
  const start = world.truth();
  run(4);
  const end = world.truth();
  expect(Math.hypot(end.position_enu_m[0], end.position_enu_m[1])).toBeLessThan(0.001);
  expect(Math.abs(end.position_enu_m[2] - start.position_enu_m[2])).toBeLessThan(0.0005);
  expect(end.quat_flu_enu[0]).toBeGreaterThan(0.99999);
  expect(end.accel_flu_m_s2[2]).toBeCloseTo(9.81, 2);
  before.forEach((at, i) => {
    const now = world.objectPose(i).at;
    expect(Math.hypot(now[0] - at[0], now[1] - at[1], now[2] - at[2])).toBeLessThan(0.0005);
  });
});

test("the all-up mass is that of the file: 3 kg airframe and 0.95 kg arm", () => {
  expect(world.mass_kg).toBeCloseTo(3.95, 6);
});

test("a push slides each object 6 to 15 cm by contact and leaves it standing on its table", () => {
  const state = world.save();
  world.pushable.forEach((name, i) => {
    world.restore(state);
    const centre = (): readonly number[] => {
      const { at, quat } = world.objectPose(i);
      const h = (world.layout.bodies[i]?.asset.height_m ?? 0) / 2;
      const [w, x, y, z] = quat;
      return [
        at[0] + h * 2 * (x * z + w * y),
        at[1] + h * 2 * (y * z - w * x),
        at[2] + h * (1 - 2 * (x * x + y * y)),
      ];
    };
    const from = centre();
    expect(world.push(i)).toBe(true);
    run(3.5);
    const to = centre();
    const moved = Math.hypot((to[0] ?? 0) - (from[0] ?? 0), (to[1] ?? 0) - (from[1] ?? 0));
    expect(moved, name).toBeGreaterThan(0.06);
    expect(moved, name).toBeLessThan(0.15);
    expect(Math.abs((to[2] ?? 0) - (from[2] ?? 0)), name).toBeLessThan(0.01);
    const still = centre();
    run(1);
    const later = centre();
    expect(
      Math.hypot((later[0] ?? 0) - (still[0] ?? 0), (later[1] ?? 0) - (still[1] ?? 0)),
      name,
    ).toBeLessThan(0.003);
  });
  world.restore(state);
}, 60_000);

test("there is no object with such a number: nothing is pushed", () => {
  expect(world.push(-1)).toBe(false);
  expect(world.push(world.pushable.length)).toBe(false);
  expect(world.push(Number.NaN)).toBe(false);
});

test("a restored state goes on exactly as the first time, sleeping and pushed objects included", () => {
  const state = world.save();
  const fly = (): string => {
    world.push(0);
    for (let i = 0; i < 300; i++) world.step([0.6, 0.6, 0.61, 0.6, 0.59, 0.6]);
    return JSON.stringify([world.truth(), Array.from(world.save().physics)]);
  };
  const first = fly();
  world.restore(state);
  expect(fly()).toBe(first);
  world.restore(state);
});

test("thrust follows the command with the rotor's lag", () => {
  const state = world.save();
  const u = 0.3;
  for (let i = 0; i < 25; i++) world.step([u, u, u, u, u, u]);
  const speed = world.truth().rotor_speed_rad_s[0] ?? 0;
  const share = 0.84 * u * u + 0.16 * u;
  const final_n = 18 * share * (world.truth().battery.voltage_v / 22.2) ** 2;
  // After one time constant thrust is 63 % of its final value.
  expect((2.4e-5 * speed * speed) / final_n).toBeCloseTo(0.63, 1);
  world.restore(state);
});

test("full throttle lifts it, and the battery sags by more than a volt", () => {
  const state = world.save();
  for (let i = 0; i < 250; i++) world.step([1, 1, 1, 1, 1, 1]);
  expect(world.truth().velocity_enu_m_s[2]).toBeGreaterThan(3);
  expect(world.truth().battery.voltage_v).toBeLessThan(24);
  world.restore(state);
});
