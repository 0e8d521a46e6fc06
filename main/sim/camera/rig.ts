import type { AirframeCamera, VehicleFile } from "#contract/airframe";
import type { CameraHello } from "#contract/camera-wire";
import { invariant } from "#contract/result";
import type { Layout } from "../world/layout";
import { vehicleBody } from "../world/mjcf";
import { Camera, type CameraState, type FrameOut } from "./camera";
import { drawScene } from "./drawing";
import { Renderer } from "./renderer";
import type { PoseOf } from "./stage";
import { overviewOf, viewOf } from "./still";

export interface CameraSize {
  readonly width: number;
  readonly height: number;
  readonly rate_hz: number;
  /** Which of the vehicle's cameras is the one that everybody gets: left out, its first. */
  readonly mount?: "body" | "wrist";
}

/** The vehicle's camera that stands for this mount; undefined where there is none. */
export function mainCamera(vehicle: VehicleFile, mount: CameraSize["mount"]): AirframeCamera | undefined {
  return mount === undefined ? vehicle.cameras[0] : vehicle.cameras.find((c) => c.parent === mount);
}

/** A third person's camera looks down at the whole place from under its ceiling, from at most this height. */
const overheadMost_m = 5.5;
/** Their pictures are made to see by, at the distances of a room. */
const siteDepth_m: readonly [number, number] = [0.3, 15];

/**
 * All cameras of a scene: the main one, the vehicle's others, and the benchmarks' three: `front-down` on the chassis,
 * `overhead` and `side` in the room. Only the main one is drawn unasked.
 */
export class CameraRig {
  readonly hello: CameraHello;
  readonly main: Camera;
  readonly #others: ReadonlyMap<string, Camera>;

  /** Null on a vehicle without such a camera. */
  static of(layout: Layout, vehicle: VehicleFile, size: CameraSize, poseOf: PoseOf): CameraRig | null {
    const file = mainCamera(vehicle, size.mount);
    if (file === undefined) return null;
    const renderer = new Renderer(drawScene(layout, vehicle), layout.scene, vehicleBody, poseOf);
    return new CameraRig(layout, vehicle, file, renderer, size);
  }

  private constructor(
    layout: Layout,
    vehicle: VehicleFile,
    file: AirframeCamera,
    renderer: Renderer,
    size: CameraSize,
  ) {
    const options = { width: size.width, height: size.height, seed: layout.seed };
    const made = (camera: AirframeCamera, site?: ReturnType<typeof viewOf>): Camera =>
      new Camera(camera, vehicle, renderer, { ...options, ...(site === undefined ? {} : { site }) });
    this.main = made(file);
    const down: AirframeCamera = {
      ...(mainCamera(vehicle, "body") ?? file),
      name: "front-down",
      parent: "body",
      pitch_down_rad: 1.05,
    };
    const { room } = layout.scene;
    const middle = [(room.min[0] + room.max[0]) / 2, (room.min[1] + room.max[1]) / 2] as const;
    const height_m = Math.min(room.max[2] - 0.1, overheadMost_m);
    const across_m = Math.max(room.max[0] - room.min[0], room.max[1] - room.min[1]);
    const overhead = viewOf(
      {
        eye_enu_m: [middle[0], middle[1], height_m],
        // A hair off the vertical: north is up in the picture.
        target_enu_m: [middle[0], middle[1] + 1e-4, room.min[2]],
        fov_rad: Math.min(1.95, 2 * Math.atan(across_m / 2 / height_m)),
      },
      size.width,
      size.height,
    );
    const side = viewOf(overviewOf(layout), size.width, size.height);
    const standing = (name: string, view: ReturnType<typeof viewOf>): Camera =>
      made(
        {
          ...file,
          name,
          focal_per_width: view.intrinsics.fx / Math.max(size.width, Math.round((size.height * 16) / 9)),
          depth_range_m: siteDepth_m,
        },
        view,
      );
    const others = [
      ...vehicle.cameras.filter((c) => c !== file).map((c) => made(c)),
      made(down),
      standing("overhead", overhead),
      standing("side", side),
    ];
    this.#others = new Map(others.map((camera) => [camera.about.camera, camera]));
    const { camera, intrinsics, parent, position_m, quat, depth_range_m } = this.main.about;
    this.hello = {
      kind: "hello",
      camera,
      intrinsics,
      ...(parent === "wrist" ? { parent } : {}),
      mount_position_flu_m: position_m,
      mount_quat: quat,
      depth_range_m,
      clock: "vehicle_boot",
      latency_us: Math.round(this.main.latency_s * 1e6),
      others: others.map((other) => other.about),
    };
  }

  /** A picture of the main camera, or of another by its name: then its header says whose it is. */
  capture(now_s: number, poseOf: PoseOf, depth: boolean, name?: string): FrameOut {
    if (name === undefined) return this.main.capture(now_s, poseOf, depth);
    const camera = this.#others.get(name);
    invariant(camera !== undefined, `a camera "${name}"`);
    const frame = camera.capture(now_s, poseOf, depth);
    return { ...frame, header: { ...frame.header, camera: name } };
  }

  save(): RigState {
    return { main: this.main.save(), others: [...this.#others].map(([name, c]) => [name, c.save()]) };
  }

  restore(state: RigState): void {
    this.main.restore(state.main);
    for (const [name, saved] of state.others) this.#others.get(name)?.restore(saved);
  }
}

export interface RigState {
  readonly main: CameraState;
  readonly others: readonly (readonly [string, CameraState])[];
}
