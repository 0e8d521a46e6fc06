import { enuToNed, fluToFrd, quatFluEnuToFrdNed } from "#contract/frames";
import { degE7, type Origin, toGlobal } from "../autopilot/geodesy";
import type { Message, SensorTruth } from "../autopilot/port";
import { Random, Wander } from "../autopilot/random";
import { length, turnBack, type Vec3 } from "../autopilot/vector";

/** Sensor sample of PX4's simulator interface, and the slower ones as multiples of it. */
export const sensorPeriod_us = 4_000;
const magPeriod_us = 20_000;
const baroPeriod_us = 20_000;
const gpsPeriod_us = 100_000;
const posePeriod_us = 32_000;

/** HIL_SENSOR.fields_updated: PX4 takes a sensor only when all of its bits are set. */
const fields = { accel: 0b111, gyro: 0b111_000, mag: 0b111_000_000, baro: 0b1_1010_0000_0000 } as const;

/** Spreads of one sample, and of what wanders slowly: metres, m/s, m/s2, rad/s, gauss, hPa. */
const noise = {
  accel: 0.05,
  gyro: 0.002,
  mag: 0.003,
  pressure_hpa: 0.012,
  gps_m: 0.15,
  gps_m_s: 0.04,
} as const;

/** The field of the world model at PX4's default home: strength, inclination and declination. */
const field_gauss = 0.485;
const inclination_rad = (63.3 * Math.PI) / 180;
const declination_rad = (3.4 * Math.PI) / 180;
const field_ned: Vec3 = [
  field_gauss * Math.cos(inclination_rad) * Math.cos(declination_rad),
  field_gauss * Math.cos(inclination_rad) * Math.sin(declination_rad),
  field_gauss * Math.sin(inclination_rad),
];
const gravity_m_s2 = 9.80665;
/** HIL_GPS carries the time of day: the simulated day begins here. */
const day_utc_us = Date.UTC(2026, 0, 1) * 1000;

type Slow = "mag" | "baro" | "gps" | "pose" | "truth";

/** ISA troposphere: pressure in hPa and temperature in degrees Celsius at a height above sea level. */
export const pressure_hpa = (altitude_m: number): number =>
  1013.25 * (1 - 2.25577e-5 * altitude_m) ** 5.25588;
const temperature_c = (altitude_m: number): number => 15 - 0.0065 * altitude_m;

/**
 * What PX4's simulator module is fed: HIL_SENSOR at 250 Hz with magnetometer and barometer at their own rates, HIL_GPS at 10 Hz,
 * the pose of a motion-capture system as ODOMETRY at 31 Hz (used when EKF2_EV_CTRL asks for it), and HIL_STATE_QUATERNION, the
 * truth for PX4's log, at the rate it asked for. Units and frames are MAVLink's: FRD, NED, gauss, hectopascal.
 */
export class HilSensors {
  /** MAV_CMD_SET_MESSAGE_INTERVAL for HIL_STATE_QUATERNION; 0 sends none. */
  truthPeriod_us = 5_000;
  readonly #origin: Origin;
  readonly #random: Random;
  readonly #gps: readonly [Wander, Wander, Wander];
  readonly #next: Record<Slow, number> = { mag: 0, baro: 0, gps: 0, pose: 0, truth: 0 };

  constructor(seed: number, origin: Origin) {
    this.#origin = origin;
    this.#random = new Random(seed, "hil");
    const wander = (sigma_m: number): Wander => new Wander(this.#random, sigma_m, 8);
    this.#gps = [wander(noise.gps_m), wander(noise.gps_m), wander(1.5 * noise.gps_m)];
  }

  /** Everything due at this sample. */
  sample(truth: SensorTruth): Message[] {
    const { time_us } = truth;
    const out = [this.#sensor(truth)];
    if (this.#due("gps", time_us, gpsPeriod_us)) out.push(this.#gpsFix(truth));
    if (this.#due("pose", time_us, posePeriod_us) && truth.position_lost !== true) out.push(pose(truth));
    if (this.truthPeriod_us > 0 && this.#due("truth", time_us, this.truthPeriod_us))
      out.push(state(truth, this.#origin));
    return out;
  }

  #due(which: Slow, now_us: number, period_us: number): boolean {
    if (now_us < this.#next[which]) return false;
    this.#next[which] = Math.max(this.#next[which] + period_us, now_us - period_us + 1);
    return true;
  }

  #noisy(v: Vec3, sigma: number): Vec3 {
    const n = (): number => sigma * this.#random.normal();
    return [v[0] + n(), v[1] + n(), v[2] + n()];
  }

  #sensor(truth: SensorTruth): Message {
    const { time_us } = truth;
    const attitude = quatFluEnuToFrdNed(truth.quat_flu_enu);
    const accel = this.#noisy(fluToFrd(truth.accel_flu_m_s2), noise.accel);
    const gyro = this.#noisy(fluToFrd(truth.rates_flu_rad_s), noise.gyro);
    const mag = this.#noisy(turnBack(attitude, field_ned), noise.mag);
    const altitude_m = this.#origin.altitude_amsl_m + truth.position_enu_m[2];
    const pressure = pressure_hpa(altitude_m) + noise.pressure_hpa * this.#random.normal();
    const updated =
      fields.accel |
      fields.gyro |
      (this.#due("mag", time_us, magPeriod_us) ? fields.mag : 0) |
      (this.#due("baro", time_us, baroPeriod_us) ? fields.baro : 0);
    return {
      name: "HIL_SENSOR",
      fields: {
        time_usec: time_us,
        xacc: accel[0],
        yacc: accel[1],
        zacc: accel[2],
        xgyro: gyro[0],
        ygyro: gyro[1],
        zgyro: gyro[2],
        xmag: mag[0],
        ymag: mag[1],
        zmag: mag[2],
        abs_pressure: pressure,
        diff_pressure: 0,
        pressure_alt: altitude_m,
        temperature: temperature_c(altitude_m),
        fields_updated: updated,
        id: 0,
      },
    };
  }

  #gpsFix(truth: SensorTruth): Message {
    const dt_s = gpsPeriod_us / 1e6;
    const [north, east, down] = enuToNed(truth.position_enu_m);
    const [a, b, c] = this.#gps;
    const at = toGlobal(this.#origin, [north + a.step(dt_s), east + b.step(dt_s), down + c.step(dt_s)]);
    const [vn, ve, vd] = this.#noisy(enuToNed(truth.velocity_enu_m_s), noise.gps_m_s);
    const lost = truth.position_lost === true;
    const speed_m_s = Math.hypot(vn, ve);
    const course_deg = ((Math.atan2(ve, vn) * 180) / Math.PI + 360) % 360;
    return {
      name: "HIL_GPS",
      fields: {
        time_usec: day_utc_us + truth.time_us,
        fix_type: lost ? 0 : 3,
        lat: degE7(at.latitude_deg),
        lon: degE7(at.longitude_deg),
        alt: Math.round(at.altitude_amsl_m * 1000),
        eph: lost ? 65535 : 60,
        epv: lost ? 65535 : 90,
        vel: Math.round(speed_m_s * 100),
        vn: Math.round(vn * 100),
        ve: Math.round(ve * 100),
        vd: Math.round(vd * 100),
        // A course means nothing at rest.
        cog: speed_m_s < 0.3 ? 65535 : Math.round(course_deg * 100) % 36000,
        satellites_visible: lost ? 0 : 12,
        id: 0,
        yaw: 0,
      },
    };
  }
}

function pose(truth: SensorTruth): Message {
  const [x, y, z] = enuToNed(truth.position_enu_m);
  const q = quatFluEnuToFrdNed(truth.quat_flu_enu);
  const v = turnBack(q, enuToNed(truth.velocity_enu_m_s));
  const rates = fluToFrd(truth.rates_flu_rad_s);
  const covariance = (position: number, angle: number): number[] => {
    const m = new Array<number>(21).fill(0);
    for (const i of [0, 6, 11]) m[i] = position;
    for (const i of [15, 18, 20]) m[i] = angle;
    return m;
  };
  return {
    name: "ODOMETRY",
    fields: {
      time_usec: truth.time_us,
      frame_id: 1,
      child_frame_id: 12,
      x,
      y,
      z,
      q: [...q],
      vx: v[0],
      vy: v[1],
      vz: v[2],
      rollspeed: rates[0],
      pitchspeed: rates[1],
      yawspeed: rates[2],
      pose_covariance: covariance(1e-4, 1e-5),
      velocity_covariance: covariance(1e-3, 1e-3),
      reset_counter: 0,
      estimator_type: 2,
      quality: 100,
    },
  };
}

function state(truth: SensorTruth, origin: Origin): Message {
  const q = quatFluEnuToFrdNed(truth.quat_flu_enu);
  const rates = fluToFrd(truth.rates_flu_rad_s);
  const v = enuToNed(truth.velocity_enu_m_s);
  const at = toGlobal(origin, enuToNed(truth.position_enu_m));
  const milliG = (a: number): number => Math.round((a / gravity_m_s2) * 1000);
  const accel = fluToFrd(truth.accel_flu_m_s2);
  const speed_cm_s = Math.round(length(v) * 100);
  return {
    name: "HIL_STATE_QUATERNION",
    fields: {
      time_usec: truth.time_us,
      attitude_quaternion: [...q],
      rollspeed: rates[0],
      pitchspeed: rates[1],
      yawspeed: rates[2],
      lat: degE7(at.latitude_deg),
      lon: degE7(at.longitude_deg),
      alt: Math.round(at.altitude_amsl_m * 1000),
      vx: Math.round(v[0] * 100),
      vy: Math.round(v[1] * 100),
      vz: Math.round(v[2] * 100),
      ind_airspeed: speed_cm_s,
      true_airspeed: speed_cm_s,
      xacc: milliG(accel[0]),
      yacc: milliG(accel[1]),
      zacc: milliG(accel[2]),
    },
  };
}
