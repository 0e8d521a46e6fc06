import { type Enu, ned, type QuatFrdNed, quatFrdNedToFluEnu, wrapPi } from "#contract/frames";
import type { CameraPicture } from "#contract/ipc";
import type { FrameReport } from "#contract/perception";
import type { SafetyState } from "#contract/safety";
import type { VehicleState } from "#contract/vehicle";
import type { Received } from "../link/port";
import { PerceptionClient, type SeenFrame } from "../perception/client";
import type { Clock } from "../platform/clock";
import {
  commonShift,
  initialDisplacement,
  rebaseline,
  safetyView,
  stepDisplacement,
} from "../safety/displacement";
import { pointToSite, quatToSite, type SiteTransform } from "../vehicle/site-transform";

export interface SightOptions {
  readonly clock: Clock;
  /** Where the vehicle is and how it moves: the monitor allows for it. */
  readonly vehicle: () => VehicleState;
  readonly onSeen: (seen: SeenFrame, safety: SafetyState) => void;
  readonly onProblem: (text: string) => void;
}

/** Fewer pixels with depth than this are noise, not sight. */
const depth_share_min = 0.02;

/**
 * What is seen: the perception process, and the displacement monitor on its reports. In simulated time frames wait
 * until the step's telemetry has been handled, so that one seed gives one order.
 */
export class Sight {
  readonly #options: SightOptions;
  #client: PerceptionClient | null = null;
  #state = initialDisplacement;
  #report: FrameReport | null = null;
  #depth_at_ms: number | null = null;
  #lockstep = false;
  #queued: SeenFrame[] = [];
  #delivered = 0;
  #heading: { readonly yaw_enu_rad: number; readonly at_ms: number } | null = null;

  constructor(options: SightOptions) {
    this.#options = options;
  }

  get report(): FrameReport | null {
    return this.#report;
  }
  /** Exposure of the newest picture with depth in it. */
  get depth_at_ms(): number | null {
    return this.#depth_at_ms;
  }
  get connected(): boolean {
    return this.#client !== null;
  }
  get commonShift_m(): number {
    return commonShift(this.#state);
  }
  safety(): SafetyState {
    return safetyView(this.#state, this.#options.clock.now_ms());
  }

  open(socket: string, lockstep: boolean): void {
    this.#lockstep = lockstep;
    this.#client = new PerceptionClient({
      socket,
      lockstep,
      clock: this.#options.clock,
      onFrame: (seen) => {
        if (lockstep) this.#queued.push(seen);
        else this.#see(seen);
      },
      onProblem: this.#options.onProblem,
    });
  }

  /** Telemetry that says where the camera was, through the transform that held when it was believed. */
  pose(received: Received, boot_ms: number, offset_ms: number, site: SiteTransform): void {
    const f = received.fields;
    const of = (name: string): number => {
      const value = f[name];
      return typeof value === "number" ? value : Number.NaN;
    };
    if (received.name === "LOCAL_POSITION_NED") {
      const position: Enu = pointToSite(site, ned(of("x"), of("y"), of("z")));
      if (position.every(Number.isFinite)) this.#client?.position(boot_ms, position, offset_ms);
    } else {
      const q: QuatFrdNed = [of("q1"), of("q2"), of("q3"), of("q4")];
      if (q.every(Number.isFinite)) this.#client?.attitude(boot_ms, quatToSite(site, quatFrdNedToFluEnu(q)));
    }
  }

  /**
   * Simulated time: every frame but the newest has been worked through. A report arrives one frame late, as on a real
   * machine, so that perception works while the vehicle flies on; by count, not by chance, so that runs are equal.
   */
  async whenFrames(total: number, boot_ms: number): Promise<void> {
    if (this.#client === null || !this.#lockstep) return;
    this.#client.until(boot_ms);
    const due = total - 1;
    if (due <= this.#delivered) return;
    await this.#client.whenAnswered(due);
    const ready = this.#queued.splice(0, due - this.#delivered);
    this.#delivered = due;
    for (const seen of ready) this.#see(seen);
  }

  /** Where things stand now is where they belong: said by a person. */
  rebaseline(): void {
    this.#state = rebaseline(this.#state, null);
  }

  async close(): Promise<void> {
    await this.#client?.close();
    this.#client = null;
    this.#state = initialDisplacement;
    this.#report = null;
    this.#depth_at_ms = null;
    this.#queued = [];
    this.#delivered = 0;
  }

  /** Mean turn rate since the frame before. */
  #yawRate({ yaw_enu_rad, attitude_at_ms }: VehicleState): number {
    const before = this.#heading;
    if (yaw_enu_rad === null || attitude_at_ms === null) return 0;
    this.#heading = { yaw_enu_rad, at_ms: attitude_at_ms };
    if (before === null || !(attitude_at_ms > before.at_ms)) return 0;
    return Math.abs(wrapPi(yaw_enu_rad - before.yaw_enu_rad)) / ((attitude_at_ms - before.at_ms) / 1000);
  }

  #see(seen: SeenFrame): void {
    this.#report = seen.report;
    if (seen.report.depth_share >= depth_share_min) this.#depth_at_ms = seen.report.captured_at_ms;
    const vehicle = this.#options.vehicle();
    this.#state = stepDisplacement(this.#state, seen.report, this.#options.clock.now_ms(), {
      reset_counter: vehicle.reset_counter,
      ...(vehicle.position_enu_m === null ? {} : { position_enu_m: vehicle.position_enu_m }),
      yaw_rate_rad_s: this.#yawRate(vehicle),
      ...(vehicle.velocity_enu_m_s === null ? {} : { velocity_enu_m_s: vehicle.velocity_enu_m_s }),
    });
    this.#options.onSeen(seen, this.safety());
  }
}

export const picture = ({ report, colour_jpeg, depth_jpeg }: SeenFrame): CameraPicture => ({
  camera: report.camera,
  seq: report.seq,
  captured_at_ms: report.captured_at_ms,
  colour_jpeg,
  depth_jpeg,
});
