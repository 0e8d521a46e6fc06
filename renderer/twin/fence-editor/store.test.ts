import { describe, expect, it } from "vitest";
import type { Stores } from "../../stores/stores";
import { fenceActs, fenceEditorOf } from "./store";

function desk() {
  // The editor only needs something to belong to.
  const store = fenceEditorOf({} as Stores);
  return { store, acts: fenceActs(store), draft: () => store.getState().history.present };
}

describe("drawing a fence", () => {
  it("makes a polygon of clicks, and none of fewer than three", () => {
    const { store, acts, draft } = desk();
    acts.begin("polygon", "in");
    acts.click([0, 0]);
    acts.click([2, 0]);
    expect(acts.finish()).toBe(false);
    acts.click([2, 2]);
    expect(acts.finish()).toBe(true);
    expect(draft().zones).toMatchObject([
      {
        kind: "polygon",
        keep: "in",
        corners: [
          [0, 0],
          [2, 0],
          [2, 2],
        ],
      },
    ]);
    expect(store.getState()).toMatchObject({
      tool: { kind: "select" },
      selected: { zone: "z1", index: null },
    });
    expect(acts.finish()).toBe(false);
  });

  it("makes a circle of its centre and a point of its edge, or places one without a mouse", () => {
    const { acts, draft } = desk();
    acts.begin("circle", "out");
    acts.click([1, 1]);
    acts.click([1, 3]);
    acts.begin("circle", "in");
    acts.place([0, 0], 1.5);
    acts.begin("polygon", "in");
    acts.place([1, 1], 0.5);
    expect(draft().zones).toMatchObject([
      { kind: "circle", keep: "out", centre: [1, 1], radius_m: 2 },
      { kind: "circle", keep: "in", centre: [0, 0], radius_m: 1.5 },
      {
        kind: "polygon",
        corners: [
          [0.5, 0.5],
          [1.5, 0.5],
          [1.5, 1.5],
          [0.5, 1.5],
        ],
      },
    ]);
  });

  it("gives a drawing up without a trace", () => {
    const { store, acts, draft } = desk();
    acts.begin("polygon", "out");
    acts.click([0, 0]);
    acts.cancel();
    acts.click([3, 3]);
    expect(draft().zones).toEqual([]);
    expect(store.getState().history.past).toEqual([]);
  });

  it("takes away the selected corner, then the zone, and undo keeps what is still there selected", () => {
    const { store, acts, draft } = desk();
    acts.begin("polygon", "in");
    acts.place([0, 0], 1);
    acts.select({ zone: "z1", index: 3 });
    acts.remove();
    expect(draft().zones).toMatchObject([{ corners: { length: 3 } }]);
    acts.undo();
    expect(store.getState().selected).toEqual({ zone: "z1", index: null });
    acts.remove();
    expect(draft().zones).toEqual([]);
    acts.undo();
    acts.undo();
    expect(draft().zones).toEqual([]);
    acts.redo();
    acts.select({ zone: "z1", index: 0 });
    acts.drag({ zone: "z1", index: 0 }, [-2, -2]);
    acts.drag({ zone: "z1", index: 0 }, [-3, -2]);
    acts.drop();
    acts.undo();
    expect(draft().zones).toMatchObject([
      {
        corners: [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
        ],
      },
    ]);
    expect(store.getState().selected).toEqual({ zone: "z1", index: 0 });
  });
});
