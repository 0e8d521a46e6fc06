import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  attitudeFigures,
  attitudeFromThrust,
  RateControl,
  ratesFromAttitude,
  unsaturated,
} from "./attitude-control";
import { Parameters } from "./parameters";
import { hexarotor650 } from "./port";
import { emptySetpoint, type Limits, limitTilt, PositionControl, prioritised } from "./position-control";
import { stoppingSpeed, Trajectory, type TrajectoryLimits } from "./trajectory";
import { aboutZ, euler, length, multiply, type Quat, turn, unit, type Vec3, yawOf } from "./vector";

const degree = Math.PI / 180;
const parameters = (): Parameters => new Parameters(hexarotor650, 1);
const limits: Limits = {
  horizontal_m_s: 0.6,
  up_m_s: 0.6,
  down_m_s: 0.5,
  tilt_rad: 20 * degree,
  thrust_min: 0.12,
  thrust_max: 1,
};
const number = (max: number): fc.Arbitrary<number> => fc.double({ min: -max, max, noNaN: true });
const vector = (max: number): fc.Arbitrary<Vec3> => fc.tuple(number(max), number(max), number(max));

describe("position control", () => {
  test("on the spot it asks for the hover thrust, straight up", () => {
    const control = new PositionControl(parameters());
    const at: Vec3 = [1, 2, -1.5];
    const out = control.update({ ...emptySetpoint, position: at }, at, [0, 0, 0], [0, 0, 0], limits, 0.008);
    expect(out.thrust_ned[0]).toBeCloseTo(0, 9);
    expect(out.thrust_ned[2]).toBeCloseTo(-control.hover_thrust, 6);
  });

  test("whatever state it is in, velocity, tilt and thrust stay within their limits", () => {
    fc.assert(
      fc.property(
        vector(50),
        vector(50),
        vector(20),
        vector(30),
        (target, position, velocity, acceleration) => {
          const control = new PositionControl(parameters());
          for (let i = 0; i < 5; i++) {
            const setpoint = { ...emptySetpoint, position: target };
            const out = control.update(setpoint, position, velocity, acceleration, limits, 0.008);
            expect(Math.hypot(out.velocity[0], out.velocity[1])).toBeLessThan(0.6 + 1e-9);
            expect(out.velocity[2]).toBeGreaterThan(-0.6 - 1e-9);
            expect(out.velocity[2]).toBeLessThan(0.5 + 1e-9);
            const size = length(out.thrust_ned);
            expect(size).toBeLessThan(1 + 1e-9);
            expect(Math.acos(Math.min(1, -out.thrust_ned[2] / size))).toBeLessThan(20 * degree + 1e-6);
          }
        },
      ),
    );
  });

  test("held back by a wall for a minute, the integral has wound up no further than the tilt limit (a free one would need half a minute to unwind)", () => {
    const control = new PositionControl(parameters());
    const setpoint = { ...emptySetpoint, position: [5, 0, -1.5] as Vec3 };
    for (let i = 0; i < 7500; i++)
      control.update(setpoint, [0, 0, -1.5], [0, 0, 0], [0, 0, 0], limits, 0.008);
    const back = { ...emptySetpoint, position: [0, 0, -1.5] as Vec3 };
    let steps = 0;
    for (; steps < 2000; steps++) {
      const out = control.update(back, [0, 0, -1.5], [0.6, 0, 0], [0, 0, 0], limits, 0.008);
      if (out.thrust_ned[0] < 0) break;
    }
    expect(steps * 0.008).toBeLessThan(9);
  });

  test("a lost axis is not controlled: NaN in, no command out", () => {
    const control = new PositionControl(parameters());
    const setpoint = { ...emptySetpoint, velocity: [Number.NaN, Number.NaN, 0.3] as Vec3 };
    const out = control.update(setpoint, [Number.NaN, Number.NaN, 0], [9, 9, 0.3], [0, 0, 0], limits, 0.008);
    expect(out.thrust_ned[0]).toBeCloseTo(0, 9);
    expect(out.thrust_ned[1]).toBeCloseTo(0, 9);
    expect(Number.isFinite(out.thrust_ned[2])).toBe(true);
  });

  test("position has priority over feed-forward at the speed limit", () => {
    fc.assert(
      fc.property(number(5), number(5), number(5), number(5), (a, b, c, d) => {
        const [x, y] = prioritised([a, b], [c, d], 1);
        expect(Math.hypot(x, y)).toBeLessThan(1 + 1e-6);
        if (Math.hypot(a, b) >= 1) expect(Math.abs(x * b - y * a)).toBeLessThan(1e-6);
      }),
    );
  });

  test("the tilt limit keeps the direction", () => {
    const limited = limitTilt(unit([3, 4, 1]), 30 * degree);
    expect(Math.acos(limited[2])).toBeCloseTo(30 * degree, 9);
    expect(limited[1] / limited[0]).toBeCloseTo(4 / 3, 9);
  });
});

describe("attitude control", () => {
  test("the attitude asked for carries the thrust vector and the heading", () => {
    fc.assert(
      fc.property(number(0.3), number(0.3), number(Math.PI), (x, y, yaw) => {
        const q = attitudeFromThrust([x, y, -1], yaw);
        const up = turn(q, [0, 0, -1]);
        const wanted = unit([x, y, -1]);
        [0, 1, 2].forEach((i) => {
          expect(up[i]).toBeCloseTo(wanted[i] ?? 0, 9);
        });
        expect(Math.abs(Math.sin(yawOf(q) - yaw))).toBeLessThan(0.05);
      }),
    );
  });

  test("rates point towards the target and are within their limits, for any two attitudes", () => {
    const p = parameters();
    const quat = fc
      .tuple(number(1), number(1), number(1), number(1))
      .filter((q) => Math.hypot(...q) > 0.1)
      .map((q): Quat => {
        const n = Math.hypot(...q);
        return [q[0] / n, q[1] / n, q[2] / n, q[3] / n];
      });
    fc.assert(
      fc.property(quat, quat, (now, wanted) => {
        const rates = ratesFromAttitude(now, wanted, 0, attitudeFigures(p)());
        expect(rates.every((r) => Number.isFinite(r))).toBe(true);
        expect(Math.abs(rates[2])).toBeLessThan(p.get("MC_YAWRATE_MAX") * degree + 1e-9);
      }),
    );
    const roll = ratesFromAttitude(
      [1, 0, 0, 0],
      [Math.cos(0.1), Math.sin(0.1), 0, 0],
      0,
      attitudeFigures(p)(),
    );
    expect(roll[0]).toBeCloseTo(2 * Math.sin(0.1) * 6.5, 3);
    const yaw = ratesFromAttitude([1, 0, 0, 0], aboutZ(0.2), 0, attitudeFigures(p)());
    expect(yaw[2]).toBeCloseTo(0.2 * p.get("MC_YAW_P"), 2);
  });

  test("held against a stop, the rate integral stops at its limit and is gone after a reset", () => {
    const p = parameters();
    const control = new RateControl(p);
    for (let i = 0; i < 20_000; i++) control.update([0, 0, 0], [1, 0, 0], unsaturated, false, 0.002);
    expect(control.integral[0]).toBeLessThanOrEqual(p.get("MC_RR_INT_LIM") + 1e-9);
    control.reset();
    expect(control.integral).toEqual([0, 0, 0]);
    const held = { positive: [true, false, false], negative: [false, false, false] } as const;
    for (let i = 0; i < 1000; i++) control.update([0, 0, 0], [1, 0, 0], held, false, 0.002);
    expect(control.integral[0]).toBe(0);
    for (let i = 0; i < 1000; i++) control.update([0, 0, 0], [0, 1, 0], unsaturated, true, 0.002);
    expect(control.integral[1]).toBe(0);
  });
});

describe("trajectory", () => {
  const auto: TrajectoryLimits = {
    horizontal_m_s: 0.6,
    up_m_s: 0.6,
    down_m_s: 0.5,
    horizontal_m_s2: 0.6,
    vertical_m_s2: 0.6,
    jerk_m_s3: 2,
  };

  test("arrives, at rest, without overshoot, and keeps speed, acceleration and jerk within bounds", () => {
    fc.assert(
      fc.property(vector(3), (target) => {
        const t = new Trajectory();
        t.reset([0, 0, 0]);
        const most = { speed: 0, acceleration: 0, jerk: 0, beyond: 0 };
        let before = t.acceleration;
        for (let i = 0; i < 2500; i++) {
          t.towards(target, auto, 0.008);
          most.speed = Math.max(most.speed, Math.hypot(t.velocity[0], t.velocity[1]));
          most.acceleration = Math.max(most.acceleration, Math.abs(t.acceleration[0]));
          if (length(t.velocity) > 0.05) {
            most.jerk = Math.max(most.jerk, Math.abs(t.acceleration[0] - before[0]) / 0.008);
          }
          most.beyond = Math.max(most.beyond, t.position[0] * Math.sign(target[0]) - Math.abs(target[0]));
          before = t.acceleration;
        }
        expect(most.speed).toBeLessThan(0.63);
        expect(most.acceleration).toBeLessThan(0.61);
        expect(most.jerk).toBeLessThan(2.001);
        expect(most.beyond).toBeLessThan(0.02);
        const gap = length([t.position[0] - target[0], t.position[1] - target[1], t.position[2] - target[2]]);
        expect(gap).toBeLessThan(0.01);
        expect(length(t.velocity)).toBeLessThan(0.02);
      }),
      { numRuns: 20 },
    );
  });

  test("the stopping speed is zero at the target and grows with distance", () => {
    expect(stoppingSpeed(0, 0.6, 2)).toBe(0);
    expect(stoppingSpeed(-1, 0.6, 2)).toBe(0);
    expect(stoppingSpeed(1, 0.6, 2)).toBeGreaterThan(stoppingSpeed(0.5, 0.6, 2));
  });
});

test("quaternion helpers agree with each other", () => {
  const q = multiply(aboutZ(0.5), [Math.cos(0.1), 0, Math.sin(0.1), 0]);
  const [roll, pitch, yaw] = euler(q);
  expect([roll, pitch, yaw].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([0, 0.2, 0.5]);
});
