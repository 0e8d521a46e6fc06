import * as fc from "fast-check";
import { expect, test } from "vitest";
import { alignDepth, between, cornerRays, type Intrinsics, type Rigid, rigidFrom } from "./align";

const camera = (more: Partial<Intrinsics> = {}): Intrinsics => ({
  width: 64,
  height: 48,
  fx: 50,
  fy: 52,
  cx: 31.5,
  cy: 23.5,
  distortion: [0, 0, 0, 0, 0],
  modified: false,
  ...more,
});
const still: Rigid = rigidFrom({ x: 0, y: 0, z: 0, w: 1 }, { x: 0, y: 0, z: 0 });
const align = (depth: Uint16Array, from: Intrinsics, to: Intrinsics, motion: Rigid): Uint16Array =>
  alignDepth(depth, cornerRays(from), from, to, motion, 0.001);

test("a camera aligned with itself sees what it saw", () => {
  const one = camera();
  const depth = Uint16Array.from({ length: 64 * 48 }, (_, i) => (i % 7 === 0 ? 0 : 500 + (i % 900)));
  expect(align(depth, one, one, still)).toEqual(depth);
});

test("a wall moves by focal length times baseline over distance, and keeps its distance", () => {
  // 0.059 m at 1.475 m and 50 px: two pixels to the left; the right border has nothing behind it.
  const wall = new Uint16Array(64 * 48).fill(1475);
  const moved = align(wall, camera(), camera(), { ...still, translation_m: [-0.059, 0, 0] });
  for (let y = 0; y < 48; y++) for (let x = 0; x < 64; x++) expect(moved[y * 64 + x]).toBe(x < 62 ? 1475 : 0);
});

test("where two things fall on one pixel, the nearer is seen", () => {
  const depth = new Uint16Array(64 * 48).fill(3000);
  for (let y = 0; y < 48; y++) for (let x = 20; x < 30; x++) depth[y * 64 + x] = 500;
  const moved = align(depth, camera(), camera(), { ...still, translation_m: [-0.06, 0, 0] });
  const row = [...moved.subarray(24 * 64, 25 * 64)];
  // Near: 6 px to the left; far: 1 px. Behind the near thing a shadow without depth remains.
  expect(row.slice(14, 24)).toEqual(new Array<number>(10).fill(500));
  expect(row[13]).toBe(3000);
  expect(row.slice(24, 28).every((d) => d === 0)).toBe(true);
  expect(row[30]).toBe(3000);
});

test("any single pixel lands where its point is seen, distortion and rotation included", () => {
  const small = fc.double({ min: -0.2, max: 0.2, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 53 }),
      fc.integer({ min: 10, max: 37 }),
      fc.integer({ min: 600, max: 4000 }),
      fc.tuple(small, small, small),
      fc.tuple(small, small),
      fc.boolean(),
      (u, v, raw, [a, b, c], [k1, p1], modified) => {
        const from = camera({ distortion: [k1 / 4, 0, 0, 0, 0], modified });
        const to = camera({ fx: 45, fy: 45, distortion: [-k1 / 4, 0, p1 / 40, p1 / 50, 0], modified });
        const motion = rigidFrom({ x: a / 4, y: b / 4, z: c / 4, w: 1 }, { x: a / 10, y: b / 10, z: c / 10 });
        const depth = new Uint16Array(64 * 48);
        depth[v * 64 + u] = raw;
        const rays = cornerRays(from);
        const ray = (v * 65 + u) * 2;
        // The middle of the pixel, from its corners.
        const z = raw * 0.001;
        const x = (((rays[ray] as number) + (rays[ray + 132] as number)) / 2) * z;
        const y = (((rays[ray + 1] as number) + (rays[ray + 133] as number)) / 2) * z;
        const r = motion.rotation as number[];
        const t = motion.translation_m;
        const at = (k: number): number =>
          (r[k] as number) * x + (r[k + 1] as number) * y + (r[k + 2] as number) * z + (t[k / 3] as number);
        const [px, py, pz] = [at(0), at(3), at(6)];
        const out = alignDepth(depth, rays, from, to, motion, 0.001);
        const hits = [...out].flatMap((d, i) => (d > 0 ? [[i % 64, Math.floor(i / 64), d] as const] : []));
        const [qx, qy] = [(px / pz) * 45 + to.cx, (py / pz) * 45 + to.cy];
        // Weak distortion moves it by a few pixels at most.
        if (qx < 6 || qx > 57 || qy < 6 || qy > 41) return;
        expect(hits.length).toBeGreaterThan(0);
        for (const [hx, hy, d] of hits) {
          expect(Math.hypot(hx - qx, hy - qy)).toBeLessThan(4);
          expect(Math.abs(d * 0.001 - pz)).toBeLessThan(0.03 * z);
        }
      },
    ),
  );
});

test("the way from one camera to another undoes the first and does the second", () => {
  const a = rigidFrom({ x: 0.1, y: -0.2, z: 0.3, w: 0.9 }, { x: 1, y: 2, z: 3 });
  const b = rigidFrom({ x: -0.3, y: 0.1, z: 0.2, w: 0.8 }, { x: -1, y: 0.5, z: 2 });
  const apply = ({ rotation: r, translation_m: t }: Rigid, p: readonly number[]): number[] =>
    [0, 1, 2].map(
      (i) =>
        (r[i * 3] as number) * (p[0] as number) +
        (r[i * 3 + 1] as number) * (p[1] as number) +
        (r[i * 3 + 2] as number) * (p[2] as number) +
        (t[i] as number),
    );
  const p = [0.3, -0.7, 1.9];
  const via = apply(between(a, b), apply(a, p));
  for (const [i, value] of apply(b, p).entries()) expect(via[i]).toBeCloseTo(value, 9);
});
