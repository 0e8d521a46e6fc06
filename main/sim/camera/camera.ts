import type { AirframeCamera, VehicleFile } from "#contract/airframe";
import type { CameraFrame, CameraView } from "#contract/camera-wire";
import type { Intrinsics } from "#contract/perception";
import { linkBody, vehicleBody } from "../world/mjcf";
import { aboutAxis, add, conjugate, multiply, type Q4, subtract, turn, type V3 } from "../world/rigid";
import { DepthSensor, depthUnit_m } from "./depth-sensor";
import type { Exposure } from "./exposure";
import { exposureOf, type Renderer } from "./renderer";
import type { PoseOf } from "./stage";

/** Optical axes (x right, y down, z forward) into FLU. */
const opticalToFlu: Q4 = [0.5, -0.5, 0.5, -0.5];

export interface FrameOut {
  readonly header: CameraFrame;
  /** Colour RGB8 row-major, then depth u16. */
  readonly payload: Uint8Array;
  /** Simulated time at which it may leave the camera. */
  readonly ready_s: number;
}

/** Modes by width: the sensor is 16:9; narrower pictures are cropped from the full width at the same height. */
export function intrinsicsOf(camera: AirframeCamera, width: number, height: number): Intrinsics {
  const full = Math.max(width, Math.round((height * 16) / 9));
  const focal = camera.focal_per_width * full;
  return { width, height, fx: focal, fy: focal, cx: (width - 1) / 2, cy: (height - 1) / 2 };
}

interface CameraOptions {
  readonly width: number;
  readonly height: number;
  readonly seed: number;
  /** A camera that stands in the room: where, and which way, in place of the file's mount. */
  readonly site?: Place;
}

interface Place {
  readonly at: V3;
  readonly quat: Q4;
}

/** One RGB-D camera, on the vehicle or beside it: renders, measures, packs. */
export class Camera {
  /** What it is and where it hangs, as the socket announces it. */
  readonly about: CameraView;
  readonly latency_s: number;
  readonly #file: AirframeCamera;
  /** The body that carries it; null stands still. */
  readonly #parent: string | null;
  readonly #exposure: Exposure;
  readonly #renderer: Renderer;
  readonly #sensor: DepthSensor;
  #seq = 0;

  constructor(file: AirframeCamera, vehicle: VehicleFile, renderer: Renderer, options: CameraOptions) {
    this.#file = file;
    this.latency_s = file.latency_s;
    const last = vehicle.arm?.links.at(-1);
    const wrist = file.parent === "wrist" && last !== undefined;
    const { site, width, height } = options;
    this.#parent = site !== undefined ? null : wrist ? linkBody(last.name) : vehicleBody;
    this.#exposure = exposureOf(width, height);
    this.#renderer = renderer;
    this.#sensor = new DepthSensor(file, options.seed);
    this.about = {
      camera: file.name,
      intrinsics: intrinsicsOf(file, width, height),
      parent: site !== undefined ? "site" : wrist ? "wrist" : "body",
      position_m: site?.at ?? file.position_flu_m,
      quat: site?.quat ?? multiply(aboutAxis(1, file.pitch_down_rad), opticalToFlu),
      depth_range_m: file.depth_range_m,
    };
  }

  #place(poseOf: PoseOf): Place {
    const { position_m, quat } = this.about;
    if (this.#parent === null) return { at: position_m, quat };
    const body = poseOf(this.#parent);
    return { at: add(body.at, turn(body.quat, position_m)), quat: multiply(body.quat, quat) };
  }

  /** In the body's frame, for a camera that moves against it. */
  #mount(place: Place, poseOf: PoseOf): NonNullable<CameraFrame["mount"]> {
    const body = poseOf(vehicleBody);
    const back = conjugate(body.quat);
    return {
      position_flu_m: turn(back, subtract(place.at, body.at)),
      quat: multiply(back, place.quat),
    };
  }

  /** Exposes now. The payload is fresh memory: it may be sent while the next frame is drawn. */
  capture(now_s: number, poseOf: PoseOf, depth = true): FrameOut {
    const { intrinsics, parent } = this.about;
    const { width, height } = intrinsics;
    const place = this.#place(poseOf);
    this.#renderer.render({ ...place, intrinsics }, this.#exposure);
    const colour = width * height * 3;
    // The depth half must start on an even byte to be viewed as 16-bit values; colour has an even size for even widths.
    const payload = new Uint8Array(colour + width * height * 2);
    payload.set(this.#exposure.colour);
    const measured = new Uint16Array(payload.buffer, colour, width * height);
    if (depth) this.#sensor.measure(this.#exposure, intrinsics.fx, measured);
    this.#seq++;
    return {
      header: {
        kind: "frame",
        seq: this.#seq,
        captured_us: Math.round(now_s * 1e6),
        exposure_us: Math.round(this.#file.exposure_s * 1e6),
        width,
        height,
        depth_unit_m: depthUnit_m,
        ...(parent === "wrist" ? { mount: this.#mount(place, poseOf) } : {}),
      },
      payload,
      ready_s: now_s + this.latency_s,
    };
  }

  save(): CameraState {
    return { seq: this.#seq, noise: this.#sensor.save() };
  }

  restore(state: CameraState): void {
    this.#seq = state.seq;
    this.#sensor.restore(state.noise);
  }
}

export interface CameraState {
  readonly seq: number;
  readonly noise: ReturnType<DepthSensor["save"]>;
}
