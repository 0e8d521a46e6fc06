import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LabelWish, placeLabels } from "./label-layout";

const viewport = { width: 400, height: 300 };
const wish = (id: string, x: number, y: number, priority = 0): LabelWish => ({
  id,
  x,
  y,
  width: 80,
  height: 18,
  priority,
});

describe("label placement", () => {
  it("puts a lonely label above its anchor", () => {
    expect(placeLabels([wish("a", 200, 150)], viewport)).toEqual([{ id: "a", left: 160, top: 126 }]);
  });

  it("gives the urgent label the better place", () => {
    const placed = placeLabels([wish("calm", 200, 150), wish("urgent", 200, 150, 9)], viewport);
    expect(placed[0]).toEqual({ id: "urgent", left: 160, top: 126 });
    expect(placed[1]?.top).not.toBe(126);
  });

  it("never covers one label with another, nor leaves the picture", () => {
    const wishes = fc.array(
      fc.record({
        x: fc.integer({ min: -20, max: 420 }),
        y: fc.integer({ min: -20, max: 320 }),
        width: fc.integer({ min: 20, max: 150 }),
        priority: fc.integer({ min: 0, max: 3 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(wishes, (list) => {
        const asked = list.map((w, i) => ({ ...w, id: `l${i}`, height: 18 }));
        const boxes = placeLabels(asked, viewport).map((p) => {
          const width = asked.find((w) => w.id === p.id)?.width ?? 0;
          return { left: p.left, top: p.top, right: p.left + width, bottom: p.top + 18 };
        });
        boxes.forEach((a, i) => {
          expect(a.left >= 0 && a.top >= 0 && a.right <= 400 && a.bottom <= 300).toBe(true);
          for (const b of boxes.slice(i + 1))
            expect(a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom).toBe(false);
        });
      }),
    );
  });

  it("keeps what it is told to keep clear", () => {
    const tools = { left: 100, top: 100, right: 300, bottom: 140 };
    const [placed] = placeLabels([wish("a", 200, 150)], viewport, [tools]);
    expect(placed?.top).toBeGreaterThanOrEqual(140);
  });
});
