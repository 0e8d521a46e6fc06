import { eventId } from "./events";
import { crc32 } from "./ftp";
import { paramTypeFloat } from "./parameter-defaults";
import type { Parameters } from "./parameters";
import type { Message } from "./port";

type Described = readonly [text: string, unit: string, min?: number, max?: number];

/** What the parameters that act here do, in words; the rest of the list has name, type and default only. */
const described: Readonly<Record<string, Described>> = {
  MPC_XY_P: ["Gain from horizontal position error to velocity", "1/s", 0, 2],
  MPC_Z_P: ["Gain from vertical position error to velocity", "1/s", 0.1, 1.5],
  MPC_XY_VEL_P_ACC: ["Proportional gain of horizontal velocity", "1/s", 1.2, 5],
  MPC_XY_VEL_I_ACC: ["Integral gain of horizontal velocity", "1/s^2", 0, 60],
  MPC_XY_VEL_D_ACC: ["Derivative gain of horizontal velocity", "", 0.1, 2],
  MPC_Z_VEL_P_ACC: ["Proportional gain of vertical velocity", "1/s", 2, 15],
  MPC_Z_VEL_I_ACC: ["Integral gain of vertical velocity", "1/s^2", 0.2, 3],
  MPC_XY_VEL_MAX: ["Most horizontal speed in any mode", "m/s", 0, 20],
  MPC_Z_VEL_MAX_UP: ["Most climb rate in any mode", "m/s", 0.5, 8],
  MPC_Z_VEL_MAX_DN: ["Most sink rate in any mode", "m/s", 0.5, 4],
  MPC_XY_CRUISE: ["Horizontal speed in automatic modes", "m/s", 0, 20],
  MPC_ACC_HOR: ["Horizontal acceleration in automatic modes", "m/s^2", 0, 15],
  MPC_JERK_AUTO: ["Jerk in automatic modes", "m/s^3", 1, 80],
  MPC_TILTMAX_AIR: ["Most tilt in flight", "deg", 20, 89],
  MPC_TKO_SPEED: ["Climb rate of a take-off", "m/s", 0, 5],
  MPC_LAND_SPEED: ["Sink rate near the ground", "m/s", 0, 5],
  MPC_THR_HOVER: ["Thrust that carries the weight, to begin with", "norm", 0.1, 0.8],
  MPC_THR_MIN: ["Least thrust in flight", "norm", 0.05, 1],
  MC_ROLL_P: ["Gain from roll error to roll rate", "1/s", 0, 12],
  MC_PITCH_P: ["Gain from pitch error to pitch rate", "1/s", 0, 12],
  MC_YAW_P: ["Gain from heading error to yaw rate", "1/s", 0, 5],
  MC_ROLLRATE_P: ["Proportional gain of the roll rate", "", 0, 0.6],
  MC_PITCHRATE_P: ["Proportional gain of the pitch rate", "", 0, 0.6],
  MC_YAWRATE_P: ["Proportional gain of the yaw rate", "", 0, 0.6],
  MC_YAWRATE_MAX: ["Most yaw rate", "deg/s", 0, 1800],
  MIS_TAKEOFF_ALT: ["Height of a take-off that names none", "m", 0, 80],
  COM_OF_LOSS_T: ["Time without offboard setpoints before the failsafe", "s", 0, 60],
  COM_OBL_RC_ACT: ["What to do when offboard is lost", "", 0, 7],
  COM_DL_LOSS_T: ["Time without a ground station before its loss is declared", "s", 5, 300],
  COM_DISARM_LAND: ["Time from landing to disarming; negative never", "s"],
  COM_DISARM_PRFLT: ["Time to take off before disarming; negative never", "s"],
  COM_LOW_BAT_ACT: ["What to do when the battery runs low", "", 0, 3],
  COM_RC_OVERRIDE: ["Whether sticks end automatic (1) and offboard (2) modes", "", 0, 3],
  NAV_DLL_ACT: ["What to do when the ground station is lost", "", 0, 6],
  NAV_RCL_ACT: ["What to do when the radio control is lost", "", 1, 6],
  GF_ACTION: ["What to do when the fence is crossed", "", 0, 5],
  GF_MAX_HOR_DIST: ["Largest distance from home; 0 is no limit", "m", 0, 10000],
  GF_MAX_VER_DIST: ["Largest height above home; 0 is no limit", "m", 0, 10000],
  RTL_RETURN_ALT: ["Height of a return above home", "m", 0, 150],
  RTL_DESCEND_ALT: ["Height above home at which a return waits before landing", "m", 0, 100],
  RTL_LAND_DELAY: ["Time a return waits before landing; negative for ever", "s", -1, 300],
  BAT_LOW_THR: ["Charge that counts as low", "norm", 0.12, 0.5],
  BAT_CRIT_THR: ["Charge that counts as critical", "norm", 0.05, 0.5],
  BAT_EMERGEN_THR: ["Charge that counts as an emergency", "norm", 0.03, 0.5],
  SYS_FAILURE_EN: ["Lets failures be injected", "", 0, 1],
  CA_FAILURE_MODE: ["Whether the allocation does without a failed motor", "", 0, 1],
};

/** Names of values, as PX4's parameter reference has them. */
const named: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  COM_OBL_RC_ACT: {
    0: "Position mode",
    1: "Altitude mode",
    2: "Stabilized",
    3: "Return",
    4: "Land",
    5: "Hold",
    6: "Terminate",
    7: "Disarm",
  },
  COM_LOW_BAT_ACT: { 0: "Warning", 2: "Land", 3: "Return at critical, land at emergency" },
  NAV_DLL_ACT: { 0: "Disabled", 1: "Hold", 2: "Return", 3: "Land", 5: "Terminate", 6: "Disarm" },
  NAV_RCL_ACT: { 1: "Hold", 2: "Return", 3: "Land", 5: "Terminate", 6: "Disarm" },
  GF_ACTION: { 0: "None", 1: "Warning", 2: "Hold", 3: "Return", 4: "Terminate", 5: "Land" },
};
const bits: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  COM_RC_OVERRIDE: { 0: "Sticks end automatic modes", 1: "Sticks end offboard" },
};
/** Read once, at the start. */
const atBoot: ReadonlySet<string> = new Set(["SYS_AUTOSTART", "CA_AIRFRAME", "SDLOG_BACKEND"]);

const decimals = (value: number): number => Number(value.toPrecision(6));

/** The events this autopilot sends, for stations that read descriptions from the vehicle. */
const eventTexts: Readonly<Record<string, readonly [group: string, text: string]>> = {
  commander_takeoff_detected: ["default", "Takeoff detected"],
  commander_landing_detected: ["default", "Landing detected"],
  commander_armed_by: ["default", "Armed"],
  commander_disarmed_by: ["default", "Disarmed"],
  commander_landing_current_pos: ["default", "Landing at current position"],
  commander_failsafe_enter_generic: ["default", "Failsafe activated"],
  check_modes_offboard_signal: ["arming_check", "No offboard signal"],
  check_modes_local_pos: ["arming_check", "No valid local position estimate"],
  check_modes_mission: ["arming_check", "No valid mission available"],
  check_modes_cannot_takeoff: ["arming_check", "Mode is not suitable for arming"],
  check_estimator_starting: ["arming_check", "Attitude estimate not ready"],
  check_failure_detector_attitude: ["arming_check", "Attitude failure (tilt)"],
  check_failure_detector_motor: ["arming_check", "Motor failure detected"],
  check_battery_level: ["arming_check", "Battery level too low"],
  check_battery_min: ["arming_check", "Battery below minimum for arming"],
  check_geofence: ["arming_check", "Geofence violation"],
  check_mission_required: ["arming_check", "No valid mission available"],
  check_armable: ["arming_check", "Arming is disabled (COM_ARMABLE)"],
};

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function parameterFile(parameters: Parameters): Uint8Array {
  const list = [...parameters.all()].map((p) => {
    const d = described[p.name];
    const [text, unit, min, max] = d ?? [];
    return {
      name: p.name,
      type: p.type === paramTypeFloat ? "Float" : "Int32",
      group: p.name.split("_")[0],
      default: decimals(p.value),
      ...(text === undefined ? {} : { shortDesc: text }),
      ...(unit ? { units: unit } : {}),
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(atBoot.has(p.name) ? { rebootRequired: true } : {}),
      ...withNames("values", "value", named[p.name]),
      ...withNames("bitmask", "index", bits[p.name]),
    };
  });
  return encode({ version: 1, parameters: list });
}

const withNames = (list: string, key: string, names: Readonly<Record<number, string>> | undefined): object =>
  names === undefined
    ? {}
    : {
        [list]: Object.entries(names).map(([number, description]) => ({
          [key]: Number(number),
          description,
        })),
      };

function eventFile(): Uint8Array {
  const groups: Record<string, { events: Record<string, { name: string; message: string }> }> = {};
  for (const [name, [group, message]] of Object.entries(eventTexts)) {
    groups[group] ??= { events: {} };
    groups[group].events[String(eventId(name) & 0xffffff)] = { name, message };
  }
  return encode({ version: 1, components: { "1": { namespace: "px4", event_groups: groups } } });
}

/** /etc/extras as a PX4 serves it, uncompressed. */
export function describeVehicle(parameters: Parameters): ReadonlyMap<string, Uint8Array> {
  const files = new Map([
    ["/etc/extras/parameters.json", parameterFile(parameters)],
    ["/etc/extras/all_events.json", eventFile()],
  ]);
  const entry = (type: number, path: string): object => ({
    type,
    uri: `mftp://${path}`,
    fileCrc: crc32(files.get(path) ?? new Uint8Array()),
  });
  const general = {
    version: 1,
    metadataTypes: [entry(1, "/etc/extras/parameters.json"), entry(4, "/etc/extras/all_events.json")],
  };
  files.set("/etc/extras/component_general.json", encode(general));
  return files;
}

export function componentMetadata(files: ReadonlyMap<string, Uint8Array>, now_us: number): Message {
  const path = "/etc/extras/component_general.json";
  return {
    name: "COMPONENT_METADATA",
    fields: {
      time_boot_ms: Math.floor(now_us / 1000),
      file_crc: crc32(files.get(path) ?? new Uint8Array()),
      uri: `mftp://${path}`,
    },
  };
}
