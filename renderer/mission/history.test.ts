import { expect, it } from "vitest";
import { historyOf, kept, parseHistory, walk, withSaid } from "./history";

it("walks back through what was said and returns to the draft", () => {
  let { history, text } = walk(historyOf(["a", "b"]), 1, "draft");
  expect(text).toBe("b");
  ({ history, text } = walk(history, 1, text));
  expect(text).toBe("a");
  ({ history, text } = walk(history, 1, text));
  expect(text).toBe("a");
  ({ history, text } = walk(history, -1, text));
  expect(text).toBe("b");
  ({ history, text } = walk(history, -1, text));
  expect(text).toBe("draft");
  expect(walk(history, -1, "x").text).toBe("x");
});

it("keeps a bounded history without repeats in a row", () => {
  let history = historyOf([]);
  for (let index = 0; index < kept + 20; index += 1) history = withSaid(history, `say ${index}`);
  history = withSaid(history, `say ${kept + 19}`);
  expect(history.said).toHaveLength(kept);
  expect(history.said.at(-1)).toBe(`say ${kept + 19}`);
});

it("survives damaged storage", () => {
  expect(parseHistory("{oops").said).toEqual([]);
  expect(parseHistory('["a", 3, "b"]').said).toEqual(["a", "b"]);
  expect(parseHistory(null).said).toEqual([]);
});
