import type { AirframeCamera } from "#contract/airframe";
import { Random } from "../world/random";
import type { Exposure } from "./exposure";

/** Metres per unit of the delivered depth: the D455's default. */
export const depthUnit_m = 0.001;

const tableSize = 1 << 16;
let table: Float32Array | null = null;

/** Standard normal values, shuffled once; a frame walks through them from a drawn place. */
function gaussTable(): Float32Array {
  if (table !== null) return table;
  const random = new Random(20261130, "depth noise");
  table = Float32Array.from({ length: tableSize }, () => random.gauss());
  return table;
}

/** Random bits of a pixel: a hash, so that neighbours and frames are unrelated and any pixel can be asked in any order. */
function hash(x: number, y: number, salt: number): number {
  let h = Math.imul(x + 0x9e37, 0x85ebca6b) ^ Math.imul(y + 0x79b9, 0xc2b2ae35) ^ salt;
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
}

/** One standard deviation of stereo depth at a range (Intel's subpixel form: z^2 s / (f B)), f in pixels of the native mode. */
export function depthSigma_m(camera: AirframeCamera, z_m: number): number {
  return (z_m * z_m * camera.subpixel) / (camera.focal_per_width * camera.native_width * camera.baseline_m);
}

/**
 * What a stereo depth camera makes of true depth: a blind zone and a far limit, noise that grows with range squared and is
 * partly shared by neighbours (matching windows), no reading where only one imager sees the surface, along grazing
 * surfaces, and on dark or shiny ones; now and then a flying pixel at an edge.
 */
export class DepthSensor {
  readonly #camera: AirframeCamera;
  readonly #random: Random;
  #reach = new Float64Array(0);

  constructor(camera: AirframeCamera, seed: number) {
    this.#camera = camera;
    this.#random = new Random(seed, `depth ${camera.name}`);
  }

  /** Fills `into` (one unsigned 16-bit value per pixel, 0 is no measurement). `focal` is of the delivered picture. */
  measure(exposure: Exposure, focal: number, into: Uint16Array): void {
    const { width, height, depth_m, loss, facing } = exposure;
    const [near, far] = this.#camera.depth_range_m;
    const gauss = gaussTable();
    const salt = this.#random.bits();
    const coarse = this.#random.bits();
    const noiseFactor = depthSigma_m(this.#camera, 1);
    const disparity = focal * this.#camera.baseline_m;
    if (this.#reach.length !== width) this.#reach = new Float64Array(width);
    for (let y = 0; y < height; y++) {
      // Leftmost place in the second imager that anything to the right already fills.
      let taken = Number.POSITIVE_INFINITY;
      let lastNear = 0;
      for (let x = width - 1; x >= 0; x--) {
        const i = y * width + x;
        const z = depth_m[i] as number;
        const place = z > 0 ? x - disparity / z : Number.POSITIVE_INFINITY;
        // What lies left of the second imager's picture is seen by one imager only: the blind band of every stereo camera.
        const hidden = place > taken + 0.35 || place < -0.5;
        if (place < taken) {
          taken = place;
          lastNear = z;
        }
        if (!(z >= near && z <= far)) {
          into[i] = 0;
          continue;
        }
        const h = hash(x, y, salt);
        const chance = (h & 0xffff) / 0x10000;
        const grazing = (facing[i] as number) < 0.07;
        let value = z;
        if (hidden) {
          // Mostly nothing; sometimes a value between front and back.
          if (chance > 0.12) {
            into[i] = 0;
            continue;
          }
          value = z + (lastNear - z) * (((h >>> 16) & 0xff) / 255);
        } else if (chance < (loss[i] as number) || (grazing && chance < 0.8) || chance > 0.9985) {
          into[i] = 0;
          continue;
        }
        const own = gauss[h >>> 16] as number;
        const shared = gauss[hash(x >> 2, y >> 2, coarse) >>> 16] as number;
        const noisy = value + noiseFactor * value * value * (0.8 * own + 0.6 * shared);
        const units = Math.round(noisy / depthUnit_m);
        into[i] = units > 0 && units < 65535 ? units : 0;
      }
    }
  }

  save(): ReturnType<Random["save"]> {
    return this.#random.save();
  }

  restore(state: ReturnType<Random["save"]>): void {
    this.#random.restore(state);
  }
}
