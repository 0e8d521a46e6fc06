import fc from "fast-check";
import { expect, it } from "vitest";
import { clampSplit, defaultSplits, fitSplits, middle_px, parseSplits, splitLimits } from "./splits";

it("keeps edges within their limits, whatever is dragged or stored", () => {
  expect(clampSplit("left_px", -50)).toBe(splitLimits.left_px.min);
  expect(clampSplit("right_px", Number.NaN)).toBe(defaultSplits.right_px);
  expect(parseSplits("{")).toEqual(defaultSplits);
  expect(parseSplits('{"left_px": "wide", "bottom_px": 9000}')).toEqual({
    ...defaultSplits,
    bottom_px: splitLimits.bottom_px.max,
  });
});

it("leaves the middle its room down to the width where tabs take over", () => {
  const px = fc.integer({ min: 0, max: 2000 });
  fc.assert(
    fc.property(px, px, fc.integer({ min: 960, max: 4000 }), (left_px, right_px, width_px) => {
      const fitted = fitSplits({ left_px, right_px, bottom_px: 152 }, width_px);
      expect(width_px - fitted.left_px - fitted.right_px).toBeGreaterThanOrEqual(middle_px);
    }),
  );
});
