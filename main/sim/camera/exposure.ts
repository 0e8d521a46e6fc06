import type { Intrinsics } from "#contract/perception";
import type { Q4, V3 } from "../world/rigid";

/** One exposure before the sensor's faults: colour in sRGB bytes, depth along the optical axis in metres (0: nothing). */
export interface Exposure {
  readonly width: number;
  readonly height: number;
  readonly colour: Uint8Array;
  readonly depth_m: Float32Array;
  /** Share of depth readings this surface loses, and the cosine between surface and ray. */
  readonly loss: Float32Array;
  readonly facing: Float32Array;
}

/** Where a picture is taken from: the lens in the world, and the optical axes (x right, y down, z forward) in the world. */
export interface View {
  readonly at: V3;
  readonly quat: Q4;
  readonly intrinsics: Intrinsics;
}
