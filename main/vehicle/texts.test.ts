import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ageTexts, noTexts, reduceTexts, type Texts } from "./texts";

const text = (body: string, id = 0, chunk_seq = 0, severity = 6) => ({
  name: "STATUSTEXT",
  system_id: 1,
  component_id: 1,
  at_ms: 0,
  fields: { severity, text: body, id, chunk_seq },
});
const lines = (texts: Texts) => texts.recent.map((t) => t.text);
const long =
  "Preflight Fail: the estimator has no horizontal position because nothing gives it one; move outside, or switch on vision";
const chunks = (id: number) => {
  const parts = [];
  for (let i = 0; i * 50 <= long.length; i++) parts.push(text(long.slice(i * 50, i * 50 + 50), id, i));
  return parts;
};

describe("texts of the vehicle", () => {
  it("come together from chunks in any order, and repeated ones", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...chunks(3), ...chunks(3)], { minLength: 6, maxLength: 6 }),
        (parts) => {
          const texts = parts.reduce((t, m, i) => reduceTexts(t, m, i), noTexts);
          expect(lines(ageTexts(texts, 5000)).some((line) => line === long)).toBe(true);
        },
      ),
    );
  });

  it("show a gap when a chunk is lost, instead of nothing", () => {
    const [a, , c] = chunks(9);
    let texts = reduceTexts(reduceTexts(noTexts, a!, 0), c!, 10);
    expect(lines(texts)).toEqual([]);
    texts = ageTexts(texts, 3000);
    expect(lines(texts)).toEqual([`${long.slice(0, 50)}[…]${long.slice(100)}`]);
    expect(lines(ageTexts(reduceTexts(noTexts, a!, 0), 3000))).toEqual([`${long.slice(0, 50)}[…]`]);
  });

  it("end exactly at a full chunk with an empty one", () => {
    const texts = reduceTexts(reduceTexts(noTexts, text("x".repeat(50), 4, 0), 0), text("", 4, 1), 1);
    expect(lines(texts)).toEqual(["x".repeat(50)]);
  });

  it("count repeats and keep the newest two hundred: 200 texts in 5 s do not pile up", () => {
    let texts = noTexts;
    for (let i = 0; i < 500; i++) texts = reduceTexts(texts, text(`line ${i}`), i);
    for (let i = 0; i < 5; i++) texts = reduceTexts(texts, text("same"), 600 + i);
    expect(texts.recent.length).toBe(200);
    expect(texts.recent.at(-1)).toMatchObject({ text: "same", count: 5, at_ms: 604 });
  });
});
