import { Random } from "./world/random";
import { aboutAxis, multiply, type Q4, type V3 } from "./world/rigid";

interface Seen {
  readonly position_enu_m: V3;
  readonly quat_flu_enu: Q4;
}

/** How far what the aircraft is told of itself wanders. */
const correlation_s = 0.5;

/**
 * AIR-VLA's disturbance test (section 4, "Gaussian noise injected into the UAV's state"): noise on where the aircraft
 * believes to be and which way it believes to face. The paper gives no size; as an Ornstein-Uhlenbeck process with this
 * correlation time it has the colour of a real hover's wander.
 */
export class BaseNoise {
  readonly #random: Random;
  #sigma_m = 0;
  #sigma_rad = 0;
  /** East, north, up and yaw, each of unit spread. */
  #state: readonly [number, number, number, number] = [0, 0, 0, 0];

  constructor(seed: number) {
    this.#random = new Random(seed, "base noise");
  }

  /** Zero for both is silence. */
  set(sigma_m: number, sigma_rad: number): void {
    this.#sigma_m = sigma_m;
    this.#sigma_rad = sigma_rad;
  }

  apply<T extends Seen>(truth: T, dt_s: number): T {
    if (this.#sigma_m === 0 && this.#sigma_rad === 0) return truth;
    const keep = Math.exp(-dt_s / correlation_s);
    const fresh = Math.sqrt(1 - keep * keep);
    const next = (x: number): number => x * keep + fresh * this.#random.gauss();
    const [e, n, u, yaw] = this.#state;
    this.#state = [next(e), next(n), next(u), next(yaw)];
    const [x, y, z] = truth.position_enu_m;
    return {
      ...truth,
      position_enu_m: [
        x + this.#sigma_m * this.#state[0],
        y + this.#sigma_m * this.#state[1],
        z + this.#sigma_m * this.#state[2],
      ],
      quat_flu_enu: multiply(aboutAxis(2, this.#sigma_rad * this.#state[3]), truth.quat_flu_enu),
    };
  }
}
