import type { PoseYaw, Site } from "#contract/geometry";
import type { Limits, SafetyState } from "#contract/safety";
import type { VehicleState } from "#contract/vehicle";

/** Who flies. Only an explicit hand-back brings it back to "station". */
export type Control = "station" | "pilot" | "vehicle_failsafe";

/** Everything a proposal is judged against, fresh at the moment of judging. */
export interface JudgeContext {
  readonly vehicle: VehicleState;
  /** Null when no site is loaded: refused on hardware, a caution in simulation. */
  readonly site: Site | null;
  readonly limits: Limits;
  readonly safety: SafetyState;
  /** Newest picture that perception has worked through. "none" when no camera is connected at all. */
  readonly observation: {
    readonly camera: "live" | "none";
    readonly captured_at_ms: number | null;
    /** Newest picture with depth in it; null when there was none yet. Absent where pictures have no depth to lose. */
    readonly depth_at_ms?: number | null;
  };
  /** Setpoint that dispatch is holding; moves chain from it. */
  readonly hold: PoseYaw | null;
  readonly control: Control;
  /** The other end is a simulator, embedded or declared. */
  readonly simulation: boolean;
}
