import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParameterRow } from "#contract/link-ipc";
import { everything, filterRows, groupsOf, isModified, scrollToShow, visibleRange } from "./rows";
import { hasBit, plainValue, rangeText, readValue, valueMeaning, withBit } from "./value";
import { answered, awaitingRestart, begun, type Writes } from "./writes";

const row = (over: Partial<ParameterRow>): ParameterRow => ({
  name: "MPC_XY_VEL_MAX",
  value: 12,
  type: "float",
  group: "MPC",
  short: "Most horizontal speed in any mode",
  long: "",
  unit: "m/s",
  min: 0,
  max: 20,
  increment: null,
  decimals: 1,
  default: 12,
  values: [],
  bits: [],
  reboot_required: false,
  read_only: false,
  ...over,
});
const rows = [
  row({ name: "COM_OBL_RC_ACT", group: "COM", short: "What to do when offboard is lost", type: "int32" }),
  row({}),
  row({ name: "MPC_Z_VEL_MAX_UP", short: "Most climb rate", value: 3.1, default: 3 }),
  row({ name: "XY_TEST", group: "TEST", short: "holds MPC speed in its words", default: null }),
];
const names = (text: string, over = {}): readonly string[] =>
  filterRows(rows, { ...everything, text, ...over }).map(({ name }) => name);

describe("the list of parameters", () => {
  it("is searched by words of name and description, names first", () => {
    expect(names("mpc vel max")).toEqual(["MPC_XY_VEL_MAX", "MPC_Z_VEL_MAX_UP"]);
    expect(names("xy")).toEqual(["XY_TEST", "MPC_XY_VEL_MAX"]);
    expect(names("offboard lost")).toEqual(["COM_OBL_RC_ACT"]);
    expect(names("MPC_XY")).toEqual(["MPC_XY_VEL_MAX", "XY_TEST"]);
    expect(names("speed mpc")).toEqual(["MPC_XY_VEL_MAX", "XY_TEST"]);
    expect(names("nothing like it")).toEqual([]);
  });

  it("is narrowed to a group and to what differs from the default", () => {
    expect(names("", { group: "COM" })).toEqual(["COM_OBL_RC_ACT"]);
    expect(names("", { modified: true })).toEqual(["MPC_Z_VEL_MAX_UP"]);
    expect(groupsOf(rows).map(({ name, count }) => [name, count])).toEqual([
      ["COM", 1],
      ["MPC", 2],
      ["TEST", 1],
    ]);
  });

  it("does not call a value modified because 32 bits cannot hold its default", () => {
    expect(isModified(row({ value: Math.fround(0.1), default: 0.1 }))).toBe(false);
    expect(isModified(row({ value: Math.fround(0.11), default: 0.1 }))).toBe(true);
    expect(isModified(row({ value: 5, default: null }))).toBe(false);
  });

  it("draws a window of rows that covers what is in view, whatever the scroll position", () => {
    const int = fc.integer({ min: 0, max: 60_000 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2000 }),
        int,
        fc.integer({ min: 1, max: 2000 }),
        (count, scroll_px, height_px) => {
          const { first, last } = visibleRange(count, scroll_px, height_px, 30);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(last).toBeLessThanOrEqual(count);
          expect(last - first).toBeLessThanOrEqual(Math.ceil(height_px / 30) + 18);
          for (const edge_px of [scroll_px, scroll_px + height_px - 1]) {
            const index = Math.floor(edge_px / 30);
            if (index < count) expect(index >= first && index < last).toBe(true);
          }
        },
      ),
    );
    expect(scrollToShow(0, 90, 300, 30)).toBe(0);
    expect(scrollToShow(20, 0, 300, 30)).toBe(330);
    expect(scrollToShow(5, 60, 300, 30)).toBe(60);
  });
});

describe("values", () => {
  it("are written plainly, without the noise of 32 bits and without exponents", () => {
    const float = { type: "float", decimals: null } as const;
    expect(plainValue(Math.fround(0.1), float)).toBe("0.1");
    expect(plainValue(Math.fround(1e-6), float)).toBe("0.000001");
    expect(plainValue(-1.5, float)).toBe("−1.5");
    expect(plainValue(12, { type: "float", decimals: 2 })).toBe("12.00");
    expect(plainValue(Math.fround(0.125), { type: "float", decimals: 1 })).toBe("0.125");
    expect(plainValue(2e9, { type: "int32", decimals: null })).toBe("2000000000");
    expect(plainValue(Number.NaN, float)).toBe("–");
    expect(plainValue(0, float)).toBe("0");
  });

  it("come back from what is shown, whatever the float", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), (value) => {
        fc.pre(value === 0 || Math.abs(value) > 1e-9);
        const read = readValue(
          plainValue(value, { type: "float", decimals: null }),
          row({ min: null, max: null }),
        );
        expect(read.state).toBe("good");
        if (read.state === "good")
          expect(Math.abs(read.value - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-6);
      }),
    );
  });

  it("mean what the vehicle's description says", () => {
    const values = [{ value: 0, text: "Position" }];
    expect(valueMeaning(0, { values, bits: [] })).toBe("Position");
    expect(valueMeaning(9, { values, bits: [] })).toBeNull();
    const bits = [
      { index: 0, text: "GPS" },
      { index: 31, text: "vision" },
    ];
    expect(valueMeaning(2 ** 31 + 1, { values: [], bits })).toBe("GPS, vision");
    expect(valueMeaning(0, { values: [], bits })).toBe("none");
    expect(hasBit(withBit(0, 31, true), 31)).toBe(true);
    expect(withBit(3, 1, false)).toBe(1);
    expect(withBit(3, 1, true)).toBe(3);
  });

  it("are refused when the vehicle cannot store them, and questioned outside their recommended range", () => {
    expect(readValue("1,5", row({}))).toEqual({ state: "good", value: 1.5 });
    expect(readValue("1,234", row({}))).toMatchObject({ state: "wrong" });
    expect(readValue("25", row({}))).toMatchObject({ state: "unusual", value: 25 });
    expect(readValue("1.5", row({ type: "int32" }))).toMatchObject({ state: "wrong" });
    expect(readValue("300", row({ type: "uint8", max: null }))).toMatchObject({ state: "wrong" });
    expect(rangeText(row({}))).toBe("0 to 20 m/s");
    expect(rangeText(row({ max: null, unit: "" }))).toBe("at least 0");
    expect(rangeText(row({ min: null, max: null }))).toBe("");
  });
});

describe("a written value", () => {
  const restart = (): boolean => true;
  it("is pending until the vehicle has said its value, and names what waits for a restart", () => {
    let writes: Writes = begun({}, "A", 2, 1);
    expect(writes["A"]).toEqual({ state: "pending", value: 2, before: 1 });
    expect(awaitingRestart(writes, restart)).toEqual([]);
    writes = answered(writes, "A", 2, { ok: true, value: 2 });
    expect(writes["A"]?.state).toBe("confirmed");
    expect(awaitingRestart(writes, restart)).toEqual(["A"]);
    writes = answered(begun(writes, "A", 1, 2), "A", 1, { ok: true, value: 1 });
    expect(awaitingRestart(writes, restart)).toEqual([]);
  });

  it("fails with the reason, and is not touched by an answer to an earlier value", () => {
    const twice = begun(begun({}, "A", 2, 1), "A", 3, 1);
    expect(answered(twice, "A", 2, { ok: true, value: 2 })).toBe(twice);
    expect(answered(twice, "A", 3, { ok: false, reason: "no answer" })["A"]).toEqual({
      state: "failed",
      value: 3,
      before: 1,
      reason: "no answer",
    });
  });
});
