import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, expect, test } from "vitest";
import { bundleEntry, bundlePath } from "../../tests/support/bundle";
import { type ReviewClient, reviewClient } from "./client";

const golden = (name: string): string =>
  fileURLToPath(new URL(`../../tests/golden/${name}`, import.meta.url));
const entry = bundlePath("review-main");
const started: number[] = [];
let client: ReviewClient | null = null;

beforeAll(async () => {
  await bundleEntry("main/review/main.ts", entry);
}, 60_000);
afterEach(async () => {
  await client?.close();
});

function start(): ReviewClient {
  client = reviewClient({
    start: () => {
      const child = fork(entry, [], { serialization: "advanced", stdio: ["ignore", "pipe", "pipe", "ipc"] });
      started.push(child.pid ?? 0);
      return child;
    },
  });
  return client;
}

test("the review process opens a log, answers plots, path, messages and pictures, and closes it", async () => {
  const review = start();
  const opened = await review.request("review.open", { path: golden("px4-1.17-hexa.tlog") });
  if (!opened.ok) throw new Error(opened.reason);
  const { id } = opened.value;
  const plot = { id, topic: "ATTITUDE", field: "roll", from_s: 10, to_s: 20, points: 50 };
  const series = await review.request("review.series", plot);
  expect(series.ok && series.value.unit).toBe("rad");
  const angle = await review.request("review.series", {
    ...plot,
    topic: "ATTITUDE_QUATERNION",
    field: "q.yaw_deg",
  });
  expect(angle.ok && angle.value.unit).toBe("deg");
  const sum = await review.request("review.series", { ...plot, topic: "=", field: "deg({ATTITUDE.roll})" });
  expect(sum.ok && sum.value.t_s.length).toBeGreaterThan(5);
  const track = await review.request("review.track", { id });
  expect(track.ok && track.value.t_s.length).toBe(181);
  const message = await review.request("review.message", { id, topic: "HEARTBEAT", at_s: 30 });
  expect(message.ok && message.value.message).toMatchObject({ autopilot: 12 });
  expect(await review.request("review.image", { id, topic: "ATTITUDE", at_s: 3 })).toEqual({
    ok: false,
    reason: "ATTITUDE has no picture at that time.",
  });
  await review.request("review.close", { id });
  expect(await review.request("review.track", { id })).toEqual({
    ok: false,
    reason: "This log is no longer open; open it again.",
  });
}, 30_000);

test("a crash of the review process is one clear refusal, and the next request starts a new one", async () => {
  const review = start();
  await review.request("review.close", { id: "warm up" });
  const asked = review.request("review.open", { path: golden("px4-1.18-hexa.ulg") });
  process.kill(started.at(-1) ?? 0, "SIGKILL");
  expect(await asked).toEqual({
    ok: false,
    reason:
      "The log reader crashed on this file and was restarted; nothing else was affected. Open it again.",
  });
  const again = await review.request("review.open", { path: golden("px4-1.18-hexa.ulg") });
  expect(again.ok && again.value.format).toBe("PX4 ULog");
}, 30_000);

test("files that cannot be read are one sentence each", async () => {
  const review = start();
  const reason = async (path: string): Promise<string> => {
    const opened = await review.request("review.open", { path });
    return opened.ok ? "opened" : opened.reason;
  };
  expect(await reason("/no/such/file.ulg")).toBe("/no/such/file.ulg does not exist.");
  expect(await reason(golden("."))).toMatch(
    /is a folder without a recording in it .* Open one of its files instead/,
  );
  expect(await reason(golden("trim.mjs"))).toMatch(/^trim\.mjs is not a log that Kingfisher can read/);
}, 30_000);
