import { describe, expect, it } from "vitest";
import { Latest, Recent } from "./latest";

function bench() {
  const asked: number[] = [];
  const answered: number[] = [];
  const open: { done: (v: number) => void; fail: () => void }[] = [];
  const latest = new Latest<number, number>(
    (n) => {
      asked.push(n);
      return new Promise((done, fail) => open.push({ done, fail: () => fail(new Error("gone")) }));
    },
    (n) => answered.push(n),
  );
  const settle = async (act: (o: { done: (v: number) => void; fail: () => void }) => void): Promise<void> => {
    const next = open.shift();
    if (next !== undefined) act(next);
    for (let i = 0; i < 4; i += 1) await Promise.resolve();
  };
  return { latest, asked, answered, settle };
}

describe("the newest wish wins", () => {
  it("asks for the first and the last of a hundred, never for the ones between", async () => {
    const b = bench();
    for (let n = 0; n < 100; n += 1) b.latest.want(n);
    await b.settle((o) => o.done(0));
    await b.settle((o) => o.done(99));
    expect(b.asked).toEqual([0, 99]);
    expect(b.answered).toEqual([0, 99]);
  });

  it("goes on after a failed request", async () => {
    const b = bench();
    b.latest.want(1);
    await b.settle((o) => o.fail());
    b.latest.want(2);
    await b.settle((o) => o.done(2));
    expect(b.answered).toEqual([2]);
  });

  it("answers nothing after it was closed", async () => {
    const b = bench();
    b.latest.want(1);
    b.latest.close();
    await b.settle((o) => o.done(1));
    b.latest.want(2);
    expect(b.answered).toEqual([]);
    expect(b.asked).toEqual([1]);
  });
});

it("remembers a bounded number of answers, the used ones longest", () => {
  const recent = new Recent<number>(2);
  recent.set("a", 1);
  recent.set("b", 2);
  recent.get("a");
  recent.set("c", 3);
  expect([recent.get("a"), recent.get("b"), recent.get("c")]).toEqual([1, undefined, 3]);
});
