import { Group, Vector2 } from "three";
import { enu } from "#contract/frames";
import type { Site } from "#contract/geometry";
import { MeasureModel } from "./measure-model";
import { ObjectsModel } from "./objects-model";
import type { Palette } from "./palette";
import { PlanModel } from "./plan-model";
import type { SeenObject } from "./seen-objects";
import { SiteModel } from "./site-model";
import { TrailModel } from "./trail-model";

const seen: SeenObject = {
  id: "seen",
  label: "",
  state: "seen",
  position_enu_m: enu(0, 0, 0),
  size_m: [0.1, 0.1, 0.1],
  colour: [1, 1, 1],
  baseline_enu_m: enu(0.1, 0, 0),
  displacement_m: 0.1,
  deadband_m: 0.01,
  score: 50,
  moved: true,
  alarm: "stop",
  confidence: null,
  sigma_m: null,
  range_m: null,
  last_seen_at_ms: 0,
};
const wall = {
  id: "wall",
  kind: "box",
  centre_enu_m: enu(0, 0, 0),
  half_m: [1, 0.1, 1],
  yaw_enu_rad: 0,
  colour: [1, 1, 1],
  role: "wall",
} as const;
const site: Site = {
  schema: 1,
  name: "",
  seed: null,
  shapes: [wall, { ...wall, id: "table", role: "furniture" }],
  fence: { min_enu_m: enu(-1, -1, 0), max_enu_m: enu(1, 1, 1) },
  pad_enu_m: enu(0, 0, 0),
};

/**
 * One hidden thing of every kind that may come later. With it all shaders are compiled, off the page's thread, before the
 * first picture: a proposal or a lost object must not freeze the window at the very moment it appears.
 */
export function buildPrimer(palette: Palette): Group {
  const primer = new Group();
  primer.visible = false;
  const at = new Vector2(1, 1);
  const objects = new ObjectsModel(palette);
  objects.set([seen, { ...seen, id: "lost", state: "not_seen" }], "seen");
  const places = new SiteModel(palette);
  places.set(site);
  const plan = new PlanModel(palette);
  const path = [enu(0, 0, 0), enu(1, 0, 0), enu(1, 1, 0)];
  plan.set(
    {
      id: "primer",
      path,
      end: { position_enu_m: enu(1, 1, 0), yaw_enu_rad: 0 },
      clearance_m: 1,
      clearance_state: "pass",
      radius_m: 0.3,
    },
    [wall],
    at,
  );
  const trail = new TrailModel(palette);
  trail.set({ points: path, revision: 0 }, at);
  const measure = new MeasureModel(palette);
  measure.set(path.slice(0, 2), at);
  for (const part of [objects, places, plan, trail, measure]) primer.add(part.group);
  return primer;
}
