import { describe, expect, it } from "vitest";
import { parseDecimal, parseWithin } from "./parse";

describe("typed numbers", () => {
  it("take a point or a comma (ArduPilot/MissionPlanner#2567)", () => {
    expect(parseDecimal("1.5")).toBe(1.5);
    expect(parseDecimal("1,5")).toBe(1.5);
    expect(parseDecimal(" −2,25 ")).toBe(-2.25);
    expect(parseDecimal("0,125")).toBe(0.125);
  });

  it("refuse what could mean two things or nothing", () => {
    for (const text of ["1,234", "1.234,5", "12a", "", ".", "1e5", "NaN", "Infinity", "--1", "0x10"]) {
      expect(parseDecimal(text)).toBeNull();
    }
  });

  it("stay within their limits", () => {
    const limits = { min: 0.5, max: 2.5, unit: "m" };
    expect(parseWithin("1,5", limits)).toEqual({ value: 1.5 });
    expect(parseWithin("2.6", limits)).toEqual({ problem: "Must be 0.5 to 2.5 m" });
    expect(parseWithin("high", limits)).toEqual({ problem: "Not a number" });
  });
});
