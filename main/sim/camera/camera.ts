import type { AirframeCamera, VehicleFile } from "#contract/airframe";
import type { CameraFrame, CameraHello } from "#contract/camera-wire";
import type { Intrinsics } from "#contract/perception";
import { linkBody, vehicleBody } from "../world/mjcf";
import { aboutAxis, add, multiply, type Q4, turn } from "../world/rigid";
import { DepthSensor, depthUnit_m } from "./depth-sensor";
import type { Exposure, View } from "./exposure";
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

/** One RGB-D camera on the vehicle: renders, measures, packs. */
export class Camera {
  readonly hello: CameraHello;
  readonly #file: AirframeCamera;
  readonly #parent: string;
  readonly #mount: Q4;
  readonly #exposure: Exposure;
  readonly #renderer: Renderer;
  readonly #sensor: DepthSensor;
  #seq = 0;

  constructor(
    file: AirframeCamera,
    vehicle: VehicleFile,
    renderer: Renderer,
    options: { readonly width: number; readonly height: number; readonly seed: number },
  ) {
    this.#file = file;
    const last = vehicle.arm?.links.at(-1);
    this.#parent = file.parent === "wrist" && last !== undefined ? linkBody(last.name) : vehicleBody;
    this.#mount = multiply(aboutAxis(1, file.pitch_down_rad), opticalToFlu);
    this.#exposure = exposureOf(options.width, options.height);
    this.#renderer = renderer;
    this.#sensor = new DepthSensor(file, options.seed);
    this.hello = {
      kind: "hello",
      camera: file.name,
      intrinsics: intrinsicsOf(file, options.width, options.height),
      mount_position_flu_m: file.position_flu_m,
      mount_quat: this.#mount,
      depth_range_m: file.depth_range_m,
      clock: "vehicle_boot",
    };
  }

  view(poseOf: PoseOf): View {
    const body = poseOf(this.#parent);
    return {
      at: add(body.at, turn(body.quat, this.#file.position_flu_m)),
      quat: multiply(body.quat, this.#mount),
      intrinsics: this.hello.intrinsics,
    };
  }

  /** Exposes now. The payload is fresh memory: it may be sent while the next frame is drawn. */
  capture(now_s: number, poseOf: PoseOf, depth = true): FrameOut {
    const { width, height } = this.hello.intrinsics;
    this.#renderer.render(this.view(poseOf), this.#exposure);
    const colour = width * height * 3;
    // The depth half must start on an even byte to be viewed as 16-bit values; colour has an even size for even widths.
    const payload = new Uint8Array(colour + width * height * 2);
    payload.set(this.#exposure.colour);
    const measured = new Uint16Array(payload.buffer, colour, width * height);
    if (depth) this.#sensor.measure(this.#exposure, this.hello.intrinsics.fx, measured);
    this.#seq++;
    return {
      header: {
        kind: "frame",
        seq: this.#seq,
        captured_us: Math.round(now_s * 1e6),
        width,
        height,
        depth_unit_m: depthUnit_m,
      },
      payload,
      ready_s: now_s + this.#file.latency_s,
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
