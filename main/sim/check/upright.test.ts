import { expect, test, vi } from "vitest";
import { rehearse } from "../../../tests/support/rehearsal";
import { sceneOf } from "../../../tests/support/sim-scene";
import { pickAndCarry } from "./pick";
import type { Pilot } from "./pilot";
import { reachAhead_rad } from "./reach";

vi.setConfig({ testTimeout: 240_000 });

/** The office with one object of another mass. */
function heavier(seed: number, name: string, mass_kg: number): ReturnType<typeof sceneOf> {
  const layout = sceneOf("office", seed);
  return {
    ...layout,
    bodies: layout.bodies.map((body) =>
      body.name === name ? { ...body, asset: { ...body.asset, mass_kg } } : body,
    ),
  };
}

const up = (pilot: Pilot): number => {
  const [, x, y] = pilot.simulation.world.truth().quat_flu_enu;
  return 1 - 2 * (x * x + y * y);
};

test.each([1, 2])(
  "a load near the limit is carried tucked in; reaching further out with it is refused and nothing moves (seed %i)",
  async (seed) => {
    await rehearse(heavier(seed, "coke_can", 0.75), seed, (pilot) => {
      const can = pilot.simulation.world.pushable.indexOf("coke_can");
      const outcome = pickAndCarry(pilot, can, 2);
      expect(outcome.carried_m).toBeGreaterThan(1.7);
      expect(pilot.simulation.arm?.load_kg).toBeGreaterThan(0.6);
      expect(pilot.simulation.arm?.load_kg).toBeLessThan(0.9);
      const before = pilot.arm.state?.joints_rad ?? [];
      const asked = pilot.arm.order({ kind: "joints", joints_rad: [0.1, 0, -0.1, 0], speed_share: 1 });
      pilot.run(2);
      expect(pilot.arm.answer(asked)).toBe("overload");
      pilot.arm.state?.joints_rad.forEach((q, i) => {
        expect(Math.abs(q - (before[i] ?? 0))).toBeLessThan(0.05);
      });
      expect(up(pilot)).toBeGreaterThan(0.95);
      // Empty, the same reach is allowed.
      pilot.arm.order({ kind: "gripper", width_m: 0.08, force_n: 10 });
      pilot.run(4);
      const empty = pilot.arm.order({ kind: "joints", joints_rad: reachAhead_rad, speed_share: 1 });
      pilot.run(1);
      expect(pilot.arm.answer(empty)).toBe("accepted");
    });
  },
);

test.each([
  [1, 1.6],
  [2, 2.5],
])(
  "far too heavy an object does not tip the vehicle over: it stays where it is (seed %i, %f kg)",
  async (seed, kg) => {
    await rehearse(heavier(seed, "coke_can", kg), seed, (pilot) => {
      let least = 1;
      const { world } = pilot.simulation;
      const can = world.pushable.indexOf("coke_can");
      const step = pilot.simulation.step.bind(pilot.simulation);
      pilot.simulation.step = (looking?: boolean): void => {
        step(looking);
        least = Math.min(least, up(pilot));
      };
      pickAndCarry(pilot, can, 1);
      expect(least).toBeGreaterThan(Math.cos(0.6));
      expect(pilot.simulation.autopilot.armed).toBe(true);
      expect(pilot.position_enu_m[2]).toBeGreaterThan(0.6);
    });
  },
);

test.each([1, 2])(
  "a vehicle that has flipped is reported as failed and disarmed, and stays where it fell (seed %i)",
  async (seed) => {
    await rehearse("office", seed, (pilot) => {
      const { simulation } = pilot;
      // Both rotors on the right and the one ahead of them: nothing holds that side up.
      for (const motor of [0, 4, 5]) simulation.world.setMotor(motor, false);
      const began_s = simulation.time_s;
      pilot.run(6);
      expect(simulation.autopilot.armed).toBe(false);
      expect(pilot.texts.map((t) => t.text).join("\n")).toMatch(/crash|attitude|termination|failure/i);
      const lying = pilot.position_enu_m;
      expect(lying[2]).toBeLessThan(0.7);
      pilot.run(4);
      // Never reset in silence: time went on, and it lies where it fell.
      expect(simulation.time_s).toBeGreaterThan(began_s + 9.9);
      expect(Math.hypot(...pilot.position_enu_m.map((v, k) => v - (lying[k] ?? 0)))).toBeLessThan(0.1);
      for (const motor of [0, 4, 5]) simulation.world.setMotor(motor, true);
      pilot.command(400, 1);
      pilot.run(1);
      expect(simulation.autopilot.armed).toBe(false);
    });
  },
);
