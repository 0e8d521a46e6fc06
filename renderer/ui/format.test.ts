import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  age,
  bearing,
  byteRate,
  clock,
  degrees,
  fixed,
  length,
  percent,
  quantity,
  small_length,
  speed,
  unknown,
} from "./format";

describe("numbers on the screen", () => {
  it("keep their decimal point in every locale (ArduPilot/MissionPlanner#2567)", () => {
    expect(length(12.34, "metric")).toBe("12.34 m");
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        fc.integer({ min: 0, max: 4 }),
        (value, digits) => {
          const text = fixed(value, digits);
          expect(text).toMatch(/^−?\d+(\.\d+)?$/);
          expect(Math.abs(Number(text.replace("−", "-")) - value)).toBeLessThanOrEqual(
            0.5 * 10 ** -digits + 1e-9,
          );
        },
      ),
    );
  });

  it("go through no locale anywhere in the window (ArduPilot/MissionPlanner#2567)", () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const guilty = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".test.ts"))
      .filter((name) =>
        /toLocale\w*String\((?!"en)|Intl\.NumberFormat|parseFloat/.test(
          readFileSync(join(root, name), "utf8"),
        ),
      );
    expect(guilty).toEqual([]);
  });

  it("say that they do not know instead of saying zero", () => {
    for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(fixed(value, 1)).toBe(unknown);
      expect(length(value, "metric")).toBe(unknown);
      expect(percent(value)).toBe(unknown);
      expect(degrees(value)).toBe(unknown);
      expect(bearing(value)).toBe(unknown);
      expect(age(value)).toBe(unknown);
      expect(byteRate(value)).toBe(unknown);
    }
    expect(clock(null)).toBe("––:––");
  });

  it("never show minus zero", () => {
    expect(fixed(-0.04, 1)).toBe("0.0");
    expect(fixed(-0.06, 1)).toBe("−0.1");
  });

  it("switch to feet and inches", () => {
    expect(length(0.3048, "feet")).toBe("1.0 ft");
    expect(small_length(0.0254, "feet")).toBe("1.0 in");
    expect(small_length(0.017, "metric")).toBe("1.7 cm");
    expect(speed(0.3048, "feet")).toBe("1.0 ft/s");
    expect(quantity(1, "m", "feet")).toBe("3.3 ft");
  });

  it("show angles in degrees and headings as a compass does", () => {
    expect(degrees(Math.PI / 6)).toBe("30°");
    expect(bearing(0)).toBe("090°");
    expect(bearing(Math.PI / 2)).toBe("000°");
    expect(bearing(Math.PI)).toBe("270°");
    expect(bearing(Math.PI / 2 + 0.001)).toBe("000°");
  });

  it("write times for a glance", () => {
    expect(clock(161_000)).toBe("02:41");
    expect(clock(3_847_000)).toBe("1:04:07");
    expect(clock(-5)).toBe("00:00");
    expect(age(240)).toBe("0.2 s");
    expect(age(95_000)).toBe("95 s");
    expect(age(300_000)).toBe("5 min");
  });
});
