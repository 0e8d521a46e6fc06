import { type Enu, enu } from "#contract/frames";
import type { FrameReport, TrackedObject } from "#contract/perception";

/** Small seeded generator (mulberry32) with a normal distribution. */
export function dice(seed: number) {
  let a = seed >>> 0;
  const uniform = (): number => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** Depth noise of a stereo camera: Z^2 s / (f B), with f 640 px, B 95 mm, s 0.08 (perception measurements, section E). */
export const depthSigma = (range_m: number): number => (range_m ** 2 * 0.08) / (640 * 0.095);

export interface Thing {
  readonly id: string;
  at: Enu;
  seen: boolean;
  colour?: readonly [number, number, number];
  box_px?: readonly [number, number, number, number];
}

/**
 * Things on a table seen by a hovering vehicle: white noise of the sensor for each, and the vehicle's own pose error for
 * all of them, correlated over half a second as wander is.
 */
export class WatchedScene {
  readonly things: Thing[];
  camera: Enu = enu(0, 0, 1.5);
  /** Standard deviations of the pose error: metres, radians about the vertical. */
  pose_sigma = { shift_m: 0, turn_rad: 0 };
  /** Added to every position, as after a jump of the estimate. */
  frame_shift: Enu = enu(0, 0, 0);
  frame_turn_rad = 0;
  #seq = 0;
  #error = [0, 0, 0, 0];
  readonly #dice;

  constructor(seed: number, count: number) {
    this.#dice = dice(seed);
    this.things = Array.from({ length: count }, (_, i) => ({
      id: `o${i}`,
      at: enu(1.2 + 0.35 * (i % 3), -0.6 + 0.4 * Math.floor(i / 3) + 0.1 * (i % 2), 0.85),
      seen: true,
    }));
  }

  report(at_ms: number, period_ms = 100): FrameReport {
    const decay = Math.exp(-period_ms / 500);
    const push = Math.sqrt(1 - decay ** 2);
    const { shift_m, turn_rad } = this.pose_sigma;
    this.#error = this.#error.map(
      (e, i) => decay * e + push * (i < 3 ? shift_m : turn_rad) * this.#dice.normal(),
    );
    this.#seq += 1;
    return {
      camera: "front",
      seq: this.#seq,
      captured_at_ms: at_ms,
      width: 320,
      height: 240,
      frames_per_s: 1000 / period_ms,
      latency_ms: 20,
      depth_range_m: [0.4, 6],
      localised: true,
      objects: this.things.map((t) => this.#seen(t, at_ms)),
      brightness: 0.5,
      depth_share: 0.8,
      ahead_m: null,
    };
  }

  #seen(thing: Thing, at_ms: number): TrackedObject {
    const [cx, cy, cz] = this.camera;
    const range_m = Math.hypot(thing.at[0] - cx, thing.at[1] - cy, thing.at[2] - cz);
    const sigma_m = Math.hypot(depthSigma(range_m), 0.0016);
    const [ex = 0, ey = 0, ez = 0, turn = 0] = this.#error;
    const angle = turn + this.frame_turn_rad;
    const dx = thing.at[0] - cx;
    const dy = thing.at[1] - cy;
    const n = (): number => sigma_m * this.#dice.normal();
    const position: Enu = enu(
      cx + Math.cos(angle) * dx - Math.sin(angle) * dy + ex + this.frame_shift[0] + n(),
      cy + Math.sin(angle) * dx + Math.cos(angle) * dy + ey + this.frame_shift[1] + n(),
      thing.at[2] + ez + this.frame_shift[2] + n(),
    );
    return {
      id: thing.id,
      label: `thing ${thing.id}`,
      confidence: 0.9,
      seen: thing.seen,
      last_seen_at_ms: at_ms,
      position_enu_m: position,
      size_m: [0.08, 0.08, 0.1],
      sigma_m,
      range_m,
      box_px: thing.seen ? (thing.box_px ?? [100, 80, 30, 40]) : null,
      colour: thing.colour ?? [180, 40, 40],
    };
  }
}
