import type { Saturation } from "./attitude-control";
import type { VehicleModel } from "./port";
import { clamp, type Vec3 } from "./vector";

type Row = number[];
/** Share by which outputs may exceed 1 before yaw gives way, so that some yaw is left at full thrust (PX4). */
const yawMargin = 0.15;

/** Torque and thrust per unit of each rotor's thrust share: rows roll, pitch, yaw (FRD), lift. */
export function effectiveness(vehicle: VehicleModel): Row[] {
  const f = vehicle.max_thrust_n;
  return [
    vehicle.rotors.map((r) => f * r.position_flu_m[1]),
    vehicle.rotors.map((r) => f * r.position_flu_m[0]),
    vehicle.rotors.map((r) => f * r.spin * vehicle.torque_ratio_m),
    vehicle.rotors.map(() => f),
  ];
}

/** Moore-Penrose inverse of a wide matrix of full row rank: transpose(A) inverse(A transpose(A)). */
export function pseudoInverse(a: readonly Row[]): Row[] {
  const rows = a.length;
  const gram = a.map((x) => a.map((y) => x.reduce((sum, v, k) => sum + v * (y[k] ?? 0), 0)));
  // A rank lost with a failed rotor must not blow up: a touch of damping, far below the figures that matter.
  for (let i = 0; i < rows; i++) {
    const row = gram[i];
    if (row) row[i] = (row[i] ?? 0) + 1e-9;
  }
  const inverse = invert(gram);
  const columns = a[0]?.length ?? 0;
  return Array.from({ length: columns }, (_, k) =>
    Array.from({ length: rows }, (_, j) =>
      a.reduce((sum, row, i) => sum + (row[k] ?? 0) * (inverse[i]?.[j] ?? 0), 0),
    ),
  );
}

/** Gauss-Jordan with partial pivoting; for the small well-conditioned matrices of this file. */
function invert(matrix: readonly Row[]): Row[] {
  const n = matrix.length;
  const work = matrix.map((row, i) => [...row, ...Array.from({ length: n }, (_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c + 1; r < n; r++)
      if (Math.abs(work[r]?.[c] ?? 0) > Math.abs(work[best]?.[c] ?? 0)) best = r;
    const pivot = work[best] ?? [];
    work[best] = work[c] ?? [];
    const head = pivot[c] ?? 1;
    const scaled = pivot.map((v) => v / head);
    work[c] = scaled;
    for (let r = 0; r < n; r++) {
      const row = work[r];
      if (r === c || !row) continue;
      const k = row[c] ?? 0;
      if (k !== 0) work[r] = row.map((v, j) => v - k * (scaled[j] ?? 0));
    }
  }
  return work.map((row) => row.slice(n));
}

export interface Allocated {
  /** Thrust share of each rotor, 0 to 1. */
  readonly thrust: readonly number[];
  readonly saturation: Saturation;
}

/**
 * PX4's control allocation for multirotors (CA_METHOD auto): pseudo-inverse with its normalisation of the torque axes, then
 * sequential desaturation without airmode: thrust is reduced first, then roll and pitch, and yaw gets what is left.
 */
export class Allocation {
  readonly #vehicle: VehicleModel;
  readonly #scale: readonly number[];
  #matrix: Row[] = [];
  /** Thrust share of each rotor per unit of roll, pitch, yaw torque and lift. */
  #columns: readonly [Row, Row, Row, Row] = [[], [], [], []];
  #stopped = new Set<number>();

  constructor(vehicle: VehicleModel) {
    this.#vehicle = vehicle;
    const mix = pseudoInverse(effectiveness(vehicle));
    const column = (j: number): number[] => mix.map((row) => row[j] ?? 0);
    const spread = (j: number): number => {
      const used = column(j).filter((v) => Math.abs(v) > 1e-3 * Math.max(...column(j).map(Math.abs)));
      return Math.sqrt(used.reduce((s, v) => s + v * v, 0) / (used.length / 2));
    };
    const tilt = Math.max(spread(0), spread(1));
    const lift = column(3).reduce((s, v) => s + Math.abs(v), 0) / mix.length;
    this.#scale = [tilt, tilt, Math.max(...column(2)), lift];
    this.#update();
  }

  /**
   * Does without failed rotors (CA_FAILURE_MODE 1); the axes keep their normalisation. A hexarotor that has lost one cannot
   * hold all four axes: heading is given up, and the opposite rotor stops too, which leaves no standing yaw torque.
   */
  setStopped(motors: ReadonlySet<number>): void {
    const opposite = [...motors].map((m) => oppositeRotor(this.#vehicle, m)).filter((m) => m !== null);
    this.#stopped = new Set([...motors, ...opposite]);
    this.#update();
  }
  get stopped(): ReadonlySet<number> {
    return this.#stopped;
  }

  #update(): void {
    const full = effectiveness(this.#vehicle);
    this.#matrix = full.map((row) => row.map((v, i) => (this.#stopped.has(i) ? 0 : v)));
    const [roll = [], pitch = [], yaw = [], lift = []] = this.#matrix;
    const withoutYaw = (): Row[] => {
      const mix = pseudoInverse([roll, pitch, lift]);
      return mix.map(([r = 0, p = 0, l = 0]) => [r, p, 0, l]);
    };
    const mix = this.#stopped.size > 0 ? withoutYaw() : pseudoInverse([roll, pitch, yaw, lift]);
    const column = (j: number): Row => mix.map((row) => (row[j] ?? 0) / (this.#scale[j] ?? 1));
    this.#columns = [column(0), column(1), column(2), column(3)];
  }

  /** Normalised torque (FRD, -1 to 1) and collective thrust (0 to 1). */
  allocate(torque: Vec3, thrust: number): Allocated {
    const [roll, pitch, yaw, lift] = this.#columns;
    const out: number[] = [];
    for (let i = 0; i < lift.length; i++)
      out.push(torque[0] * (roll[i] ?? 0) + torque[1] * (pitch[i] ?? 0) + thrust * (lift[i] ?? 0));
    desaturate(out, lift, 1, "less");
    desaturate(out, roll, 1, "both");
    desaturate(out, pitch, 1, "both");
    for (let i = 0; i < out.length; i++) out[i] = (out[i] ?? 0) + torque[2] * (yaw[i] ?? 0);
    desaturate(out, yaw, 1 + yawMargin, "both");
    desaturate(out, lift, 1, "less");
    for (let i = 0; i < out.length; i++) {
      const v = out[i] ?? 0;
      out[i] = this.#stopped.has(i) || !Number.isFinite(v) ? 0 : clamp(v, 0, 1);
    }
    return { thrust: out, saturation: this.#saturation(torque, out) };
  }

  /** The normalised torque and thrust that these thrust shares make: the inverse of `allocate` when unsaturated. */
  achieved(shares: readonly number[]): readonly number[] {
    return this.#matrix.map((row, j) => {
      let sum = 0;
      for (let i = 0; i < row.length; i++) sum += (row[i] ?? 0) * (shares[i] ?? 0);
      return sum * (this.#scale[j] ?? 1);
    });
  }

  #saturation(torque: Vec3, shares: readonly number[]): Saturation {
    const made = this.achieved(shares);
    const roll = torque[0] - (made[0] ?? 0);
    const pitch = torque[1] - (made[1] ?? 0);
    const yaw = torque[2] - (made[2] ?? 0);
    const little = 1e-3;
    return {
      positive: [roll > little, pitch > little, yaw > little],
      negative: [roll < -little, pitch < -little, yaw < -little],
    };
  }
}

/** The rotor mirrored through the centre, if the frame has one there. */
function oppositeRotor(vehicle: VehicleModel, motor: number): number | null {
  const [x, y] = vehicle.rotors[motor]?.position_flu_m ?? [0, 0];
  const found = vehicle.rotors.findIndex(
    (r) => Math.hypot(r.position_flu_m[0] + x, r.position_flu_m[1] + y) < 0.01 && (x !== 0 || y !== 0),
  );
  return found < 0 ? null : found;
}

/** Moves outputs along one axis towards the range 0 to `max`; twice, the second time half way, as violations on both ends share. */
function desaturate(out: number[], axis: readonly number[], max: number, way: "both" | "less"): void {
  for (let share = 1; share >= 0.5; share -= 0.5) {
    let low = 0;
    let high = 0;
    for (let i = 0; i < out.length; i++) {
      const d = axis[i] ?? 0;
      const v = out[i] ?? 0;
      if (Math.abs(d) < 1e-6) continue;
      const k = v < 0 ? -v / d : v > max ? (max - v) / d : 0;
      low = Math.min(low, k);
      high = Math.max(high, k);
    }
    const gain = share * (low + high);
    if (way === "less" && gain > 0) continue;
    for (let i = 0; i < out.length; i++) out[i] = (out[i] ?? 0) + gain * (axis[i] ?? 0);
  }
}

/** The command u that gives a thrust share t under THR_MDL_FAC f: f u^2 + (1 - f) u = t. */
export function commandFromThrust(share: number, thrust_curve: number): number {
  const f = clamp(thrust_curve, 0, 1);
  const t = clamp(share, 0, 1);
  if (f < 1e-6) return t;
  return (f - 1 + Math.sqrt((1 - f) ** 2 + 4 * f * t)) / (2 * f);
}
