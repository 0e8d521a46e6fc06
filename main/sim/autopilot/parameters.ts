import { type Parameter, parameterDefaults, paramTypeFloat, paramTypeInt32 } from "./parameter-defaults";
import type { VehicleModel } from "./port";

/**
 * PX4's parameters by name. Values are as a pilot reads them; the bit-cast of integers into the float field of PARAM_VALUE
 * is the codec's business. Reading an unknown name is a bug, not a failure.
 */
export class Parameters {
  readonly #byName = new Map<string, Parameter>();
  readonly #order: string[];
  /** Counts changes, so that a reader may cache. */
  version = 0;

  constructor(vehicle: VehicleModel, system_id: number, overrides: Readonly<Record<string, number>> = {}) {
    for (const p of parameterDefaults()) this.#byName.set(p.name, p);
    for (const [name, value] of Object.entries({
      ...airframeParameters(vehicle),
      MAV_SYS_ID: system_id,
      ...overrides,
    })) {
      const known = this.#byName.get(name);
      const type = known?.type ?? (Number.isInteger(value) ? paramTypeInt32 : paramTypeFloat);
      this.#byName.set(name, { name, type, value: fit(type, value) });
    }
    this.#order = [...this.#byName.keys()].sort();
  }

  get(name: string): number {
    const found = this.#byName.get(name);
    if (!found) throw new Error(`Invariant: no parameter ${name}`);
    return found.value;
  }
  find(name: string): Parameter | undefined {
    return this.#byName.get(name);
  }
  at(index: number): Parameter | undefined {
    const name = this.#order[index];
    return name === undefined ? undefined : this.#byName.get(name);
  }
  indexOf(name: string): number {
    return this.#order.indexOf(name);
  }
  get count(): number {
    return this.#order.length;
  }
  /** Answers whether there is such a parameter and the value is a number. */
  set(name: string, value: number): boolean {
    const known = this.#byName.get(name);
    if (!known || !Number.isFinite(value)) return false;
    this.#byName.set(name, { ...known, value: fit(known.type, value) });
    this.version++;
    return true;
  }
  /** What PX4 sends as _HASH_CHECK: one number that changes with any name or value. */
  hash(): number {
    let h = 0x811c9dc5;
    const view = new DataView(new ArrayBuffer(4));
    for (const name of this.#order) {
      const p = this.#byName.get(name);
      if (!p) continue;
      for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
      if (p.type === paramTypeFloat) view.setFloat32(0, p.value, true);
      else view.setInt32(0, p.value, true);
      for (let i = 0; i < 4; i++) h = Math.imul(h ^ view.getUint8(i), 0x01000193);
    }
    return h >>> 0;
  }
  *all(): Generator<Parameter> {
    for (const name of this.#order) {
      const p = this.#byName.get(name);
      if (p) yield p;
    }
  }
}

/**
 * Figures that a controller reads in every step: looked up once and again only after a parameter has changed, because a look-up
 * by name costs more than the arithmetic it is for.
 */
export function tuned<T>(p: Parameters, read: (get: (name: string) => number) => T): () => T {
  const get = (name: string): number => p.get(name);
  let version = p.version;
  let values = read(get);
  return () => {
    if (version !== p.version) {
      version = p.version;
      values = read(get);
    }
    return values;
  };
}

const fit = (type: Parameter["type"], value: number): number =>
  type === paramTypeInt32
    ? Math.max(-2147483648, Math.min(2147483647, Math.round(value)))
    : Math.fround(value);

const gravity_m_s2 = 9.80665;

/**
 * What the airframe file changes from PX4's defaults: geometry and hover thrust from the vehicle, limits for flying under a
 * 3 m ceiling (0.6 m/s, 0.6 m/s2, tilt 20 degrees), returns that stay below it, and yaw gains for long arms with small
 * propellers (weak yaw torque: more gain in the rate loop, less in the attitude loop).
 */
export function airframeParameters(vehicle: VehicleModel): Record<string, number> {
  const geometry: Record<string, number> = {};
  vehicle.rotors.forEach((rotor, i) => {
    const [x, y, z] = rotor.position_flu_m;
    geometry[`CA_ROTOR${String(i)}_PX`] = x;
    geometry[`CA_ROTOR${String(i)}_PY`] = -y;
    geometry[`CA_ROTOR${String(i)}_PZ`] = -z;
    geometry[`CA_ROTOR${String(i)}_KM`] = rotor.spin * vehicle.torque_ratio_m;
    geometry[`CA_ROTOR${String(i)}_CT`] = vehicle.max_thrust_n;
  });
  return {
    ...geometry,
    CA_ROTOR_COUNT: vehicle.rotors.length,
    THR_MDL_FAC: vehicle.thrust_curve,
    MPC_THR_HOVER:
      Math.round((100 * vehicle.mass_kg * gravity_m_s2) / (vehicle.rotors.length * vehicle.max_thrust_n)) /
      100,
    MPC_XY_VEL_MAX: 0.6,
    MPC_Z_VEL_MAX_UP: 0.6,
    MPC_Z_VEL_MAX_DN: 0.5,
    MPC_VEL_MANUAL: 0.6,
    MPC_XY_CRUISE: 0.6,
    MPC_Z_V_AUTO_UP: 0.6,
    MPC_Z_V_AUTO_DN: 0.5,
    MPC_ACC_HOR: 0.6,
    MPC_ACC_HOR_MAX: 0.6,
    MPC_ACC_UP_MAX: 0.6,
    MPC_ACC_DOWN_MAX: 0.6,
    MPC_JERK_AUTO: 2,
    MPC_JERK_MAX: 2,
    MPC_TILTMAX_AIR: 20,
    MPC_TKO_SPEED: 0.6,
    MPC_TKO_RAMP_T: 1,
    MPC_LAND_SPEED: 0.35,
    MPC_LAND_ALT1: 2,
    MPC_LAND_ALT2: 1,
    MIS_TAKEOFF_ALT: 1.5,
    NAV_ACC_RAD: 0.3,
    NAV_MC_ALT_RAD: 0.2,
    RTL_RETURN_ALT: 1.5,
    RTL_DESCEND_ALT: 1.5,
    RTL_MIN_DIST: 1,
    RTL_CONE_ANG: 0,
    CBRK_FLIGHTTERM: 0,
    SYS_FAILURE_EN: 1,
    CA_FAILURE_MODE: 1,
    MC_BAT_SCALE_EN: 1,
    MC_ROLL_P: 6.5,
    MC_PITCH_P: 6.5,
    MC_YAWRATE_P: 0.5,
    MC_YAWRATE_MAX: 45,
    MC_YAW_P: 1.2,
    MPC_YAWRAUTO_MAX: 45,
    BAT1_N_CELLS: vehicle.battery_cells,
    BAT1_CAPACITY: vehicle.battery_capacity_ah * 1000,
    MAV_TYPE: vehicle.rotors.length === 6 ? 13 : vehicle.rotors.length === 8 ? 14 : 2,
    SYS_AUTOSTART: 6001,
    COM_RC_IN_MODE: 0,
    COM_OBL_RC_ACT: 3,
    SYS_HAS_GPS: 0,
    EKF2_EV_CTRL: 15,
    EKF2_GPS_CTRL: 0,
    EKF2_HGT_REF: 3,
  };
}
