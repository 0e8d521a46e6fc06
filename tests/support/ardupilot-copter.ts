import { ardupilotmega, common, type MavLinkData, standard } from "node-mavlink";

export const STABILIZE = 0;
export const GUIDED = 4;
const LAND = 9;

type Triple = readonly [number, number, number];

/** No failsafe climbs: what a copter indoors is set to. */
export const indoorParameters: readonly (readonly [string, number, number])[] = [
  ["FS_GCS_ENABLE", 5, 2],
  ["FS_THR_ENABLE", 3, 2],
  ["BATT_FS_LOW_ACT", 1, 2],
  ["BATT_FS_CRT_ACT", 1, 2],
  ["FENCE_ACTION", 2, 2],
  ["RTL_ALT", 200, 6],
  ["WPNAV_SPEED", 500, 9],
  ["LOG_BITMASK", 176_126, 6],
];

/** A point mass that flies as ArduCopter's modes would have it. Local NED. */
export class Copter {
  mode = STABILIZE;
  armed = false;
  ned: Triple = [0, 0, 0];
  velocity: Triple = [0, 0, 0];
  yaw = 0;
  target: { ned: Triple; yaw: number } | null = null;
  takeoff_m: number | null = null;
  #landed_ms: number | null = null;

  get height_m(): number {
    return -this.ned[2];
  }

  step(dt_s: number, now_ms: number): void {
    if (!this.armed) {
      this.velocity = [0, 0, 0];
      return;
    }
    const [x, y, z] = this.ned;
    const limited = (v: number, most: number): number => Math.max(-most, Math.min(most, v));
    if (this.mode === LAND) this.velocity = [0, 0, 0.5];
    else if (this.takeoff_m !== null) this.velocity = [0, 0, limited(2 * (-this.takeoff_m - z), 1)];
    else if (this.target !== null && this.mode === GUIDED) {
      const [tx, ty, tz] = this.target.ned;
      this.velocity = [limited(2 * (tx - x), 2), limited(2 * (ty - y), 2), limited(2 * (tz - z), 1)];
      const turn = Math.atan2(Math.sin(this.target.yaw - this.yaw), Math.cos(this.target.yaw - this.yaw));
      this.yaw += limited(2 * turn, 1) * dt_s;
    } else this.velocity = [0, 0, 0];
    this.ned = [
      x + this.velocity[0] * dt_s,
      y + this.velocity[1] * dt_s,
      Math.min(0, z + this.velocity[2] * dt_s),
    ];
    const down = this.ned[2] >= 0 && this.mode === LAND;
    this.#landed_ms = down ? (this.#landed_ms ?? now_ms) : null;
    if (this.#landed_ms !== null && now_ms - this.#landed_ms > 1000) this.armed = false;
  }
}

export const message = <T extends MavLinkData>(
  type: new () => T,
  fields: Partial<Record<keyof T, unknown>>,
): T => Object.assign(new type(), fields);

/** The streamed messages; null for one that it keeps to itself just now, undefined for one that it does not have. */
export function telemetry(
  id: number,
  c: Copter,
  ready: boolean,
  timeBootMs: number,
): MavLinkData | null | undefined {
  const [x, y, z] = c.ned;
  switch (id) {
    case 1: {
      const sensors = 1 | 2 | 0x20_0000 | 0x1000_0000;
      return message(common.SysStatus, {
        onboardControlSensorsPresent: sensors,
        onboardControlSensorsEnabled: sensors,
        onboardControlSensorsHealth: ready ? sensors : sensors & ~0x1020_0000,
        voltageBattery: 22_200,
        currentBattery: 1200,
        batteryRemaining: 90,
      });
    }
    case 31:
      return message(common.AttitudeQuaternion, {
        timeBootMs,
        q1: Math.cos(c.yaw / 2),
        q4: Math.sin(c.yaw / 2),
      });
    case 32:
      if (!ready) return null;
      return message(common.LocalPositionNed, {
        timeBootMs,
        ...{ x, y, z },
        vx: c.velocity[0],
        vy: c.velocity[1],
        vz: c.velocity[2],
      });
    case 148:
      return message(standard.AutopilotVersion, {
        // Parameters as converted floats, mission ints, commands as ints.
        capabilities: BigInt(0x2_0000 | 4 | 8),
        flightSwVersion: 0x04_07_00_00,
        flightCustomVersion: [...Buffer.from("abcdef12")],
      });
    case 147:
      return message(common.BatteryStatus, {
        voltages: [22_200, ...new Array<number>(9).fill(65_535)],
        currentBattery: 1200,
        batteryRemaining: 90,
      });
    case 193:
      return message(ardupilotmega.EkfStatusReport, {
        flags: ready ? 0x33f : 0x400,
        velocityVariance: 0.05,
        posHorizVariance: 0.04,
        posVertVariance: 0.03,
      });
    case 242:
      return message(common.HomePosition, {
        latitude: -353_632_621,
        longitude: 1_491_652_374,
        altitude: 584_000,
        q: [1, 0, 0, 0],
      });
    case 245:
      return message(common.ExtendedSysState, { landedState: c.height_m < 0.1 ? 1 : 2 });
    default:
      return undefined;
  }
}
