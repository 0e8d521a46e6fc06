import type { VehicleFile } from "#contract/airframe";

export interface BatteryState {
  /** Under load, at the terminals. */
  readonly voltage_v: number;
  readonly current_a: number;
  /** State of charge, 0 to 1. */
  readonly remaining: number;
}

/** Open-circuit voltage of one lithium-polymer cell over state of charge: the usual plateau with a steep end. */
const cellCurve: readonly (readonly [number, number])[] = [
  [0, 3.27],
  [0.05, 3.55],
  [0.1, 3.65],
  [0.2, 3.73],
  [0.4, 3.79],
  [0.6, 3.87],
  [0.8, 3.99],
  [0.9, 4.08],
  [1, 4.2],
];

export function cellVoltage_v(remaining: number): number {
  const x = Math.min(1, Math.max(0, remaining));
  for (let i = 1; i < cellCurve.length; i++) {
    const low = cellCurve[i - 1];
    const high = cellCurve[i];
    if (low === undefined || high === undefined || x > high[0]) continue;
    return low[1] + ((x - low[0]) / (high[0] - low[0])) * (high[1] - low[1]);
  }
  return 4.2;
}

/** A pack with internal resistance: draws what the rotors and avionics need and sags under it. */
export function stepBattery(
  file: VehicleFile["battery"],
  state: BatteryState,
  shaft_power_w: number,
  dt_s: number,
): BatteryState {
  const open_v = file.cells * cellVoltage_v(state.remaining);
  const power_w = shaft_power_w / file.efficiency + file.avionics_w;
  // Terminal voltage solves v = open - r * power / v; beyond the pack's maximum power it stays at half.
  const inside = open_v * open_v - 4 * file.resistance_ohm * power_w;
  const voltage_v = inside > 0 ? (open_v + Math.sqrt(inside)) / 2 : open_v / 2;
  const current_a = power_w / voltage_v;
  const used = (current_a * dt_s) / 3600 / file.capacity_ah;
  return { voltage_v, current_a, remaining: Math.max(0, state.remaining - used) };
}

export function fullBattery(file: VehicleFile["battery"], remaining = 1): BatteryState {
  const open_v = file.cells * cellVoltage_v(remaining);
  return { voltage_v: open_v, current_a: file.avionics_w / open_v, remaining };
}
