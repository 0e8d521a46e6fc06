import type { PoseYaw } from "#contract/geometry";
import type { Execution, SkillStatus } from "#contract/mission";
import type { Limits } from "#contract/safety";
import type { SkillCall } from "#contract/skills";
import type { EmergencyState } from "#contract/station";
import type { VehicleState } from "#contract/vehicle";
import type { CommandDoor } from "../link/command-door";
import type { Clock } from "../platform/clock";
import type { Control } from "../safety/context";
import type { SkillRunner } from "../skills/port";

/** What dispatch uses of the link's door to the vehicle. */
export type Door = Pick<CommandDoor, "setpoint" | "set_mode" | "arm" | "takeoff" | "disarm" | "kill">;

export interface DispatchPorts<S> {
  readonly door: Door;
  readonly clock: Clock;
  /** Newest state of the vehicle. */
  readonly vehicle: () => VehicleState;
  readonly limits: () => Limits;
  readonly skills: SkillRunner<S>;
  /** "pilot" on hardware: there the RC pilot arms, and the take-off waits for it. */
  readonly arming?: "station" | "pilot";
  /** World pose to the door's local frame; plain ENU to NED when the site frame is the vehicle's own. */
  readonly to_local?: (pose: PoseYaw) => Parameters<Door["setpoint"]>;
}

/** Everything that dispatch does and finds, for the mission loop, the screen and the log. */
export type DispatchEvent =
  /** Null when nothing runs any more. */
  | { readonly kind: "execution"; readonly execution: Execution | null }
  | {
      readonly kind: "ended";
      readonly call: SkillCall;
      readonly status: SkillStatus;
      readonly detail: string;
    }
  | ({ readonly kind: "setpoint" } & PoseYaw)
  /** First with a null result when it is sent, then with what came of it. */
  | {
      readonly kind: "command";
      readonly command: string;
      readonly params: readonly (number | null)[];
      readonly result: string | null;
    }
  | { readonly kind: "emergency"; readonly states: readonly EmergencyState[] }
  | { readonly kind: "control"; readonly control: Control; readonly why: string }
  /** The position estimate jumped; the held setpoint went along with it. */
  | { readonly kind: "jump"; readonly jump_m: number; readonly text: string };
