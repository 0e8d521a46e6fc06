import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bookmark } from "#contract/review-workspace";
import { relabelled, withBookmark, withoutBookmark } from "./bookmarks";
import { nearby, orderOf, takesTopics } from "./exporting";

describe("bookmarks", () => {
  it("stay in order of time under names of their own, whatever is added and removed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: -5, max: 60, noNaN: true }), fc.boolean()), { maxLength: 40 }),
        (acts) => {
          let all: readonly Bookmark[] = [];
          for (const [at_s, remove] of acts)
            all = remove ? withoutBookmark(all, all[0]?.id ?? "") : withBookmark(all, at_s, "x");
          const times = all.map((b) => b.at_s);
          expect(times).toEqual([...times].sort((a, b) => a - b));
          expect(new Set(all.map((b) => b.id)).size).toBe(all.length);
        },
      ),
    );
  });

  it("take a second press on the same moment for a slip, and no moment that is none", () => {
    const one = withBookmark([], 3, "Land");
    expect(withBookmark(one, 3.01, "again")).toBe(one);
    expect(withBookmark(one, Number.NaN, "never")).toBe(one);
    expect(relabelled(one, "b1", { label: "touch-down" })[0]).toMatchObject({ at_s: 3, label: "touch-down" });
  });
});

describe("exports", () => {
  const wish = { format: "csv", folder: "/out", shown_only: false, topics: "plotted" } as const;
  const range = { from_s: 1.25, to_s: 9 };
  it("order everything without cutting it at a rounded time, or just what is shown", () => {
    expect(orderOf(wish, range, ["a"], false)).toMatchObject({ from_s: null, to_s: null, topics: ["a"] });
    expect(orderOf({ ...wish, shown_only: true }, range, [], true)).toMatchObject({
      from_s: 1.25,
      to_s: 9,
      overwrite: true,
    });
  });
  it("name topics only where the format knows topics", () => {
    expect(takesTopics("report")).toBe(false);
    expect(orderOf({ ...wish, format: "report" }, range, ["a"], false).topics).toBeNull();
  });
  it("lie beside the recording", () => {
    expect(nearby({ path: "/flights/2026/flight.mcap" })).toBe("/flights/2026/export");
    expect(nearby({ path: "C:\\logs\\a.ulg" })).toBe("C:\\logs/export");
  });
});
