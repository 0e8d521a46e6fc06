import { degE7, toGlobal } from "./geodesy";
import { customMode, modes } from "./modes";
import type { Message } from "./port";
import type { Status } from "./status";
import { euler, type Vec3 } from "./vector";

type Fields = Message["fields"];
type Builder = (s: Status) => Fields;
const nan = Number.NaN;
const ms = (s: Status): number => Math.floor(s.time_us / 1000);
/** GPS week epoch in PX4's time_usec fields is boot time here, as in its software simulation. */
const us = (s: Status): number => s.time_us;

const axes = (prefix: readonly [string, string, string], v: Vec3): Fields => ({
  [prefix[0]]: v[0],
  [prefix[1]]: v[1],
  [prefix[2]]: v[2],
});
const heading_deg = (yaw_rad: number): number => ((yaw_rad * 180) / Math.PI + 360) % 360;
const amsl = (s: Status): number => s.origin.altitude_amsl_m - s.estimate.position[2];
const relative = (s: Status): number => s.home.position[2] - s.estimate.position[2];

/** MAV_SYS_STATUS_SENSOR bits: gyro, accelerometer, vision position, rate, attitude, yaw, altitude and position control, motors, RC, AHRS, battery, prearm. */
const sensorBits = 1 | 2 | 128 | 1024 | 2048 | 4096 | 8192 | 16384 | 32768 | 65536 | 0x200000 | 0x2000000;
const prearmBit = 0x10000000;

function sysStatus(s: Status): Fields {
  let healthy = sensorBits;
  if (!s.estimate.xy_valid) healthy &= ~(128 | 16384);
  if (s.flight.dead_motors.size > 0) healthy &= ~32768;
  if (s.commander.armed || s.commander.reasons().length === 0) healthy |= prearmBit;
  return {
    onboard_control_sensors_present: sensorBits | prearmBit,
    onboard_control_sensors_enabled: sensorBits | prearmBit,
    onboard_control_sensors_health: healthy,
    load: 210,
    voltage_battery: Math.round(s.battery.voltage_v * 1000),
    current_battery: Math.round(s.battery.current_a * 100),
    battery_remaining: Math.round(s.battery.remaining * 100),
  };
}

function batteryStatus(s: Status): Fields {
  const cells = s.vehicle.battery_cells;
  const each = Math.round((s.battery.voltage_v / cells) * 1000);
  const voltages = Array.from({ length: 10 }, (_, i) => (i < cells ? each : 65535));
  const left_as = s.battery.remaining * s.vehicle.battery_capacity_ah * 3600;
  const level = s.battery.remaining;
  const state =
    level < s.parameters.get("BAT_EMERGEN_THR")
      ? 4
      : level < s.parameters.get("BAT_CRIT_THR")
        ? 3
        : level < s.parameters.get("BAT_LOW_THR")
          ? 2
          : 1;
  return {
    id: 0,
    battery_function: 1,
    type: 1,
    temperature: 32767,
    voltages,
    current_battery: Math.round(s.battery.current_a * 100),
    current_consumed: Math.round(s.consumed_mah),
    energy_consumed: -1,
    battery_remaining: Math.round(level * 100),
    time_remaining: s.battery.current_a > 1 ? Math.round(left_as / s.battery.current_a) : 0,
    charge_state: state,
  };
}

/** ESTIMATOR_STATUS flags: attitude, velocity and position as valid; constant position mode and accel error unset. */
const estimatorFlags = (s: Status): number =>
  s.estimate.xy_valid ? 1 | 2 | 4 | 8 | 16 | 32 | 256 | 512 : 1 | 4 | 32 | 128;

function odometry(s: Status): Fields {
  const e = s.estimate;
  const body = rotateToBody(s);
  const p = e.eph_m ** 2;
  const covariance = (a: number, b: number, c: number): number[] => {
    const m = new Array<number>(21).fill(nan);
    m[0] = a;
    m[6] = a;
    m[11] = b;
    m[15] = c;
    m[18] = c;
    m[20] = c;
    return m;
  };
  return {
    time_usec: us(s),
    frame_id: 1,
    child_frame_id: 12,
    ...axes(["x", "y", "z"], e.position),
    q: [...e.attitude],
    ...axes(["vx", "vy", "vz"], body),
    ...axes(["rollspeed", "pitchspeed", "yawspeed"], e.rates),
    pose_covariance: covariance(p, e.epv_m ** 2, 4e-6),
    velocity_covariance: covariance(1e-4, 1e-4, 1e-5),
    reset_counter: e.reset_counter,
    estimator_type: 2,
    quality: e.xy_valid ? 100 : 0,
  };
}

function rotateToBody(s: Status): Vec3 {
  const [w, x, y, z] = s.estimate.attitude;
  const v = s.estimate.velocity;
  const tx = 2 * (-y * v[2] + z * v[1]);
  const ty = 2 * (-z * v[0] + x * v[2]);
  const tz = 2 * (-x * v[1] + y * v[0]);
  return [v[0] + w * tx - y * tz + z * ty, v[1] + w * ty - z * tx + x * tz, v[2] + w * tz - x * ty + y * tx];
}

/** 1 on ground, 2 in air, 3 take-off, 4 landing. */
export function landedState(s: Status): number {
  if (s.flight.ground.state.landed) return 1;
  if (s.commander.state === "takeoff") return 3;
  return s.commander.state === "land" || s.commander.state === "descend" ? 4 : 2;
}

const pwm = (s: Status): number[] =>
  Array.from({ length: 16 }, (_, i) => {
    const command = s.motors[i];
    if (command === undefined || !s.commander.armed || s.flight.dead_motors.has(i)) return 900;
    const idle = s.parameters.get("DSHOT_MIN");
    return Math.round(1000 + 1000 * (command <= idle ? 0 : command));
  });

function positionTarget(s: Status): Fields {
  const { position: out, setpoint } = s.flight.targets;
  const cut = setpoint.acceleration[2] >= 100;
  return {
    time_boot_ms: ms(s),
    coordinate_frame: 1,
    type_mask: cut ? 63 : 0,
    ...axes(["x", "y", "z"], out.position),
    ...axes(["vx", "vy", "vz"], cut ? [nan, nan, nan] : out.velocity),
    ...axes(["afx", "afy", "afz"], cut ? [0, 0, 100] : out.acceleration),
    yaw: setpoint.yaw_rad,
    yaw_rate: setpoint.yaw_rate_rad_s,
  };
}

/** Each message PX4 streams on its ground and onboard links, made from the status of the moment. */
export const builders: Readonly<Record<string, Builder>> = {
  HEARTBEAT: (s) => ({
    type: s.parameters.get("MAV_TYPE"),
    autopilot: 12,
    base_mode: 1 | modes[s.commander.state].base | (s.commander.armed ? 128 : 0),
    custom_mode: customMode(s.commander.state),
    system_status: s.commander.system_status,
    mavlink_version: 3,
  }),
  SYS_STATUS: sysStatus,
  BATTERY_STATUS: batteryStatus,
  ATTITUDE: (s) => ({
    time_boot_ms: ms(s),
    ...axes(["roll", "pitch", "yaw"], euler(s.estimate.attitude)),
    ...axes(["rollspeed", "pitchspeed", "yawspeed"], s.estimate.rates),
  }),
  ATTITUDE_QUATERNION: (s) => ({
    time_boot_ms: ms(s),
    q1: s.estimate.attitude[0],
    q2: s.estimate.attitude[1],
    q3: s.estimate.attitude[2],
    q4: s.estimate.attitude[3],
    ...axes(["rollspeed", "pitchspeed", "yawspeed"], s.estimate.rates),
  }),
  ATTITUDE_TARGET: (s) => ({
    time_boot_ms: ms(s),
    q: [...s.flight.targets.attitude],
    ...axes(["body_roll_rate", "body_pitch_rate", "body_yaw_rate"], s.flight.targets.rates),
    thrust: s.flight.targets.thrust,
  }),
  LOCAL_POSITION_NED: (s) => ({
    time_boot_ms: ms(s),
    ...axes(["x", "y", "z"], s.estimate.position),
    ...axes(["vx", "vy", "vz"], s.estimate.velocity),
  }),
  POSITION_TARGET_LOCAL_NED: positionTarget,
  GLOBAL_POSITION_INT: (s) => {
    const g = toGlobal(s.origin, s.estimate.position);
    return {
      time_boot_ms: ms(s),
      lat: degE7(g.latitude_deg),
      lon: degE7(g.longitude_deg),
      alt: Math.round(g.altitude_amsl_m * 1000),
      relative_alt: Math.round(relative(s) * 1000),
      vx: Math.round(s.estimate.velocity[0] * 100),
      vy: Math.round(s.estimate.velocity[1] * 100),
      vz: Math.round(s.estimate.velocity[2] * 100),
      hdg: Math.round(heading_deg(s.estimate.yaw_rad) * 100) % 36000,
    };
  },
  ODOMETRY: odometry,
  SERVO_OUTPUT_RAW: (s) => {
    const fields: Record<string, number> = { time_usec: us(s) % 4294967296, port: 0 };
    pwm(s).forEach((v, i) => {
      fields[`servo${String(i + 1)}_raw`] = v;
    });
    return fields;
  },
  GPS_RAW_INT: (s) => ({
    time_usec: us(s),
    fix_type: 0,
    lat: 0,
    lon: 0,
    alt: 0,
    eph: 65535,
    epv: 65535,
    vel: 65535,
    cog: 65535,
    satellites_visible: 255,
  }),
  VFR_HUD: (s) => ({
    airspeed: nan,
    groundspeed: Math.hypot(s.estimate.velocity[0], s.estimate.velocity[1]),
    heading: Math.floor(heading_deg(s.estimate.yaw_rad)),
    throttle: Math.round(100 * s.flight.targets.thrust),
    alt: amsl(s),
    climb: -s.estimate.velocity[2],
  }),
  ALTITUDE: (s) => ({
    time_usec: us(s),
    altitude_monotonic: amsl(s),
    altitude_amsl: amsl(s),
    altitude_local: -s.estimate.position[2],
    altitude_relative: relative(s),
    altitude_terrain: nan,
    bottom_clearance: nan,
  }),
  EXTENDED_SYS_STATE: (s) => ({ vtol_state: 0, landed_state: landedState(s) }),
  ESTIMATOR_STATUS: (s) => ({
    time_usec: us(s),
    flags: estimatorFlags(s),
    vel_ratio: 0.05,
    pos_horiz_ratio: s.estimate.xy_valid ? 0.03 : 1.5,
    pos_vert_ratio: 0.02,
    mag_ratio: 0,
    hagl_ratio: 0,
    tas_ratio: nan,
    pos_horiz_accuracy: s.estimate.eph_m,
    pos_vert_accuracy: s.estimate.epv_m,
  }),
  HOME_POSITION: (s) => {
    const g = toGlobal(s.origin, s.home.position);
    return {
      latitude: degE7(g.latitude_deg),
      longitude: degE7(g.longitude_deg),
      altitude: Math.round(g.altitude_amsl_m * 1000),
      ...axes(["x", "y", "z"], s.home.position),
      q: [Math.cos(s.home.yaw_rad / 2), 0, 0, Math.sin(s.home.yaw_rad / 2)],
      time_usec: us(s),
    };
  },
  CURRENT_MODE: (s) => ({
    standard_mode: modes[s.commander.state].standard,
    custom_mode: customMode(s.commander.state),
    intended_custom_mode: customMode(s.commander.intended),
  }),
  MISSION_CURRENT: (s) => ({
    seq: s.mission.seq,
    total: s.mission.count === 0 ? 65535 : s.mission.count,
    mission_state: s.mission.state,
    mission_mode: s.commander.state === "mission" ? 1 : 2,
    mission_id: s.mission.id,
    fence_id: s.fence_id,
    rally_points_id: s.rally_id,
  }),
  HIGHRES_IMU: (s) => ({
    time_usec: us(s),
    ...axes(["xacc", "yacc", "zacc"], s.estimate.force),
    ...axes(["xgyro", "ygyro", "zgyro"], s.estimate.rates),
    temperature: 40,
    fields_updated: 63,
  }),
  VIBRATION: (s) => ({ time_usec: us(s), vibration_x: 0.01, vibration_y: 0.01, vibration_z: 0.05 }),
  GPS_GLOBAL_ORIGIN: (s) => ({
    latitude: degE7(s.origin.latitude_deg),
    longitude: degE7(s.origin.longitude_deg),
    altitude: Math.round(s.origin.altitude_amsl_m * 1000),
    time_usec: us(s),
  }),
};
