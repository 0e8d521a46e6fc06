import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/** Flights in the physics and damage byte by byte: minutes, so they belong to `npm test`, not to every commit. */
const long = [
  "main/sim/check/**/*.test.ts",
  "main/sim/{bench,simulation,drawing-thread}.test.ts",
  "main/sim/{camera/rig,vehicle/vehicles,hil/hil,grader/grader}.test.ts",
  "main/sim/world/{layout,scenes,movers,surfaces,person,world,packs,air}.test.ts",
  "main/link/fuzz.test.ts",
  "main/review/{data-sets-damage,damage}.test.ts",
];
const unit = ["{contract,main,preload,renderer}/**/*.test.{ts,tsx}", "tests/architecture/**/*.test.ts"];

export default defineConfig({
  resolve: { alias: { "#contract": resolve(import.meta.dirname, "contract") } },
  test: {
    projects: [
      // One process for many files: pure code leaves nothing behind, and starting anew for each file took half the time.
      // Processes, not threads: only a process has a time zone of its own to change.
      { extends: true, test: { name: "unit", include: unit, exclude: long, pool: "forks", isolate: false } },
      {
        extends: true,
        test: { name: "long", include: long, pool: "forks", testTimeout: 60_000, maxWorkers: "100%" },
      },
      {
        // On simulated time a slow machine changes nothing but how long it takes: two at a time.
        extends: true,
        test: {
          name: "simulated",
          globalSetup: "tests/support/built-setup.mjs",
          include: ["tests/scenario/simulated/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          maxWorkers: "100%",
        },
      },
      {
        extends: true,
        test: {
          name: "scenario",
          globalSetup: "tests/support/built-setup.mjs",
          include: ["tests/scenario/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          globalSetup: "tests/support/e2e-setup.mjs",
          include: ["tests/e2e/**/*.test.ts"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
