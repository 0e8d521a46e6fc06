import { expect, test } from "vitest";
import { rehearse } from "../../../tests/support/rehearsal";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { ceilingEffect, groundEffect } from "../vehicle/rotors";
import { Walls } from "./walls";
import { World } from "./world";

test("near the floor and under a ceiling a rotor lifts more, away from both as always", () => {
  expect(groundEffect(0.15, 0.15)).toBeGreaterThan(1.05);
  expect(groundEffect(0.15, 1)).toBe(1);
  expect(ceilingEffect(0.15, 0.08)).toBeGreaterThan(1.05);
  expect(ceilingEffect(0.15, 1)).toBe(1);
});

test("a surface under one rotor lifts that side: the standing vehicle rolls away from it under throttle", async () => {
  const layout = sceneOf("office", 1);
  const model = layout.structures.flatMap((s) => s.parts).find((p) => p.part.kind === "box");
  if (model?.part.kind !== "box") throw new Error("no box to copy");
  // Between the legs, a hand below the left rotor and touching nothing.
  const half = [0.05, 0.05, 0.01] as const;
  const slab = {
    ...model,
    part: { ...model.part, half },
    at: [0, 0.325, 0.34] as const,
    quat: [1, 0, 0, 0] as const,
  };
  const rolled = async (parts: readonly (typeof slab)[]): Promise<number> => {
    const structures = [...layout.structures, { id: "slab", role: "furniture" as const, parts }];
    const place = await World.create({ layout: { ...layout, structures }, vehicle: vehicleOf("hexa650") });
    for (let i = 0; i < 100; i++) place.step([0.9, 0.9, 0.9, 0.9, 0.9, 0.9]);
    const rate = place.truth().rates_flu_rad_s[0];
    place.close();
    return rate;
  };
  expect(Math.abs(await rolled([]))).toBeLessThan(0.05);
  expect(await rolled([slab])).toBeGreaterThan(0.2);
});

test("a wall draws the vehicle towards it, by a percent of its weight beside it, and not from across the room", () => {
  const layout = sceneOf("office", 1);
  const walls = new Walls(layout);
  const { min } = layout.scene.room;
  const weight_n = 39;
  const near = walls.pull_n([0, min[1] + 0.6, 2.4], weight_n, 0.1524);
  expect(near[1]).toBeLessThan(-0.1);
  expect(near[1]).toBeGreaterThan(-0.05 * weight_n);
  expect(Math.hypot(...walls.pull_n([0.5, 0, 2.4], weight_n, 0.1524))).toBeLessThan(1e-9);
  const [, further] = walls.pull_n([0, min[1] + 1.2, 2.4], weight_n, 0.1524);
  expect(Math.abs(further)).toBeLessThan(0.3 * Math.abs(near[1]));
});

test("the wakes of a vehicle that hovers low over a table move what is light there, and leave what is heavy", async () => {
  const layout = sceneOf("office", 1);
  const light = layout.bodies.map((body) => ({
    ...body,
    asset: { ...body.asset, mass_kg: body.name === "cracker_box" ? 0.05 : body.asset.mass_kg },
  }));
  await rehearse({ ...layout, bodies: light }, 1, (pilot) => {
    const { world: w } = pilot.simulation;
    const box = w.pushable.indexOf("cracker_box");
    const bottle = w.pushable.indexOf("green_bottle");
    const [from, stood] = [w.objectPose(box).at, w.objectPose(bottle).at];
    pilot.servo([from[0] - 0.25, from[1], 1.9], 10, 0.5);
    pilot.servo([from[0] - 0.25, from[1], 1.5], 6, 0.3);
    const moved = (a: readonly number[], b: readonly number[]): number =>
      Math.hypot(...a.map((v, k) => v - (b[k] ?? 0)));
    expect(moved(w.objectPose(box).at, from)).toBeGreaterThan(0.03);
    expect(moved(w.objectPose(bottle).at, stood)).toBeLessThan(0.02);
  });
}, 120_000);
