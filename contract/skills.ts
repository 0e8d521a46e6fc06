import { z } from "zod";

/** The fixed library (AERMANI-VLM section III; sizes: design default E5, fixed for repeatability). */
export const SkillId = z.enum([
  "take_off",
  "land",
  "hold",
  "yaw_left",
  "yaw_right",
  "forward",
  "backward",
  "left",
  "right",
  "up",
  "down",
  "task_complete",
]);
export type SkillId = z.infer<typeof SkillId>;

/** T0 read only, T1 small free move, T2 long or near an obstacle, T3 contact, T4 lift, arming, over a person. */
export const Tier = z.enum(["T0", "T1", "T2", "T3", "T4"]);
export type Tier = z.infer<typeof Tier>;

export const translate_step_m = 0.5;
export const climb_step_m = 0.3;
export const yaw_step_rad = Math.PI / 6;

export interface SkillParameter {
  readonly unit: "m" | "s";
  readonly min: number;
  readonly max: number;
  readonly default: number;
  readonly label: string;
}

export interface SkillSpec {
  readonly title: string;
  readonly what: string;
  readonly tier: Tier;
  /** Contact, lift, arming and landing are confirmed by press-and-hold. */
  readonly hold_to_confirm: boolean;
  readonly parameters: Readonly<Record<string, SkillParameter>>;
}

const move = (title: string, what: string): SkillSpec => ({
  title,
  what,
  tier: "T1",
  hold_to_confirm: false,
  parameters: {},
});

export const skillLibrary: Readonly<Record<SkillId, SkillSpec>> = {
  take_off: {
    title: "Take off",
    what: "arms, climbs above the pad and hovers",
    tier: "T4",
    hold_to_confirm: true,
    parameters: {
      altitude_m: { unit: "m", min: 0.5, max: 2.5, default: 1.5, label: "height above the pad" },
    },
  },
  land: {
    title: "Land",
    what: "descends where it is, touches down and disarms",
    tier: "T2",
    hold_to_confirm: true,
    parameters: {},
  },
  hold: {
    title: "Hold",
    what: "hovers in place",
    tier: "T1",
    hold_to_confirm: false,
    parameters: { duration_s: { unit: "s", min: 1, max: 60, default: 3, label: "time to hover" } },
  },
  yaw_left: move("Turn left 30°", "turns 30 degrees to the left in place"),
  yaw_right: move("Turn right 30°", "turns 30 degrees to the right in place"),
  forward: move("Forward 0.5 m", "flies 0.5 m forward"),
  backward: move("Backward 0.5 m", "flies 0.5 m backward"),
  left: move("Left 0.5 m", "flies 0.5 m to the left"),
  right: move("Right 0.5 m", "flies 0.5 m to the right"),
  up: move("Up 0.3 m", "climbs 0.3 m"),
  down: move("Down 0.3 m", "descends 0.3 m"),
  task_complete: {
    title: "Task complete",
    what: "states that the command has been carried out",
    tier: "T0",
    hold_to_confirm: false,
    parameters: {},
  },
};

/** A skill and its arguments. Missing arguments take the library's defaults. */
export const SkillCall = z.strictObject({
  skill: SkillId,
  args: z.record(z.string(), z.number()).default({}),
});
export type SkillCall = z.infer<typeof SkillCall>;
