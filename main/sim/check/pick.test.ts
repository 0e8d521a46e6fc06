import { expect, test } from "vitest";
import { rehearse } from "../../../tests/support/rehearsal";
import { hungTool, pickAndCarry } from "./pick";

const objects = ["red_cup", "coke_can", "green_bottle", "cracker_box"] as const;

test.each(objects.flatMap((name) => [1, 2].map((seed) => [name, seed] as const)))(
  "a %s is grasped by friction and contact alone in flight, lifted and carried 2 m (seed %i)",
  async (name, seed) => {
    await rehearse("office", seed, (pilot) => {
      const { world } = pilot.simulation;
      const outcome = pickAndCarry(pilot, world.pushable.indexOf(name), 2);
      expect(outcome.lifted).toBe(true);
      expect(outcome.carried_m).toBeGreaterThan(1.8);
      expect(Math.min(...outcome.forces_n)).toBeGreaterThan(10);
      // The shoulder feels the load: its current is what a companion would measure.
      expect(outcome.shoulder_a[1] - outcome.shoulder_a[0]).toBeGreaterThan(0.15);
    });
  },
  240_000,
);

test.each([1, 2])(
  "the hammer is taken off its pegs by the handle and carried 2 m (seed %i)",
  async (seed) => {
    await rehearse("laboratory", seed, (pilot) => {
      const { world } = pilot.simulation;
      const hammer = world.pushable.indexOf("hammer");
      const outcome = pickAndCarry(pilot, hammer, 2, hungTool(world, hammer, 0.1));
      expect(outcome.carried_m).toBeGreaterThan(1.8);
      expect(Math.min(...outcome.forces_n)).toBeGreaterThan(10);
    });
  },
  240_000,
);

test("a payload shifts the centre of mass: the motors behind carry less, those in front more, and the battery feels it", async () => {
  await rehearse("office", 1, (pilot) => {
    const { world } = pilot.simulation;
    const { list } = world.vehicle.rotors;
    const pitching = (): number => {
      const squares = pilot.simulation.world.truth().rotor_speed_rad_s.map((w) => w * w);
      return (
        list.reduce((sum, rotor, i) => sum + (squares[i] ?? 0) * rotor.position_flu_m[0], 0) *
        world.vehicle.rotors.thrust_coefficient
      );
    };
    const mean = (seconds: number, of: () => number): number => {
      let sum = 0;
      let n = 0;
      pilot.run(seconds, () => {
        sum += of();
        n++;
      });
      return sum / n;
    };
    const before = mean(3, pitching);
    const current_a = mean(1, () => world.truth().battery.current_a);
    pickAndCarry(pilot, world.pushable.indexOf("cracker_box"), 2);
    const arm_nm = before - mean(3, pitching);
    // 0.41 kg about 0.55 m ahead are 2.2 N m; the empty arm, reached out, adds a little of its own.
    expect(Math.abs(arm_nm)).toBeGreaterThan(1.2);
    expect(Math.abs(arm_nm)).toBeLessThan(4);
    expect(mean(1, () => world.truth().battery.current_a)).toBeGreaterThan(1.05 * current_a);
  });
}, 240_000);
