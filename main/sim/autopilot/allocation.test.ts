import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Allocation, commandFromThrust, effectiveness, pseudoInverse } from "./allocation";
import { hexarotor650 } from "./port";

const small = fc.double({ min: -0.1, max: 0.1, noNaN: true });
const any = fc.double({ min: -1, max: 1, noNaN: true });

describe("allocation", () => {
  test("the pseudo-inverse is one: E M = 1", () => {
    const e = effectiveness(hexarotor650);
    const m = pseudoInverse(e);
    e.forEach((row, i) => {
      e.forEach((_, j) => {
        const product = row.reduce((sum, v, k) => sum + v * (m[k]?.[j] ?? 0), 0);
        expect(product).toBeCloseTo(i === j ? 1 : 0, 6);
      });
    });
  });

  test("reproduces the wrench asked for whenever no rotor is at a limit", () => {
    const allocation = new Allocation(hexarotor650);
    fc.assert(
      fc.property(small, small, small, fc.double({ min: 0.35, max: 0.6, noNaN: true }), (r, p, y, t) => {
        const { thrust, saturation } = allocation.allocate([r, p, y], t);
        const made = allocation.achieved(thrust);
        [r, p, y, t].forEach((wanted, i) => {
          expect(made[i]).toBeCloseTo(wanted, 6);
        });
        expect(saturation.positive).toEqual([false, false, false]);
        expect(saturation.negative).toEqual([false, false, false]);
      }),
    );
  });

  test("whatever is asked, commands stay within 0 and 1, and roll and pitch keep their sign", () => {
    const allocation = new Allocation(hexarotor650);
    fc.assert(
      fc.property(any, any, any, fc.double({ min: 0.12, max: 1, noNaN: true }), (r, p, y, t) => {
        const { thrust } = allocation.allocate([r, p, y], t);
        for (const share of thrust) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
        const [roll = 0, pitch = 0] = allocation.achieved(thrust);
        expect(roll * Math.sign(r)).toBeGreaterThan(-0.12);
        expect(pitch * Math.sign(p)).toBeGreaterThan(-0.12);
      }),
    );
  });

  test("yaw gives way before roll and pitch; thrust gives way before both", () => {
    const allocation = new Allocation(hexarotor650);
    const made = allocation.achieved(allocation.allocate([0.2, -0.2, 1], 0.4).thrust);
    expect(made[0]).toBeCloseTo(0.2, 3);
    expect(made[1]).toBeCloseTo(-0.2, 3);
    expect(made[2]).toBeLessThan(0.5);
    const full = allocation.achieved(allocation.allocate([0.3, 0, 0], 1).thrust);
    expect(full[0]).toBeCloseTo(0.3, 3);
    expect(full[3]).toBeLessThan(0.9);
  });

  test("what saturation took away is reported, by axis and direction", () => {
    const allocation = new Allocation(hexarotor650);
    const { saturation } = allocation.allocate([0, 0, 1], 0.3);
    expect(saturation.positive).toEqual([false, false, true]);
    expect(allocation.allocate([0, 0, -1], 0.3).saturation.negative[2]).toBe(true);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    "without rotor %i roll, pitch and lift are still exact; the opposite rests",
    (dead) => {
      const allocation = new Allocation(hexarotor650);
      allocation.setStopped(new Set([dead]));
      const { thrust } = allocation.allocate([0.05, -0.04, 0.3], 0.36);
      const made = allocation.achieved(thrust);
      expect(made[0]).toBeCloseTo(0.05, 6);
      expect(made[1]).toBeCloseTo(-0.04, 6);
      expect(made[3]).toBeCloseTo(0.36, 6);
      expect(thrust[dead]).toBe(0);
      expect(thrust[dead ^ 1]).toBe(0);
    },
  );

  test("the thrust curve is undone: command to thrust and back", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (t, f) => {
          const u = commandFromThrust(t, f);
          expect(f * u * u + (1 - f) * u).toBeCloseTo(t, 6);
        },
      ),
    );
  });
});
