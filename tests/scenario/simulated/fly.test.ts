import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { kingfisher } from "../../support/cli";
import { electronPath } from "../../support/electron-path";

const command = "take off, move forward twice, turn right and land";
const Flown = z.looseObject({
  outcome: z.string(),
  why: z.string(),
  skills: z.array(z.looseObject({ id: z.string(), status: z.string() })),
  final_pose: z.object({
    position_enu_m: z.tuple([z.number(), z.number(), z.number()]),
    yaw_rad: z.number(),
  }),
  final_pose_error: z.object({ position_m: z.number(), yaw_rad: z.number() }),
  armed: z.boolean(),
  landed: z.string(),
  recording: z.string(),
  tlog: z.string(),
});

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "kingfisher-fly-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function fly(args: readonly string[], electron?: string): Promise<z.infer<typeof Flown>> {
  const run = await kingfisher(["fly", "--json", ...args], {
    home,
    ...(electron === undefined ? {} : { electron }),
  });
  expect(run.stderr).toContain("fly:");
  return Flown.parse(JSON.parse(run.stdout));
}

const missionArgs = ["--at", "sim://office?seed=1", "--say", command, "--approve", "auto", "--speed", "max"];

function expectSuccess(flown: z.infer<typeof Flown>): void {
  expect(flown.why).toBe("");
  expect(flown.outcome).toBe("success");
  expect(flown.skills.map((s) => s.id)).toEqual([
    "take_off",
    "forward",
    "forward",
    "yaw_right",
    "yaw_right",
    "yaw_right",
    "land",
    "task_complete",
  ]);
  expect(flown.final_pose_error.position_m).toBeLessThan(0.15);
  expect(flown.final_pose_error.yaw_rad).toBeLessThan((5 * Math.PI) / 180);
  // From the pad, facing east: one metre ahead, then a quarter turn to the right.
  expect(Math.abs(flown.final_pose.position_enu_m[0] - 1)).toBeLessThan(0.15);
  expect(Math.abs(flown.final_pose.yaw_rad + Math.PI / 2)).toBeLessThan((5 * Math.PI) / 180);
  expect(flown.armed).toBe(false);
  expect(flown.landed).toBe("on_ground");
}

describe("the first mission on simulated time", () => {
  test("under Node: flown, landed, disarmed, recorded; the same seed flies the same flight again", async () => {
    const first = await fly(missionArgs);
    expectSuccess(first);
    expect(existsSync(first.tlog)).toBe(true);
    const second = await fly(missionArgs);
    expect(second.final_pose).toEqual(first.final_pose);
    expect(second.final_pose_error).toEqual(first.final_pose_error);

    const review = await kingfisher(["review", first.recording, "--summary", "--json"], { home });
    expect(review.code).toBe(0);
    const summary = z
      .looseObject({
        completeness: z.unknown(),
        duration_s: z.number(),
        topics: z.array(z.looseObject({ name: z.string(), count: z.number() })),
      })
      .parse(JSON.parse(review.stdout));
    expect(JSON.stringify(summary.completeness)).toContain("complete");
    expect(summary.duration_s).toBeGreaterThan(20);
    const topics = new Map(summary.topics.map((t) => [t.name, t.count]));
    for (const name of [
      "/kingfisher/vehicle",
      "/kingfisher/proposal",
      "/kingfisher/verdict",
      "/kingfisher/step",
      "/kingfisher/s_safe",
    ])
      expect(topics.get(name), name).toBeGreaterThan(0);
  });

  test("under Electron's own Node", async () => {
    expectSuccess(await fly(missionArgs, electronPath()));
  });
});

test("a pushed object ends the flight with exit 1, stopped, and says which object moved how far", async () => {
  const run = await kingfisher(
    [
      "fly",
      "--say",
      "take off and hold for 30 seconds",
      "--approve",
      "auto",
      "--speed",
      "max",
      "--event",
      "push:red_cup@14",
      "--json",
    ],
    { home },
  );
  expect(run.code).toBe(1);
  const flown = z.looseObject({ outcome: z.string(), why: z.string() }).parse(JSON.parse(run.stdout));
  expect(flown.outcome).toBe("stopped");
  expect(flown.why).toMatch(/Object moved: .* by \d+ cm/);
});

describe("clear refusals, one line each", () => {
  test.each([
    [["fly"], 2, "say what to do"],
    [["fly", "--say", "take off", "--approve", "sure"], 2, "ask, auto or deny"],
    [
      ["fly", "--say", "take off", "--at", "udpin://0.0.0.0:14999", "--approve", "auto"],
      2,
      "refused on hardware",
    ],
    [["fly", "--say", "take off", "--at", "sim://office?seed=many"], 2, "whole number"],
    [["fly", "--say", "take off", "--at", "sim://moon"], 1, "moon"],
    [["fly", "--say", "take off and juggle", "--speed", "max"], 1, "“juggle”"],
    [["fly", "--say", "take off", "--speed", "max", "--approve", "deny"], 1, "refused"],
    [["link", "carrier://pigeon"], 2, "carrier"],
    [["review", "/nowhere/at/all.ulg"], 1, "/nowhere/at/all.ulg"],
    [["soar"], 2, "no verb “soar”"],
    [["sim", "--seed", "x"], 2, "seed"],
  ] as const)("%j", async (args, code, text) => {
    const run = await kingfisher([...args], { home });
    expect(run.stderr).toContain(text);
    expect(run.code).toBe(code);
    expect(run.stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
  });
});
