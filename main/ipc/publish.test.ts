import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultSettings } from "#contract/settings";
import { FakeClock } from "../../tests/support/fake-clock";
import { createPublisher } from "./publish";

function rig() {
  const clock = new FakeClock();
  const sent: { name: string; value: unknown; at_ms: number }[] = [];
  const publisher = createPublisher(
    (name, value) => sent.push({ name, value, at_ms: clock.now_ms() }),
    clock,
  );
  return { clock, sent, publisher };
}
const settings = (operator: string) => ({ ...defaultSettings, operator });
const operator = ({ value }: { value: unknown }): string => (value as { operator: string }).operator;

test("a value after a pause goes at once, values between are skipped, the last one arrives", () => {
  const { clock, sent, publisher } = rig();
  for (const name of ["a", "b", "c"]) publisher.publish("settings", settings(name));
  expect(sent.map(operator)).toEqual(["a"]);
  clock.advance(70);
  expect(sent.map(operator)).toEqual(["a", "c"]);
  clock.advance(1000);
  publisher.publish("settings", settings("d"));
  expect(sent.map(operator)).toEqual(["a", "c", "d"]);
});

test("topics do not wait for each other, and menu actions are never skipped", () => {
  const { sent, publisher } = rig();
  publisher.publish("settings", settings("a"));
  publisher.publish("links", []);
  publisher.publish("menu", { action: "fly", path: null });
  publisher.publish("menu", { action: "review", path: null });
  expect(sent.map(({ name }) => name)).toEqual(["settings", "links", "menu", "menu"]);
});

test("after close nothing is sent", () => {
  const { clock, sent, publisher } = rig();
  publisher.publish("settings", settings("a"));
  publisher.publish("settings", settings("b"));
  publisher.close();
  clock.advance(1000);
  expect(sent.map(operator)).toEqual(["a"]);
});

test("whatever the rhythm: at most 15 a second, in order, and the newest always arrives", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 100 }), (pauses_ms) => {
      const { clock, sent, publisher } = rig();
      pauses_ms.forEach((pause_ms, n) => {
        clock.advance(pause_ms);
        publisher.publish("settings", settings(`op ${n}`));
      });
      clock.advance(1000);
      const numbers = sent.map((entry) => Number(operator(entry).slice(3)));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
      expect(numbers.at(-1)).toBe(pauses_ms.length - 1);
      for (const [n, entry] of sent.entries()) {
        const before = sent[n - 1];
        if (before !== undefined) expect(entry.at_ms - before.at_ms).toBeGreaterThanOrEqual(1000 / 15 - 1e-6);
      }
    }),
  );
});
