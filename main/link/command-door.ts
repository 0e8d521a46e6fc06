import type { Ned } from "#contract/frames";
import { err, invariant, type Result } from "#contract/result";
import type { Clock } from "../platform/clock";
import { type CommandFailure, CommandSender, type CommandWire } from "./command-sender";

export type { CommandFailure } from "./command-sender";

export type CommandOutcome = Promise<Result<"accepted", CommandFailure>>;
export type CommandedMode = "hold" | "offboard" | "land" | "return" | "position";

/**
 * The one way by which the station moves a vehicle; only dispatch and the station hold it. "accepted" is the vehicle's
 * acknowledgement, not proof: a mode or an armed state is believed when the heartbeat shows it.
 */
export interface CommandDoor {
  /** Position in the vehicle's local frame, yaw clockwise from its x axis. */
  setpoint(position_ned_m: Ned, yaw_ned_rad: number): void;
  /** A command that is not repeated when it goes unanswered. */
  command(name: CommandName, params: readonly (number | null)[]): CommandOutcome;
  set_mode(mode: CommandedMode): CommandOutcome;
  arm(): CommandOutcome;
  /** ArduPilot, armed in guided mode: leave the ground up to so many metres above home. */
  takeoff(height_m: number): CommandOutcome;
  disarm(): CommandOutcome;
  /** Stops the motors at once, in the air too. */
  kill(): CommandOutcome;
  close(): void;
}

/** MAV_CMD numbers (https://mavlink.io/en/messages/common.html#mav_commands) that the station uses by name. */
export const commands = {
  NAV_RETURN_TO_LAUNCH: 20,
  NAV_LAND: 21,
  NAV_TAKEOFF: 22,
  DO_SET_MODE: 176,
  DO_CHANGE_SPEED: 178,
  DO_SET_HOME: 179,
  DO_REPOSITION: 192,
  DO_PAUSE_CONTINUE: 193,
  DO_GRIPPER: 211,
  PREFLIGHT_REBOOT_SHUTDOWN: 246,
  COMPONENT_ARM_DISARM: 400,
  RUN_PREARM_CHECKS: 401,
  INJECT_FAILURE: 420,
  SET_MESSAGE_INTERVAL: 511,
  REQUEST_MESSAGE: 512,
  USER_1: 31010,
} as const;
export type CommandName = keyof typeof commands;

/** The vehicle that commands go to, as the reducer knows it; null ids while none has been heard. */
export interface DoorVehicle {
  readonly system_id: number | null;
  readonly component_id: number | null;
  readonly autopilot: "px4" | "ardupilot" | "other" | "unknown";
}

const LOCAL_NED = 1;
/** Position and yaw are used; velocity, acceleration and yaw rate are ignored. */
const POSITION_AND_YAW = 0b100111111000;
const CUSTOM_MODE_ENABLED = 1;
const KILL_MAGIC = 21196;

/** PX4: main and sub mode (px4_custom_mode.h). */
const px4Modes: Readonly<Record<CommandedMode, readonly [number, number]>> = {
  hold: [4, 3],
  offboard: [6, 0],
  land: [4, 6],
  return: [4, 5],
  position: [3, 0],
};
/** ArduCopter: BRAKE holds without sticks, GUIDED takes setpoints, LOITER flies by the sticks. */
const copterModes: Readonly<Record<CommandedMode, number>> = {
  hold: 17,
  offboard: 4,
  land: 9,
  return: 6,
  position: 5,
};

export function createCommandDoor(options: {
  readonly wire: CommandWire;
  readonly clock: Clock;
  readonly vehicle: () => DoorVehicle;
  /** Sees every command and its outcome, for the record. */
  readonly onCommand?: (command: string, params: readonly (number | null)[], result: string | null) => void;
}): CommandDoor {
  const { wire, clock, vehicle } = options;
  const sender = new CommandSender(wire, clock);

  const send = async (
    name: CommandName,
    params: readonly (number | null)[],
    how: { readonly idempotent: boolean; readonly urgent?: boolean },
  ): CommandOutcome => {
    const { system_id, component_id } = vehicle();
    if (system_id === null || component_id === null) return err("no_vehicle");
    options.onCommand?.(name, params, null);
    const target = { system_id, component_id };
    const outcome = await sender.send({ command: commands[name], params, target, ...how });
    options.onCommand?.(name, params, outcome.ok ? outcome.value : outcome.error);
    return outcome;
  };

  return {
    setpoint: (position_ned_m, yaw_ned_rad) => {
      invariant(
        [...position_ned_m, yaw_ned_rad].every(Number.isFinite),
        "a setpoint is made of finite numbers",
      );
      const { system_id, component_id } = vehicle();
      if (system_id === null || component_id === null) return;
      wire.send("SET_POSITION_TARGET_LOCAL_NED", {
        time_boot_ms: Math.floor(clock.now_ms()) % 0x1_0000_0000,
        target_system: system_id,
        target_component: component_id,
        coordinate_frame: LOCAL_NED,
        type_mask: POSITION_AND_YAW,
        x: position_ned_m[0],
        y: position_ned_m[1],
        z: position_ned_m[2],
        vx: 0,
        vy: 0,
        vz: 0,
        afx: 0,
        afy: 0,
        afz: 0,
        yaw: yaw_ned_rad,
        yaw_rate: 0,
      });
    },
    command: (name, params) => send(name, params, { idempotent: false }),
    set_mode: (mode) => {
      const px4 = px4Modes[mode];
      const params =
        vehicle().autopilot === "ardupilot"
          ? [CUSTOM_MODE_ENABLED, copterModes[mode]]
          : [CUSTOM_MODE_ENABLED, px4[0], px4[1]];
      return send("DO_SET_MODE", params, { idempotent: true, urgent: true });
    },
    arm: () => send("COMPONENT_ARM_DISARM", [1, 0], { idempotent: true }),
    // Zeros, not NaN: ArduPilot makes integers of the unused ones.
    takeoff: (height_m) => send("NAV_TAKEOFF", [0, 0, 0, 0, 0, 0, height_m], { idempotent: true }),
    disarm: () => send("COMPONENT_ARM_DISARM", [0, 0], { idempotent: true, urgent: true }),
    kill: () => send("COMPONENT_ARM_DISARM", [0, KILL_MAGIC], { idempotent: true, urgent: true }),
    close: () => {
      sender.close();
    },
  };
}
