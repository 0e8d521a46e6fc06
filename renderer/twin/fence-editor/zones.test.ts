import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changed, dragCancelled, dragged, dropped, historyOf, redone, undone } from "./history";
import { area_m2, contains, firstCrossing, judgeFence } from "./judge";
import {
  emptyFence,
  handlesOf,
  nextId,
  outlineOf,
  type Point,
  sameFence,
  withCircle,
  withCornerAfter,
  withHandleAt,
  withKeep,
  withoutCorner,
  withoutZone,
  withPolygon,
  withRadius,
  zoneName,
  zoneOf,
} from "./zones";

const square: readonly Point[] = [
  [-2, -2],
  [2, -2],
  [2, 2],
  [-2, 2],
];
const fence = withCircle(withPolygon(emptyFence, "in", square), "out", [1, 1], 0.5);
const around = { vehicle: null, limit_ceiling_m: 2.6 };
const cornersOf = (draft: typeof fence, id = "z1"): readonly Point[] => {
  const zone = zoneOf(draft, id);
  return zone?.kind === "polygon" ? zone.corners : [];
};

describe("zones", () => {
  it("are named by what they ask for, and never reuse an id while they are there", () => {
    expect(fence.zones.map((zone) => zoneName(fence, zone))).toEqual(["Keep in 1", "Keep out 1"]);
    expect(nextId(withoutZone(fence, "z1"))).toBe("z3");
    const both = withKeep(fence, "z2", "in");
    expect(both.zones.map((zone) => zoneName(both, zone))).toEqual(["Keep in 1", "Keep in 2"]);
  });

  it("take corners in and give them up, down to three", () => {
    const five = withCornerAfter(fence, "z1", 3);
    expect(cornersOf(five)).toEqual([...square, [-2, 0]]);
    const three = withoutCorner(withoutCorner(five, { zone: "z1", index: 0 }), { zone: "z1", index: 0 });
    expect(cornersOf(withoutCorner(three, { zone: "z1", index: 0 }))).toHaveLength(3);
  });

  it("move by their handles; a circle's second handle is its radius", () => {
    expect(cornersOf(withHandleAt(fence, { zone: "z1", index: 2 }, [3, 2.5]))[2]).toEqual([3, 2.5]);
    const wider = withHandleAt(fence, { zone: "z2", index: 1 }, [1, 3]);
    expect(zoneOf(wider, "z2")).toMatchObject({ centre: [1, 1], radius_m: 2 });
    const moved = withHandleAt(wider, { zone: "z2", index: 0 }, [0, 0]);
    expect(handlesOf(moved.zones[1]!)).toEqual([
      [0, 0],
      [2, 0],
    ]);
    expect(zoneOf(withRadius(fence, "z2", 0), "z2")).toMatchObject({ radius_m: 0.2 });
  });

  it("are equal by shape, not by name", () => {
    const again = withCircle(withPolygon(withoutZone(fence, "z1"), "in", square), "out", [1, 1], 0.5);
    expect(sameFence(fence, { ...again, zones: again.zones.slice(1) })).toBe(true);
    expect(sameFence(fence, withHandleAt(fence, { zone: "z1", index: 0 }, [-2.1, -2]))).toBe(false);
    expect(sameFence(fence, withKeep(fence, "z2", "in"))).toBe(false);
    expect(sameFence(fence, withoutZone(fence, "z2"))).toBe(false);
  });
});

describe("judging a fence", () => {
  it("finds nothing wrong with a simple one", () => {
    expect(judgeFence(fence, around)).toEqual([]);
  });

  it("says which edges cross", () => {
    const bow = withPolygon(emptyFence, "in", [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
    ]);
    expect(judgeFence(bow, around)).toEqual([
      { severity: "blocks", zone: "z1", text: "Keep in 1 crosses itself: edges 1 and 3. Move a corner." },
    ]);
  });

  it("refuses an area of nothing", () => {
    const flat = withPolygon(emptyFence, "out", [
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    expect(judgeFence(flat, around).map(({ severity }) => severity)).toEqual(["blocks"]);
  });

  it("warns when the vehicle could not arm, and when the ceiling is above the limit", () => {
    const texts = (vehicle: Point): readonly string[] =>
      judgeFence(fence, { ...around, vehicle }).map(({ text }) => text);
    expect(texts([0, 0])).toEqual([]);
    expect(texts([1.2, 1])).toEqual(["The vehicle stands in keep out 1: it could not arm."]);
    expect(texts([5, 0])).toEqual(["The vehicle stands outside every keep-in zone: it could not arm."]);
    expect(judgeFence({ ...fence, ceiling_m: 3 }, around)).toMatchObject([{ severity: "warns" }]);
  });

  it("agrees about inside with the winding of a convex polygon, whatever the point", () => {
    const point = fc.tuple(
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: -5, max: 5, noNaN: true }),
    );
    fc.assert(
      fc.property(point, ([x, y]) => {
        fc.pre(Math.abs(Math.abs(x) - 2) > 1e-6 && Math.abs(Math.abs(y) - 2) > 1e-6);
        expect(contains(fence.zones[0]!, [x, y])).toBe(Math.abs(x) < 2 && Math.abs(y) < 2);
      }),
    );
    expect(area_m2(square)).toBe(16);
    expect(firstCrossing(square)).toBeNull();
    expect(area_m2(outlineOf(fence.zones[1]!, 720))).toBeCloseTo(Math.PI * 0.25, 3);
  });
});

describe("undo", () => {
  it("takes back one step after the other, and does them again", () => {
    let history = historyOf(0);
    for (const step of [1, 2, 3]) history = changed(history, step);
    expect(undone(undone(history)).present).toBe(1);
    expect(redone(undone(undone(history))).present).toBe(2);
    expect(undone(undone(undone(undone(history)))).present).toBe(0);
    expect(redone(changed(undone(history), 9)).present).toBe(9);
    expect(changed(history, 3)).toBe(history);
  });

  it("counts a whole drag as one step, and none when it is taken back", () => {
    let history = changed(historyOf(0), 1);
    for (const at of [1.1, 1.2, 1.3]) history = dragged(history, at);
    expect(history.present).toBe(1.3);
    expect(undone(dropped(history)).present).toBe(1);
    expect(dragCancelled(history)).toMatchObject({ present: 1, past: [0] });
    expect(undone(history)).toMatchObject({ present: 1, past: [0] });
    expect(dropped(dragged(dragged(historyOf(0), 1), 0))).toMatchObject({ past: [], present: 0 });
  });

  it("comes back to the start from any series of changes", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 60 }), (values) => {
        let history = historyOf(-1);
        for (const value of values) history = changed(history, value);
        const end = history.present;
        const steps = history.past.length;
        for (let i = 0; i < steps; i++) history = undone(history);
        expect(history.present).toBe(-1);
        for (let i = 0; i < steps; i++) history = redone(history);
        expect(history.present).toBe(end);
      }),
    );
  });
});
