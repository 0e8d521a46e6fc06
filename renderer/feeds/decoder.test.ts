import { describe, expect, it } from "vitest";
import { type Bitmap, PictureDrawer } from "./decoder";

/** Decodes when told to, and counts what is open. */
function bench() {
  let open = 0;
  let most = 0;
  const drawn: number[] = [];
  const waiting: ((ok: boolean) => void)[] = [];
  const drawer = new PictureDrawer<Bitmap & { readonly n: number }>(
    (jpeg) =>
      new Promise((done, fail) => {
        waiting.push((ok) => {
          if (!ok) {
            fail(new Error("not a picture"));
            return;
          }
          open += 1;
          most = Math.max(most, open);
          done({ width: 1, height: 1, n: jpeg[0] ?? 0, close: () => (open -= 1) });
        });
      }),
    (bitmap) => drawn.push(bitmap.n),
  );
  const decode = async (ok = true): Promise<void> => {
    waiting.shift()?.(ok);
    for (let i = 0; i < 4; i += 1) await Promise.resolve();
  };
  return { drawer, drawn, decode, pending: () => waiting.length, open: () => open, most: () => most };
}
const picture = (n: number): Uint8Array => Uint8Array.of(n);

describe("pictures", () => {
  it("keeps at most one bitmap open at 30 a second, however slow the page (dimensionalOS/dimos#1509)", async () => {
    const b = bench();
    const shown: Promise<boolean>[] = [];
    for (let n = 0; n < 200; n += 1) {
      shown.push(b.drawer.show(picture(n)));
      if (n % 7 === 0) await b.decode();
    }
    while (b.pending() > 0) await b.decode();
    const results = await Promise.all(shown);
    expect(b.most()).toBe(1);
    expect(b.open()).toBe(0);
    expect(b.drawn.at(-1)).toBe(199);
    expect(results.filter((drawn) => drawn)).toHaveLength(b.drawn.length);
    expect(b.drawn.length).toBeLessThan(60);
  });

  it("draws the newest and says that the overtaken ones were not", async () => {
    const b = bench();
    const first = b.drawer.show(picture(1));
    const second = b.drawer.show(picture(2));
    const third = b.drawer.show(picture(3));
    expect(await second).toBe(false);
    await b.decode();
    await b.decode();
    expect([await first, await third]).toEqual([true, true]);
    expect(b.drawn).toEqual([1, 3]);
  });

  it("survives a broken picture", async () => {
    const b = bench();
    const broken = b.drawer.show(picture(1));
    await b.decode(false);
    expect(await broken).toBe(false);
    const whole = b.drawer.show(picture(2));
    await b.decode();
    expect(await whole).toBe(true);
  });

  it("draws nothing after it was closed, and still frees what was being decoded", async () => {
    const b = bench();
    const late = b.drawer.show(picture(1));
    b.drawer.close();
    await b.decode();
    expect(await late).toBe(false);
    expect(b.drawn).toEqual([]);
    expect(b.open()).toBe(0);
    expect(await b.drawer.show(picture(2))).toBe(false);
  });
});
