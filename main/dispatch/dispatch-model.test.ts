import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultLimits } from "#contract/settings";
import type { SkillCall } from "#contract/skills";
import { FakeClock } from "../../tests/support/fake-clock";
import { contextAt, FakeVehicle, proposalOf } from "../../tests/support/flight";
import { operatorEmergency } from "../safety/emergency";
import { judge } from "../safety/gate";
import { skillRunner } from "../skills/skills";
import { Dispatch } from "./dispatch";

type Action =
  | { readonly do: "fly"; readonly skill: SkillCall["skill"] }
  | { readonly do: "emergency"; readonly action: "hold" | "land" | "kill" }
  | {
      readonly do:
        | "pilot"
        | "failsafe"
        | "hand_back"
        | "stop"
        | "lose_position"
        | "find_position"
        | "ignore"
        | "obey";
    };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Action>(
      ...(["take_off", "forward", "left", "yaw_left", "up", "hold", "land"] as const).map((skill) => ({
        do: "fly" as const,
        skill,
      })),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Action>(
      ...(["hold", "land", "kill"] as const).map((a) => ({ do: "emergency" as const, action: a })),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Action>(
      ...(
        [
          "pilot",
          "failsafe",
          "hand_back",
          "stop",
          "lose_position",
          "find_position",
          "ignore",
          "obey",
        ] as const
      ).map((d) => ({ do: d })),
    ),
  },
);

/** Lets promise chains run without letting time pass. */
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("model: whatever happens, setpoints flow only while we have control and the vehicle is armed or about to be, one skill at a time, each ended once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(action, fc.integer({ min: 1, max: 120 })), { minLength: 3, maxLength: 14 }),
      async (script) => {
        const clock = new FakeClock(10_000);
        const vehicle = new FakeVehicle(clock);
        vehicle.heartbeat();
        const dispatch = new Dispatch({
          door: vehicle.door,
          clock,
          vehicle: () => vehicle.state,
          limits: () => defaultLimits,
          skills: skillRunner,
        });
        let flying = 0;
        let taken = false;
        let killed = false;
        let started = 0;
        let ended = 0;
        dispatch.onEvent((event) => {
          if (event.kind === "ended") ended += 1;
          if (event.kind === "control") taken = event.control !== "station";
          if (event.kind === "setpoint") {
            expect(taken).toBe(false);
            expect(killed && dispatch.execution() === null).toBe(false);
            expect(vehicle.state.armed || dispatch.execution() !== null).toBe(true);
          }
        });
        const fly = (call: SkillCall): void => {
          const context = contextAt(clock.now_ms(), {
            vehicle: vehicle.state,
            hold: dispatch.holdSetpoint(),
            control: dispatch.control(),
            site: null,
          });
          const { cleared } = judge(
            proposalOf(call, vehicle.state, dispatch.holdSetpoint()),
            context,
            clock.now_ms(),
          );
          if (cleared === null) return;
          const busy = dispatch.execution() !== null;
          const before = ended;
          flying += 1;
          void dispatch.fly(cleared).then((o) => {
            flying -= 1;
            if (busy) expect(o.status).not.toBe("success");
          });
          if (dispatch.execution() !== null && !busy) {
            started += 1;
            killed = false;
            expect(ended).toBe(before);
          }
        };
        const act = (a: Action): void => {
          switch (a.do) {
            case "fly":
              fly({ skill: a.skill, args: {} });
              return;
            case "emergency":
              // The newest press counts: HOLD after an unconfirmed KILL streams again, within the very call.
              if (a.action !== "kill") killed = false;
              dispatch.emergency(operatorEmergency(a.action, "operator 1", clock.now_ms()));
              if (a.action === "kill") killed = true;
              expect(dispatch.execution()).toBeNull();
              return;
            case "pilot":
              vehicle.mode = "position";
              vehicle.failsafe = false;
              vehicle.heartbeat();
              return;
            case "failsafe":
              vehicle.mode = "return";
              vehicle.failsafe = true;
              vehicle.heartbeat();
              return;
            case "hand_back":
              vehicle.failsafe = false;
              vehicle.heartbeat();
              dispatch.handBack();
              return;
            case "stop":
              dispatch.stop("stopped");
              expect(dispatch.execution()).toBeNull();
              return;
            case "lose_position":
            case "find_position": {
              const health = a.do === "lose_position" ? "bad" : "good";
              vehicle.state = { ...vehicle.state, estimate: { ...vehicle.state.estimate, health } };
              return;
            }
            case "ignore":
              vehicle.ignores = new Set(["hold", "land", "kill", "offboard", "arm"]);
              return;
            case "obey":
              vehicle.ignores = new Set();
          }
        };
        for (const [a, ticks] of script) {
          act(a);
          for (let i = 0; i < ticks; i++) {
            clock.advance(100);
            await settle();
          }
        }
        dispatch.close();
        await settle();
        expect(flying).toBe(0);
        expect(ended).toBe(started);
        const sent = vehicle.setpoints.length;
        clock.advance(2000);
        expect(vehicle.setpoints.length).toBe(sent);
        expect(
          vehicle.setpoints.every((s) =>
            [...s.pose.position_enu_m, s.pose.yaw_enu_rad].every(Number.isFinite),
          ),
        ).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);
