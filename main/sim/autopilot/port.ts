import type { Enu, Flu, QuatFluEnu } from "#contract/frames";

/**
 * What the world tells the autopilot each physics step: the truth, from which the autopilot makes its own sensors and
 * estimate (with noise, delay and resets). World ENU, body FLU. There is no "on ground" flag: the autopilot finds out.
 */
export interface SensorTruth {
  /** Time since boot. Every step must be later than the one before; 2 to 4 ms apart. */
  readonly time_us: number;
  /** Body origin (the flight controller's place), metres from the site origin. */
  readonly position_enu_m: Enu;
  readonly velocity_enu_m_s: Enu;
  readonly quat_flu_enu: QuatFluEnu;
  /** Angular velocity in the body frame. */
  readonly rates_flu_rad_s: Flu;
  /** Specific force as an accelerometer reads it: (0, 0, +9.81) at rest. */
  readonly accel_flu_m_s2: Flu;
  readonly battery: BatteryTruth;
  /** Measured rotor speeds, if the world has them (ESC telemetry); order M1 to M6. */
  readonly rotor_speed_rad_s?: readonly number[];
  /** True while the world suppresses the position fix (motion-capture drop-out). */
  readonly position_lost?: boolean;
}

export interface BatteryTruth {
  readonly voltage_v: number;
  readonly current_a: number;
  /** State of charge, 0 to 1. */
  readonly remaining: number;
}

export interface Rotor {
  readonly position_flu_m: Flu;
  /** +1: turns counter-clockwise seen from above (PX4: KM > 0), -1: clockwise. */
  readonly spin: 1 | -1;
}

/** What the airframe file of a real PX4 holds: geometry and figures, not the world's state. */
export interface VehicleModel {
  /** PX4's hexa-x order for the hexarotor: M1 right, M2 left, M3 front-left, M4 aft-right, M5 front-right, M6 aft-left. */
  readonly rotors: readonly Rotor[];
  /** Thrust of one rotor at command 1. */
  readonly max_thrust_n: number;
  /** Drag torque divided by thrust. */
  readonly torque_ratio_m: number;
  /** All-up mass with arm. */
  readonly mass_kg: number;
  /** Principal moments about the centre of mass with the arm at rest (roll, pitch, yaw). */
  readonly inertia_kg_m2: readonly [number, number, number];
  /** First-order lag of a rotor. */
  readonly rotor_lag_s: number;
  /** PX4's THR_MDL_FAC f: steady thrust = max_thrust_n (f u^2 + (1 - f) u) for a command u from 0 to 1. */
  readonly thrust_curve: number;
  /** Cells in series, for the battery's voltage limits. */
  readonly battery_cells: number;
  /** Capacity, for BATTERY_STATUS and the time left. */
  readonly battery_capacity_ah: number;
}

/** The 650-class hexarotor with its arm folded (seeds-in-detail section 3): a default for tests and for the office scene. */
export const hexarotor650: VehicleModel = {
  rotors: hexaX(0.325),
  max_thrust_n: 18,
  torque_ratio_m: 0.018,
  mass_kg: 3.95,
  inertia_kg_m2: [0.16, 0.2, 0.2],
  rotor_lag_s: 0.05,
  thrust_curve: 0.84,
  battery_cells: 6,
  battery_capacity_ah: 10,
};

/** PX4's hexa-x geometry at an arm length: angles from the nose, order M1 to M6. */
export function hexaX(radius_m: number): readonly Rotor[] {
  const half = radius_m / 2;
  const far = (radius_m * Math.sqrt(3)) / 2;
  const at = (x: number, y: number, spin: 1 | -1): Rotor => ({ position_flu_m: [x, y, 0.03], spin });
  return [
    at(0, -radius_m, -1),
    at(0, radius_m, 1),
    at(far, half, -1),
    at(-far, -half, 1),
    at(far, -half, 1),
    at(-far, half, -1),
  ];
}

/**
 * One MAVLink message as the autopilot speaks it: the name and field names of the XML. Integers are numbers (64-bit ones
 * bigint or number), char arrays strings, arrays plain arrays. A field left out is zero.
 */
export interface Message {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Sender when not the autopilot itself (a gripper, an arm: component 154 and the like). */
  readonly component_id?: number;
}
export type FieldValue = number | bigint | string | readonly number[];

/** A message that arrived, with who sent it. */
export interface Incoming extends Message {
  readonly system_id: number;
  readonly component_id: number;
  /** The frame's sequence number, which tells a copy of a message from the same message sent anew. */
  readonly sequence?: number;
}

export interface AutopilotOptions {
  readonly seed: number;
  /** 1 plus the instance, as PX4 does. */
  readonly system_id: number;
  /** Where the site origin lies on the globe. */
  readonly home: {
    readonly latitude_deg: number;
    readonly longitude_deg: number;
    readonly altitude_amsl_m: number;
  };
  readonly vehicle: VehicleModel;
  /** Overrides of PX4 parameters by name (values as shown to a pilot, integers unpacked). */
  readonly parameters?: Readonly<Record<string, number>>;
  /**
   * Where the position comes from: the vehicle's own motion capture (the default), or ODOMETRY and VISION_POSITION_ESTIMATE
   * messages only, as on a vehicle whose pose a companion or the station relays.
   */
  readonly position_aid?: "own" | "external";
  /**
   * Whether the local frame has an origin on the globe from the start (the default, as with a companion that sets it). Under motion
   * capture alone there is none until SET_GPS_GLOBAL_ORIGIN arrives.
   */
  readonly global_origin?: "set" | "unset";
  /** MAV_CMD_USER_1 with param1 = 1: push object `index`; answers whether there is such an object. */
  readonly push?: (index: number) => boolean;
  /** MAV_CMD_USER_1 with param1 = 2: makes number `index` of contract/happenings.ts happen, if it can. */
  readonly happen?: (index: number) => boolean;
  /** TUNNEL messages for the arm (payload_type, payload without padding). */
  readonly tunnel?: (payload_type: number, payload: Uint8Array, from: Incoming) => void;
  /** MAV_CMD_DO_GRIPPER: grab closes. Answers false where there is no gripper. */
  readonly gripper?: (action: "release" | "grab") => boolean;
  /** MAV_CMD_DO_SET_ACTUATOR: outputs 1 to 6, each from -1 to 1, or null where not set. Answers false where there are none. */
  readonly actuators?: (values: readonly (number | null)[]) => boolean;
}

export interface Autopilot {
  /** Runs everything due up to `truth.time_us`; answers the motor commands, 0 to 1, order M1 to M6 (0 = stopped). */
  step(truth: SensorTruth): readonly number[];
  /** A message from a ground station or companion; processed at once, answers appear in the outbox. */
  handle(message: Incoming): void;
  /** Takes everything to send since the last call, in order. */
  outbox(): readonly Message[];
  /** Queues a message of a component behind the autopilot (arm state in a TUNNEL, say). */
  send(message: Message): void;
  readonly armed: boolean;
  /** MAV_PROTO_VER: which MAVLink is spoken; left out, 2. */
  readonly mavlink_version?: 0 | 1 | 2;
  /** Injects a fault of the world's schedule. */
  inject(fault: AutopilotFault): void;
}

export type AutopilotFault =
  | { readonly kind: "motor_off"; readonly motor: number }
  | { readonly kind: "motor_ok"; readonly motor: number }
  /** The position estimate jumps by this much and counts a reset. */
  | { readonly kind: "position_reset"; readonly jump_enu_m: Enu }
  | { readonly kind: "yaw_reset"; readonly jump_rad: number }
  /** The position aid takes the vehicle for turned by half a turn, as a motion capture with swapped markers does. */
  | { readonly kind: "yaw_flip"; readonly flipped: boolean };
