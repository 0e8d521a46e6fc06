import { expect, test } from "vitest";
import { vehicleOf } from "../../../tests/support/sim-scene";
import { DepthSensor, depthSigma_m } from "./depth-sensor";
import { exposureOf } from "./renderer";

const camera = vehicleOf("hexa650").cameras[0];
if (camera === undefined) throw new Error("no camera");
const focal = 220;

function measure(z: (x: number, y: number) => number, seed = 1, frames = 1): Uint16Array[] {
  const exposure = exposureOf(200, 100);
  exposure.facing.fill(1);
  for (let y = 0; y < 100; y++) for (let x = 0; x < 200; x++) exposure.depth_m[y * 200 + x] = z(x, y);
  const sensor = new DepthSensor(camera as NonNullable<typeof camera>, seed);
  return Array.from({ length: frames }, () => {
    const out = new Uint16Array(200 * 100);
    sensor.measure(exposure, focal, out);
    return out;
  });
}

const metres = (frame: Uint16Array): number[] =>
  Array.from(frame)
    .filter((u) => u > 0)
    .map((u) => u * 0.001);

test("noise grows with range squared: 1.3 mm at 1 m, 20 mm at 4 m", () => {
  expect(depthSigma_m(camera, 1)).toBeCloseTo(0.0013, 4);
  expect(depthSigma_m(camera, 4)).toBeCloseTo(0.02, 3);
  for (const z of [1, 2, 4]) {
    const values = measure(() => z, 1, 5).flatMap(metres);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const sigma = Math.sqrt(values.reduce((s, v) => s + (v - mean) ** 2, 0) / values.length);
    expect(Math.abs(mean - z)).toBeLessThan(0.05 * depthSigma_m(camera, z) + 0.0002);
    expect(sigma / depthSigma_m(camera, z)).toBeGreaterThan(0.93);
    expect(sigma / depthSigma_m(camera, z)).toBeLessThan(1.1);
  }
});

test("nothing is measured in the blind zone, beyond the far limit, or where nothing is", () => {
  for (const z of [0, 0.1, 0.39, 6.2, Number.NaN])
    expect(metres(measure(() => z)[0] ?? new Uint16Array())).toEqual([]);
  expect(metres(measure(() => 5)[0] ?? new Uint16Array()).length).toBeGreaterThan(19_000);
});

test("background to the left of a near object is hidden from the second imager, to the right it is not", () => {
  const [frame] = measure((x) => (x >= 100 && x < 140 ? 1 : 3));
  if (frame === undefined) throw new Error("no frame");
  // The band is as wide as the disparity step: f B (1 - 1/3) = 13.9 pixels.
  const holes = (from: number, to: number): number => {
    let n = 0;
    for (let y = 0; y < 100; y++) for (let x = from; x < to; x++) if (frame[y * 200 + x] === 0) n++;
    return n / (100 * (to - from));
  };
  expect(holes(88, 99)).toBeGreaterThan(0.75);
  expect(holes(60, 84)).toBeLessThan(0.02);
  expect(holes(140, 170)).toBeLessThan(0.02);
  expect(holes(100, 140)).toBeLessThan(0.02);
});

test("one seed, one noise; frames differ from each other", () => {
  const a = measure(() => 2, 9, 2);
  const b = measure(() => 2, 9, 2);
  expect(a).toEqual(b);
  expect(a[0]).not.toEqual(a[1]);
  expect(measure(() => 2, 10)[0]).not.toEqual(a[0]);
});

test("the left edge, which the second imager does not see, has no depth: as wide as the disparity", () => {
  for (const z of [1, 2]) {
    const [frame] = measure(() => z);
    if (frame === undefined) throw new Error("no frame");
    const band = Math.round((focal * camera.baseline_m) / z);
    const holes = (from: number, to: number): number => {
      let n = 0;
      for (let y = 0; y < 100; y++) for (let x = from; x < to; x++) if (frame[y * 200 + x] === 0) n++;
      return n / (100 * (to - from));
    };
    expect(holes(0, band - 1)).toBeGreaterThan(0.8);
    expect(holes(band + 1, 200)).toBeLessThan(0.02);
  }
});

test("dark and shiny surfaces lose the share of readings that their paint says; what is seen at a grazing angle loses most", () => {
  const exposure = exposureOf(200, 100);
  exposure.depth_m.fill(2);
  exposure.facing.fill(1);
  exposure.loss.fill(0.3);
  const sensor = new DepthSensor(camera, 4);
  const share = (): number => {
    const out = new Uint16Array(200 * 100);
    sensor.measure(exposure, focal, out);
    let lost = 0;
    for (let y = 0; y < 100; y++) for (let x = 30; x < 200; x++) if (out[y * 200 + x] === 0) lost++;
    return lost / (100 * 170);
  };
  expect(share()).toBeCloseTo(0.3, 1);
  exposure.loss.fill(0);
  expect(share()).toBeLessThan(0.01);
  exposure.facing.fill(0.03);
  expect(share()).toBeGreaterThan(0.7);
});
