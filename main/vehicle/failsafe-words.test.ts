import { describe, expect, it } from "vitest";
import { failsafeIssues, failsafeWords } from "./failsafe-words";

const reader = (values: Record<string, number>) => (name: string) => values[name];
const defaults = {
  COM_OBL_RC_ACT: 0,
  NAV_RCL_ACT: 2,
  NAV_DLL_ACT: 0,
  COM_LOW_BAT_ACT: 0,
  GF_ACTION: 2,
  RTL_RETURN_ALT: 60,
  RTL_DESCEND_ALT: 30,
};

describe("failsafes in words", () => {
  it("PX4's defaults would climb to 60 m indoors: that blocks, and says which parameter", () => {
    const words = failsafeWords("px4", reader(defaults), 2.6);
    const lost = words.find((word) => word.parameter === "NAV_RCL_ACT");
    expect(lost?.sentence).toBe(
      "If the remote control is lost, the vehicle will climb to 60 m above home and return home.",
    );
    expect(failsafeIssues(words, 2.6).map((issue) => issue.id)).toEqual([
      "failsafe:NAV_RCL_ACT",
      "failsafe:RTL_RETURN_ALT",
      "failsafe:RTL_DESCEND_ALT",
    ]);
  });

  it("return altitudes do not matter while nothing returns", () => {
    const words = failsafeWords("px4", reader({ ...defaults, NAV_RCL_ACT: 3 }), 2.6);
    expect(failsafeIssues(words, 2.6)).toEqual([]);
    expect(words[2]?.sentence).toBe(
      "If this station goes silent, the vehicle will go on as if nothing had happened.",
    );
  });

  it("a low return under the ceiling is allowed; the descent altitude counts as well", () => {
    const low = { ...defaults, RTL_RETURN_ALT: 2, RTL_DESCEND_ALT: 2 };
    expect(failsafeIssues(failsafeWords("px4", reader(low), 2.6), 2.6)).toEqual([]);
    const near = { ...low, RTL_DESCEND_ALT: 30 };
    expect(failsafeIssues(failsafeWords("px4", reader(near), 2.6), 2.6).length).toBe(2);
  });

  it("what is not known or not a number blocks", () => {
    const read = reader({ ...defaults, NAV_RCL_ACT: 3 });
    const words = failsafeWords("px4", (name) => (name === "GF_ACTION" ? undefined : read(name)), 100);
    expect(failsafeIssues(words, 100).map((issue) => issue.id)).toEqual(["failsafe:GF_ACTION"]);
    expect(failsafeWords("px4", reader({ ...defaults, NAV_DLL_ACT: 77 }), 100)[2]?.blocks).toBe(true);
    expect(failsafeWords("px4", reader({ ...defaults, RTL_RETURN_ALT: Number.NaN }), 100)[1]?.blocks).toBe(
      true,
    );
    expect(failsafeWords("px4", reader(defaults), Number.NaN)[1]?.blocks).toBe(true);
  });

  it("speaks of ArduPilot's as well, in centimetres or metres", () => {
    const ardu = {
      FS_GCS_ENABLE: 1,
      FS_THR_ENABLE: 3,
      BATT_FS_LOW_ACT: 1,
      BATT_FS_CRT_ACT: 1,
      FENCE_ACTION: 4,
    };
    const words = failsafeWords("ardupilot", reader({ ...ardu, RTL_ALT: 1500 }), 20);
    expect(words[0]).toMatchObject({ climbs_to_m: 15, blocks: false });
    expect(failsafeWords("ardupilot", reader({ ...ardu, RTL_ALT_M: 15 }), 10)[0]?.blocks).toBe(true);
    expect(failsafeWords("other", reader({}), 10)).toEqual([]);
  });

  it("mavlink/qgroundcontrol#4171: no height is told without its unit and what it is measured from, a return's included", () => {
    const values = [0, 1, 2, 3, 4, 5, 6, 7, 12.34, 60];
    const sentences: string[] = [];
    for (const value of values) {
      const px4 = reader(Object.fromEntries(Object.keys(defaults).map((name) => [name, value])));
      const ardu = reader({
        ...Object.fromEntries(
          ["FS_GCS_ENABLE", "FS_THR_ENABLE", "BATT_FS_LOW_ACT", "BATT_FS_CRT_ACT", "FENCE_ACTION"].map(
            (name) => [name, value],
          ),
        ),
        RTL_ALT: value * 100,
      });
      for (const words of [failsafeWords("px4", px4, 2.6), failsafeWords("ardupilot", ardu, 2.6)]) {
        sentences.push(...words.map((word) => word.sentence));
        sentences.push(...failsafeIssues(words, 2.6).map((issue) => issue.text));
      }
    }
    const heights = sentences.filter((text) => /\d/.test(text) && !text.includes("does not know"));
    expect(heights.filter((text) => text.includes("return")).length).toBeGreaterThan(20);
    // Every figure in them, without exception: "60 m above home".
    for (const text of heights) expect(text.replaceAll(/\d+(\.\d+)? m above home/g, "")).not.toMatch(/\d/);
  });
});
