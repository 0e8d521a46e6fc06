import { expect, test } from "vitest";
import { rehearse } from "../../../tests/support/rehearsal";
import { openMover } from "./open";

test.each([
  ["laboratory", "cabinet-door-left", 0.96, 1],
  ["laboratory", "cabinet-door-right", 0.96, 2],
  ["household", "drawers-drawer-top", 0.3, 1],
  ["household", "drawers-drawer-top", 0.3, 2],
] as const)(
  "in the %s the %s is opened by its handle by %f, by contact alone (seed %i)",
  async (scene, mover, amount, seed) => {
    await rehearse(scene, seed, (pilot) => {
      const outcome = openMover(pilot, mover, amount);
      expect(outcome.held).toBe(true);
      expect(outcome.opened).toBeGreaterThanOrEqual(amount);
      // What was opened stays open when it has been let go.
      expect(outcome.left).toBeGreaterThan(0.95 * amount);
      expect(outcome.tilt_rad).toBeLessThan(0.35);
    });
  },
  240_000,
);
