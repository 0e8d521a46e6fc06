import type { VisionPose } from "./estimator";
import { list, num } from "./fields";
import type { Incoming } from "./port";
import { yawOf } from "./vector";

/** MAV_FRAME_LOCAL_NED and MAV_FRAME_LOCAL_FRD, the frames PX4 takes an external pose in. */
const localFrames: ReadonlySet<number> = new Set([1, 20]);

/** The pose in an ODOMETRY or VISION_POSITION_ESTIMATE message; null for other messages (ATT_POS_MOCAP too) and frames. */
export function visionPose(m: Incoming): VisionPose | null {
  const reset_counter = num(m, "reset_counter");
  const position = [num(m, "x"), num(m, "y"), num(m, "z")] as const;
  if (m.name === "VISION_POSITION_ESTIMATE") return { position, yaw_rad: num(m, "yaw"), reset_counter };
  if (m.name !== "ODOMETRY" || !localFrames.has(num(m, "frame_id"))) return null;
  const [w = Number.NaN, x = 0, y = 0, z = 0] = list(m, "q");
  return { position, yaw_rad: yawOf([w, x, y, z]), reset_counter };
}
