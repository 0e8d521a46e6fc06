import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { kingfisher } from "../../support/cli";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "kingfisher-hover-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Ten simulated minutes take some minutes of a slow machine. */
test("hover wander alone stops nothing in ten simulated minutes", async () => {
  const command = "take off and hold for 60 seconds ten times and land";
  const run = await kingfisher(
    ["fly", "--say", command, "--approve", "auto", "--speed", "max", "--limit", "880", "--json"],
    { home },
  );
  const flown = z
    .looseObject({
      outcome: z.string(),
      why: z.string(),
      recording: z.string(),
      skills: z.array(z.looseObject({ id: z.string() })),
    })
    .parse(JSON.parse(run.stdout));
  expect(flown.why).toBe("");
  expect(flown.outcome).toBe("success");
  expect(flown.skills.filter((s) => s.id === "hold").length).toBe(10);
  // The monitor was awake all the time: it had objects and a score, and the score never fell to a stop.
  const series = await kingfisher(
    ["review", flown.recording, "--series", "/kingfisher/s_safe.score", "--points", "2000", "--json"],
    { home },
  );
  const score = z.looseObject({ min: z.array(z.number().nullable()) }).parse(JSON.parse(series.stdout));
  const known = score.min.filter((s) => s !== null);
  expect(known.length).toBeGreaterThan(200);
  expect(Math.min(...known)).toBeGreaterThanOrEqual(70);
}, 900_000);
