import type { VehicleFile } from "#contract/airframe";

/** PX4's THR_MDL_FAC of this motor and controller: thrust = max (f u^2 + (1 - f) u). */
export const thrustCurve = 0.84;

/** Steady thrust share for a command; a voltage below nominal turns the rotor slower by the same share. */
export function steadyThrust_n(file: VehicleFile["rotors"], command: number, voltage_ratio: number): number {
  const u = Math.min(1, Math.max(0, Number.isFinite(command) ? command : 0));
  const share = thrustCurve * u * u + (1 - thrustCurve) * u;
  return file.thrust_max_n * share * voltage_ratio * voltage_ratio;
}

export const rotorSpeed_rad_s = (file: VehicleFile["rotors"], thrust_n: number): number =>
  Math.sqrt(Math.max(0, thrust_n) / file.thrust_coefficient);

/** Power on the shaft: reaction torque times speed. */
export const shaftPower_w = (file: VehicleFile["rotors"], thrust_n: number, speed_rad_s: number): number =>
  file.torque_ratio_m * thrust_n * speed_rad_s;

/**
 * Thrust in ground effect over thrust without (Cheeseman and Bennett 1955), for a rotor `height_m` above a surface;
 * limited where the formula leaves its range (below half a radius).
 */
export function groundEffect(radius_m: number, height_m: number): number {
  const z = Math.max(height_m, radius_m / 2);
  if (z > 4 * radius_m) return 1;
  const share = radius_m / (4 * z);
  return 1 / (1 - share * share);
}

/** A ceiling close above feeds the rotor less air and sucks it up (Sanchez-Cuevas et al. 2017, fitted form). */
export function ceilingEffect(radius_m: number, gap_m: number): number {
  const z = Math.max(gap_m, radius_m / 4);
  if (z > 4 * radius_m) return 1;
  return 1 / (1 - (1 / 16) * (radius_m / z) * (radius_m / z) * 0.5);
}
