import type { Estimate } from "./estimator";
import type { Parameters } from "./parameters";
import { lengthXy, sub, type Vec3 } from "./vector";

export type ReturnPhase = "climb" | "travel" | "descend" | "wait" | "land";

/**
 * PX4's return: climb to RTL_RETURN_ALT (not when nearer than RTL_MIN_DIST), travel, descend to RTL_DESCEND_ALT, wait
 * RTL_LAND_DELAY (for ever when negative), land. Heights are above the destination.
 */
export class ReturnFlight {
  phase: ReturnPhase = "climb";
  target: Vec3;
  #since_us = 0;
  readonly #destination: Vec3;
  readonly #p: Parameters;

  constructor(parameters: Parameters, from: Vec3, destination: Vec3) {
    this.#p = parameters;
    this.#destination = destination;
    const near = lengthXy(sub(destination, from)) < parameters.get("RTL_MIN_DIST");
    const top = destination[2] - parameters.get("RTL_RETURN_ALT");
    this.target = [from[0], from[1], near ? from[2] : Math.min(from[2], top)];
  }

  update(estimate: Estimate): void {
    const level = Math.abs(estimate.position[2] - this.target[2]) < this.#p.get("NAV_MC_ALT_RAD");
    const away = lengthXy(sub(this.#destination, estimate.position));
    const [x, y] = this.#destination;
    switch (this.phase) {
      case "climb":
        if (!level) return;
        this.phase = "travel";
        this.target = [x, y, this.target[2]];
        return;
      case "travel": {
        if (!(away < this.#p.get("NAV_ACC_RAD"))) return;
        this.phase = "descend";
        const low = this.#destination[2] - this.#p.get("RTL_DESCEND_ALT");
        this.target = [x, y, Math.max(this.target[2], low)];
        return;
      }
      case "descend":
        if (!level) return;
        this.phase = "wait";
        this.#since_us = estimate.time_us;
        return;
      case "wait": {
        const wait_s = this.#p.get("RTL_LAND_DELAY");
        if (wait_s >= 0 && estimate.time_us - this.#since_us >= wait_s * 1e6) this.phase = "land";
        return;
      }
      case "land":
        return;
    }
  }

  shift(by: Vec3): void {
    this.target = [this.target[0] + by[0], this.target[1] + by[1], this.target[2] + by[2]];
  }
}
