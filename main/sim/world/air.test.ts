import { expect, test } from "vitest";
import { blown_n, MovingAir, wake_m_s } from "./air";

test("gusts have the asked spread and memory, whatever the time step", () => {
  for (const dt_s of [0.002, 0.02]) {
    const air = new MovingAir(3);
    air.set({ mean_enu_m_s: [1, 0, 0], gust_sigma_m_s: 0.8, gust_time_s: 0.5 });
    const n = Math.round(400 / dt_s);
    const lag = Math.round(0.5 / dt_s);
    const xs: number[] = [];
    for (let i = 0; i < n; i++) {
      air.step(dt_s);
      xs.push(air.velocity_enu_m_s()[0] - 1);
    }
    const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
    const variance = mean(xs.map((x) => x * x));
    const memory = mean(xs.slice(lag).map((x, i) => x * (xs[i] ?? 0))) / variance;
    expect(Math.abs(mean(xs))).toBeLessThan(0.15);
    expect(Math.sqrt(variance)).toBeGreaterThan(0.68);
    expect(Math.sqrt(variance)).toBeLessThan(0.92);
    // One correlation time later a third is left.
    expect(memory).toBeGreaterThan(0.25);
    expect(memory).toBeLessThan(0.5);
  }
});

test("calm air stands still", () => {
  const air = new MovingAir(1);
  air.step(0.1);
  expect(air.velocity_enu_m_s()).toEqual([0, 0, 0]);
});

const jet = { at: [0, 0, 2], down: [0, 0, -1], thrust_n: 6.45, radius_m: 0.152 } as const;

test("below a hovering rotor air flows down at up to twice the induced speed, above it not at all", () => {
  expect(wake_m_s(jet, [0, 0, 2.2], 0)).toEqual([0, 0, 0]);
  const close = wake_m_s(jet, [0, 0, 1.9], 0);
  expect(close[2]).toBeLessThan(-9);
  expect(close[2]).toBeGreaterThan(-12.5);
  expect(wake_m_s(jet, [0, 0, 1], 0)[2]).toBeGreaterThan(close[2]);
  expect(Math.abs(wake_m_s(jet, [1, 0, 1.9], 0)[2])).toBeLessThan(0.01);
});

test("at the surface it meets, the wake blows outwards on all sides", () => {
  for (const angle of [0, 1, 2, 4]) {
    const at = [0.3 * Math.cos(angle), 0.3 * Math.sin(angle), 0.05] as const;
    const v = wake_m_s(jet, at, 0);
    expect((v[0] * at[0] + v[1] * at[1]) / 0.3).toBeGreaterThan(1);
  }
});

test("an empty carton is pushed harder than a can in the same air", () => {
  const air = [5, 0, 0] as const;
  expect(blown_n(air, 0.24, 0.14)[0]).toBeGreaterThan(3 * blown_n(air, 0.066, 0.122)[0]);
});
