import {
  DirectionalLight,
  HemisphereLight,
  type Intersection,
  Raycaster,
  Scene,
  Vector2,
  type WebGLRenderer,
} from "three";
import type { VehicleFile } from "#contract/airframe";
import type { Enu } from "#contract/frames";
import type { PageTime } from "../../bridge/time";
import type { Airframe } from "./airframe";
import { airframeFor } from "./airframe-file";
import type { CameraRig } from "./camera-rig";
import { disposeTree } from "./dispose";
import type { Solid, Tightest } from "./distances";
import { Fence } from "./fence";
import { FenceEditorModel } from "./fence-editor-model";
import { Floor } from "./floor";
import { FrustumModel } from "./frustum-model";
import { GpuFence } from "./gpu-fence";
import { MeasureModel } from "./measure-model";
import { ObjectsModel } from "./objects-model";
import type { Palette } from "./palette";
import { PathsModel } from "./paths-model";
import { PlanModel } from "./plan-model";
import type { TimedPose } from "./pose-buffer";
import { buildPrimer } from "./primer";
import { compileAside, createDrawing, pixelRatio } from "./renderer";
import { SiteModel } from "./site-model";
import { TrailModel } from "./trail-model";
import { TruthModel } from "./truth-model";
import { siteBox, type TwinState } from "./twin-state";
import { vehicleMaterials } from "./vehicle-materials";

/** A shadow pass costs a processor about as much as a picture. */
const shadow_pause_ms = 240;

type Picture = OffscreenCanvas | HTMLCanvasElement;

/** One WebGL context and all that is drawn in it. Thrown away and built anew, from plain state, when the context is lost. */
export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly #renderer: WebGLRenderer;
  readonly #software: boolean;
  readonly #sent: GpuFence;
  #shadow_at_ms = Number.NEGATIVE_INFINITY;
  #shadow_old = true;
  readonly #scene = new Scene();
  readonly #sun = new DirectionalLight("#fff6ea", 1.9);
  readonly #palette: Palette;
  #vehicle: Airframe;
  readonly #site: SiteModel;
  readonly #floor: Floor;
  readonly #fence: Fence;
  readonly #objects: ObjectsModel;
  readonly #plan: PlanModel;
  readonly #trail: TrailModel;
  readonly #paths: PathsModel;
  readonly #frustum: FrustumModel;
  readonly #measure: MeasureModel;
  /** The spectator's layer. */
  readonly truth: TruthModel;
  readonly #editing: FenceEditorModel;
  readonly #resolution = new Vector2(1, 1);
  readonly #ray = new Raycaster();
  #drawn: TwinState | null = null;

  constructor(host: HTMLElement, palette: Palette) {
    this.canvas = host.ownerDocument.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    const { renderer, software } = createDrawing(this.canvas);
    this.#renderer = renderer;
    this.#sent = new GpuFence(renderer.getContext());
    this.#software = software;
    host.prepend(this.canvas);
    this.#palette = palette;
    this.#vehicle = airframeFor(null, vehicleMaterials(palette), true);
    this.#vehicle.group.visible = false;
    this.#site = new SiteModel(palette);
    this.#floor = new Floor(palette);
    this.#fence = new Fence(palette);
    this.#objects = new ObjectsModel(palette);
    this.#plan = new PlanModel(palette);
    this.#trail = new TrailModel(palette);
    this.#paths = new PathsModel(palette);
    this.#frustum = new FrustumModel(palette);
    this.#measure = new MeasureModel(palette);
    this.truth = new TruthModel(palette);
    this.#editing = new FenceEditorModel(palette);
    this.#vehicle.group.add(this.#frustum.group);
    this.#light(palette.ambient);
    for (const part of [
      this.#floor,
      this.#site,
      this.#fence,
      this.#objects,
      this.#trail,
      this.#paths,
      this.#plan,
      this.#measure,
      this.#editing,
      this.truth,
    ])
      this.#scene.add(part.group);
    this.#scene.add(this.#vehicle.group, buildPrimer(palette));
  }

  /** Compiles every shader without stopping the page; nothing should be drawn before. */
  compile(rig: CameraRig, time: Pick<PageTime, "after">): Promise<void> {
    return compileAside(this.#renderer, this.#scene, rig.camera, time);
  }

  get tightest(): Tightest | null {
    return this.#plan.tightest;
  }

  resize(width: number, height: number, pixel_ratio: number): void {
    this.#renderer.setPixelRatio(pixelRatio(width, height, pixel_ratio, this.#software));
    this.#renderer.setSize(width, height, false);
    this.#resolution.set(width, height);
    for (const lines of [this.#plan, this.#trail, this.#paths, this.#measure, this.#editing])
      lines.resize(this.#resolution);
  }

  /** Puts another aircraft in the place of the one that is drawn. */
  #wear(file: VehicleFile | null): void {
    const before = this.#vehicle.group;
    this.#vehicle = airframeFor(file, vehicleMaterials(this.#palette), true);
    this.#vehicle.group.visible = before.visible;
    this.#vehicle.group.add(this.#frustum.group);
    this.#scene.add(this.#vehicle.group);
    this.#plan.wear(file);
    disposeTree(before);
  }

  /** Brings the scene up to date with the state; only what differs is built. */
  apply(state: TwinState): void {
    const old = this.#drawn;
    this.#drawn = state;
    if ((old?.airframe?.id ?? null) !== (state.airframe?.id ?? null)) this.#wear(state.airframe);
    if (old === null || state.site !== old.site) {
      this.#site.set(state.site);
      this.#floor.set(siteBox(state.site));
      this.#fence.set(state.site?.fence ?? null);
      this.#aimSun(state);
    }
    if (old === null || state.objects !== old.objects || state.selected !== old.selected)
      this.#objects.set(state.objects, state.selected);
    if (old === null || state.plan !== old.plan)
      this.#plan.set(state.plan, solidsOf(state), this.#resolution);
    if (old === null || state.trail !== old.trail) this.#trail.set(state.trail, this.#resolution);
    if (old === null || state.paths !== old.paths) this.#paths.set(state.paths, this.#resolution);
    if (old === null || state.measure !== old.measure) this.#measure.set(state.measure, this.#resolution);
    if (old === null || state.editing !== old.editing) this.#editing.set(state.editing, this.#resolution);
    if (old === null || state.lens !== old.lens) this.#frustum.setLens(state.lens);
    this.#fence.group.visible = state.layers.fence;
    this.#trail.group.visible = state.layers.trail;
    this.#paths.group.visible = state.layers.trail;
    this.#frustum.visible = state.layers.camera;
    this.#shadow_old = true;
  }

  setPicture(picture: Picture | null): void {
    this.#frustum.setPicture(picture);
  }

  pose(pose: TimedPose | null, rotor_angle_rad: number, spinning: boolean): void {
    const { group } = this.#vehicle;
    group.visible = pose !== null;
    if (pose === null) return;
    const [w, x, y, z] = pose.quat_flu_enu;
    group.position.fromArray(pose.position_enu_m);
    group.quaternion.set(x, y, z, w);
    this.#vehicle.spin(rotor_angle_rad, spinning);
    this.#fence.approach(pose.position_enu_m);
    this.#shadow_old = true;
  }

  draw(rig: CameraRig, now_ms: number): void {
    // A context is lost some time before its event says so.
    if (this.#renderer.getContext().isContextLost()) return;
    if (this.#shadow_old && (!this.#software || now_ms - this.#shadow_at_ms >= shadow_pause_ms)) {
      this.#renderer.shadowMap.needsUpdate = true;
      this.#shadow_old = false;
      this.#shadow_at_ms = now_ms;
    }
    this.#site.cull(rig.camera.position);
    // Through its own camera, the vehicle and its view volume would only be in the way.
    const eye = rig.view === "eye";
    this.#frustum.group.visible = !eye;
    this.#plan.showBody(!eye, this.#vehicle.group);
    this.#renderer.render(this.#scene, rig.camera);
    this.#sent.set();
  }

  /** The graphics process has not finished the last picture; another would only queue up behind it. */
  get busy(): boolean {
    return this.#sent.pending();
  }

  /** What lies under a point of the picture (-1 to 1, y up): an object's id, and the surface point. */
  pick(x: number, y: number, rig: CameraRig): { object: string | null; point: Enu } | null {
    this.#ray.setFromCamera(new Vector2(x, y), rig.camera);
    const groups = [this.#objects.group, this.#site.group, this.#floor.group];
    const hits = this.#ray.intersectObjects(groups, true);
    const hit = hits.find((h) => solidHit(h));
    if (hit === undefined) return null;
    const object: unknown = hit.object.userData["object"];
    return {
      object: typeof object === "string" ? object : null,
      point: [hit.point.x, hit.point.y, hit.point.z],
    };
  }

  dispose(): void {
    disposeTree(this.#scene);
    this.#sun.shadow.dispose();
    this.#renderer.dispose();
    if (!this.#renderer.getContext().isContextLost()) this.#renderer.forceContextLoss();
    this.canvas.remove();
  }

  #light(ambient: number): void {
    const sky = new HemisphereLight("#e4edf6", "#39424c", ambient * 2.1);
    sky.position.set(0, 0, 1);
    const fill = new DirectionalLight("#a9c4e0", 0.7);
    fill.position.set(-4, 5, 3);
    this.#sun.castShadow = true;
    this.#sun.shadow.mapSize.setScalar(this.#software ? 1024 : 2048);
    this.#sun.shadow.bias = -0.0004;
    this.#sun.shadow.normalBias = 0.012;
    this.#sun.shadow.radius = 4;
    this.#sun.shadow.intensity = 0.62;
    this.#scene.add(sky, fill, this.#sun, this.#sun.target);
  }

  #aimSun(state: TwinState): void {
    const { min, max } = siteBox(state.site);
    const [cx, cy] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
    const reach = Math.hypot(max[0] - min[0], max[1] - min[1]) / 2;
    this.#sun.position.set(cx + 1.8, cy - 2.6, 7.5);
    this.#sun.target.position.set(cx, cy, 0);
    const view = this.#sun.shadow.camera;
    view.left = -reach;
    view.right = reach;
    view.top = reach;
    view.bottom = -reach;
    view.near = 0.5;
    view.far = 16;
    view.updateProjectionMatrix();
  }
}

const solidHit = (hit: Intersection): boolean =>
  hit.object.visible && ("object" in hit.object.userData || "solid" in hit.object.userData);

/** What the path must keep clear of: everything known to stand there, and everything seen. */
function solidsOf(state: TwinState): readonly Solid[] {
  const known = (state.site?.shapes ?? []).filter((s) => s.role !== "floor" && s.role !== "pad");
  const seen = state.objects
    .filter((o) => o.state !== "exempt")
    .map((o): Solid => {
      const [x, y, z] = o.size_m;
      return {
        id: o.label,
        kind: "box",
        centre_enu_m: o.position_enu_m,
        half_m: [x / 2, y / 2, z / 2],
        yaw_enu_rad: 0,
      };
    });
  return [...known, ...seen];
}
