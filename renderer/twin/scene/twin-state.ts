import type { VehicleFile } from "#contract/airframe";
import type { Enu } from "#contract/frames";
import type { Site } from "#contract/geometry";
import type { Lens } from "#contract/perception";
import type { Units } from "../../ui/format";
import type { DrawnPlan } from "./fence-editor-model";
import { defaultLens } from "./lens";
import type { Plan } from "./plan-model";
import type { SeenObject } from "./seen-objects";
import { emptyTrail, type Trail } from "./trail";
import type { Box } from "./views";

export interface DrawnPath {
  readonly points: readonly Enu[];
  readonly role: "setpoint" | "estimate" | "truth";
}

export interface Layers {
  readonly fence: boolean;
  readonly labels: boolean;
  readonly camera: boolean;
  readonly trail: boolean;
}

/** Everything the twin draws except the pose and the picture, which come at their own rates. Plain data: a lost canvas is rebuilt from it. */
export interface TwinState {
  readonly site: Site | null;
  /** What flies, where it is known. */
  readonly airframe: VehicleFile | null;
  readonly objects: readonly SeenObject[];
  readonly selected: string | null;
  readonly plan: Plan | null;
  readonly trail: Trail;
  /** Other paths than the flown one: what was told, believed by another estimator, or true. */
  readonly paths: readonly DrawnPath[];
  readonly lens: Lens;
  readonly armed: boolean;
  readonly in_air: boolean;
  readonly measure: readonly Enu[];
  /** Fence, mission and rally points that are being edited; null outside of their editor. */
  readonly editing: DrawnPlan | null;
  readonly layers: Layers;
  readonly units: Units;
  readonly now_ms: number;
}

export const emptyTwinState: TwinState = {
  site: null,
  airframe: null,
  objects: [],
  selected: null,
  plan: null,
  trail: emptyTrail,
  paths: [],
  lens: defaultLens,
  armed: false,
  in_air: false,
  measure: [],
  editing: null,
  layers: { fence: true, labels: true, camera: true, trail: true },
  units: "metric",
  now_ms: 0,
};

const unknown_site: Box = { min: [-4, -4, 0], max: [4, 4, 3] };

/** The room to show: the floor where the site has one, else the fence, else eight metres about the origin. */
export function siteBox(site: Site | null): Box {
  if (site === null) return unknown_site;
  const { min_enu_m, max_enu_m } = site.fence;
  const floor = site.shapes.find((s) => s.role === "floor");
  if (floor === undefined) return { min: [min_enu_m[0], min_enu_m[1], 0], max: max_enu_m };
  const [x, y] = floor.centre_enu_m;
  const [hx, hy] = floor.half_m;
  // A physics floor may reach to the horizon; show no more than a metre beyond the fence.
  return {
    min: [Math.max(x - hx, min_enu_m[0] - 1), Math.max(y - hy, min_enu_m[1] - 1), 0],
    max: [Math.min(x + hx, max_enu_m[0] + 1), Math.min(y + hy, max_enu_m[1] + 1), max_enu_m[2]],
  };
}
