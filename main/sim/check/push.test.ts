import { expect, test } from "vitest";
import { rehearse } from "../../../tests/support/rehearsal";
import { paperTwists, twistTolerance_deg_per_cm } from "./manipulation";
import { pushBox } from "./push";

test.each([1, 2])(
  "pushes at three places of a carton's face twist it as in Fly-by-Code's push tests (seed %i)",
  async (seed) => {
    const twists: number[] = [];
    for (const { lateral, deg_per_cm } of paperTwists)
      await rehearse("warehouse", seed, (pilot) => {
        const outcome = pushBox(pilot, pilot.simulation.world.pushable.indexOf("carton_left"), lateral);
        expect(outcome.advance_m).toBeGreaterThan(0.02);
        expect(outcome.force_n).toBeGreaterThan(0.5);
        expect(Math.abs(outcome.twist_deg_per_cm - deg_per_cm)).toBeLessThan(twistTolerance_deg_per_cm);
        twists.push(outcome.twist_deg_per_cm);
      });
    const [centre = 0, high = 0, low = 0] = twists;
    // The load is towards +y: pushed there it turns least, on the other side most.
    expect(high).toBeGreaterThan(centre);
    expect(centre).toBeGreaterThan(low);
  },
  300_000,
);
