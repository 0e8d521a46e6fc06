import type { PoseYaw } from "#contract/geometry";
import type { FlightMode, VehicleState } from "#contract/vehicle";
import { initialJumpWatch, watchJump } from "./jump";
import { askedFor, askedToArm, initialModeWatch, type ModeStep, watchMode } from "./mode-watch";

/** How long a lingering arm request may still arm the vehicle after its skill was stopped. */
const stray_arm_ms = 5000;

/** What dispatch notices on the vehicle between two ticks: other hands on it, and jumps of its position estimate. */
export class FlightWatch {
  #modes = initialModeWatch;
  #jumps = initialJumpWatch;

  asked(mode: FlightMode, now_ms: number): void {
    this.#modes = askedFor(this.#modes, mode, now_ms);
  }
  askedToArm(now_ms: number): void {
    this.#modes = askedToArm(this.#modes, now_ms);
  }
  /** Nothing that was asked for before counts any more. */
  forget(): void {
    this.#modes = { ...this.#modes, asked: [], arm_asked_at_ms: null };
  }

  /** The vehicle has armed on the ground by a request whose skill is gone; told once. */
  strayArm(vehicle: VehicleState, now_ms: number): boolean {
    const asked_ms = this.#modes.arm_asked_at_ms;
    const stray =
      vehicle.armed &&
      vehicle.landed === "on_ground" &&
      asked_ms !== null &&
      now_ms - asked_ms <= stray_arm_ms;
    if (stray) this.#modes = { ...this.#modes, arm_asked_at_ms: null };
    return stray;
  }

  step(
    vehicle: VehicleState,
    engaged: boolean,
    now_ms: number,
  ): { taken: ModeStep["taken"]; jump: PoseYaw | null } {
    const { watch, taken } = watchMode(this.#modes, vehicle, engaged, now_ms);
    this.#modes = watch;
    const { watch: jumps, jump } = watchJump(this.#jumps, vehicle, now_ms);
    this.#jumps = jumps;
    return { taken, jump: vehicle.armed ? jump : null };
  }
}
