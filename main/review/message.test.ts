import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reviewDeps } from "./deps";
import { ReviewService } from "./service";

test("the message at the cursor is the newest one, decoded; a missing topic is refused in words", async () => {
  const service = new ReviewService(reviewDeps);
  const path = fileURLToPath(new URL("../../tests/golden/px4-1.17-hexa.tlog", import.meta.url));
  const opened = await service.open(path);
  if (typeof opened === "string") throw new Error(opened);
  const ask = (topic: string, at_s: number) =>
    service.answer("review.message", { id: opened.id, topic, at_s });
  const early = await ask("HEARTBEAT", 5);
  const late = await ask("HEARTBEAT", 20);
  if (!early.ok || !late.ok) throw new Error("both are there");
  expect(early.value.at_s <= 5 && early.value.at_s > 3.9).toBe(true);
  expect(late.value.index).toBeGreaterThan(early.value.index + 10);
  expect(late.value.message).toMatchObject({ type: 13 });
  expect(await ask("HEARTBEAT", -10)).toMatchObject({ ok: true, value: { index: 0 } });
  expect(await ask("nothing", 5)).toEqual({ ok: false, reason: "nothing has no message that can be read." });
  service.close(opened.id);
});
