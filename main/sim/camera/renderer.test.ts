import { expect, test } from "vitest";
import { sceneOf } from "../../../tests/support/sim-scene";
import type { Layout } from "../world/layout";
import type { PlacedPart } from "../world/placed";
import { identity, type Q4 } from "../world/rigid";
import type { Paint } from "../world/scene-file";
import { drawStructures } from "./drawing";
import { exposureOf, Renderer } from "./renderer";

const red: Paint = { rgb: [0.9, 0.1, 0.1], pattern: "plain", gloss: 0, depth_loss: 0.25 };
const white: Paint = { rgb: [0.9, 0.9, 0.9], pattern: "plain", gloss: 0, depth_loss: 0 };

function box(
  half: readonly [number, number, number],
  at: readonly [number, number, number],
  paint: Paint,
): PlacedPart {
  return {
    part: { kind: "box", half, at, paint: "", collides: true, visible: true },
    paint,
    at,
    quat: identity,
  };
}

/** Looks along +x from 1 m above the origin. */
const forward: Q4 = [0.5, -0.5, 0.5, -0.5];
const intrinsics = { width: 160, height: 120, fx: 100, fy: 100, cx: 79.5, cy: 59.5 };

function look(parts: readonly PlacedPart[]): ReturnType<typeof exposureOf> {
  const base = sceneOf("office", 1);
  const layout: Layout = {
    ...base,
    bodies: [],
    movers: [],
    structures: [{ id: "test", role: "furniture", parts }],
  };
  const renderer = new Renderer(drawStructures(layout), base.scene, "vehicle", () => ({
    at: [0, 0, 0],
    quat: identity,
  }));
  const exposure = exposureOf(intrinsics.width, intrinsics.height);
  renderer.render({ at: [0, 0, 1], quat: forward, intrinsics }, exposure);
  return exposure;
}

const at = (x: number, y: number): number => y * intrinsics.width + x;

test("a cube at a known place covers the pixels that the pinhole model says, at its front face's depth", () => {
  // Front face at 2 m, 0.4 m wide, its middle 0.5 m to the left and 0.2 m above the axis.
  const { depth_m } = look([box([0.2, 0.2, 0.2], [2.2, 0.5, 1.2], red)]);
  const seen: [number, number][] = [];
  for (let y = 0; y < intrinsics.height; y++)
    for (let x = 0; x < intrinsics.width; x++)
      if (Math.abs((depth_m[at(x, y)] ?? 0) - 2) < 1e-3) seen.push([x, y]);
  const xs = seen.map((p) => p[0]);
  const ys = seen.map((p) => p[1]);
  // u = 79.5 - 100 y / 2 for y from 0.3 to 0.7; v = 59.5 - 100 (z - 1) / 2 for z from 1.0 to 1.4.
  expect([Math.min(...xs), Math.max(...xs)]).toEqual([45, 64]);
  expect([Math.min(...ys), Math.max(...ys)]).toEqual([40, 59]);
  expect(seen.length).toBe(20 * 20);
});

test("depth is along the optical axis, not along the ray: a wall across the view is flat", () => {
  const { depth_m } = look([box([0.1, 5, 5], [3.1, 0, 1], white)]);
  for (const [x, y] of [
    [0, 0],
    [159, 0],
    [80, 60],
    [20, 119],
  ] as const)
    expect(depth_m[at(x, y)]).toBeCloseTo(3, 4);
});

test("the nearer of two surfaces wins wherever they overlap, whichever is drawn first", () => {
  const near = box([0.1, 0.3, 0.3], [1.6, 0, 1], red);
  const far = box([0.1, 2, 2], [3.1, 0, 1], white);
  for (const parts of [
    [near, far],
    [far, near],
  ]) {
    const { depth_m, loss } = look(parts);
    expect(depth_m[at(80, 60)]).toBeCloseTo(1.5, 4);
    expect(loss[at(80, 60)]).toBeCloseTo(0.25);
    expect(depth_m[at(20, 60)]).toBeCloseTo(3, 4);
    expect(loss[at(20, 60)]).toBe(0);
  }
});

test("a floor that reaches behind the camera is drawn without gaps", () => {
  const { depth_m } = look([box([50, 50, 0.5], [0, 0, -0.5], white)]);
  for (let y = 62; y < intrinsics.height; y++) {
    const expected = 100 / (y - 59.5);
    for (let x = 0; x < intrinsics.width; x++) {
      expect(Math.abs((depth_m[at(x, y)] ?? 0) - expected)).toBeLessThan(expected * 0.001);
    }
  }
});

test("a lit face is brighter than a face turned away, and a shadow is darker than the light beside it", () => {
  const floor = box([5, 5, 0.5], [3, 0, -0.5], white);
  const block = box([0.2, 0.2, 0.3], [3, 0, 0.3], white);
  const bare = look([floor]).colour;
  const shaded = look([floor, block]).colour;
  const darker = (i: number): boolean => (shaded[i * 3] ?? 0) < (bare[i * 3] ?? 0) - 20;
  let count = 0;
  for (let i = at(0, 75); i < at(0, 110); i++) if (darker(i)) count++;
  expect(count).toBeGreaterThan(40);
});
