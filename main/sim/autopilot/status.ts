import type { Commander } from "./commander";
import type { Estimate } from "./estimator";
import type { Flight } from "./flight";
import type { Origin } from "./geodesy";
import type { Parameters } from "./parameters";
import type { BatteryTruth, VehicleModel } from "./port";
import type { Vec3 } from "./vector";

/** What the telemetry and the protocols read of the vehicle at one moment. */
export interface Status {
  readonly time_us: number;
  readonly estimate: Estimate;
  readonly commander: Commander;
  readonly flight: Flight;
  readonly parameters: Parameters;
  readonly vehicle: VehicleModel;
  readonly origin: Origin;
  /** Without one nothing global is told. */
  readonly origin_known: boolean;
  readonly home: { readonly position: Vec3; readonly yaw_rad: number };
  readonly battery: BatteryTruth;
  readonly consumed_mah: number;
  readonly motors: readonly number[];
  readonly rotor_speed_rad_s: readonly number[] | undefined;
  readonly mission: {
    readonly seq: number;
    readonly count: number;
    readonly id: number;
    readonly state: number;
  };
  readonly fence_id: number;
  readonly rally_id: number;
}
