import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { type Enu, eulerFluEnu, wrapPi } from "#contract/frames";
import type { Lens } from "#contract/perception";
import { lensAxes, lensFov } from "./lens";
import type { TimedPose } from "./pose-buffer";
import {
  type Box,
  blend,
  eyeSight,
  followSight,
  frameSight,
  type Sight,
  sideSight,
  topSight,
  type ViewName,
} from "./views";

export interface RigScene {
  readonly pose: TimedPose | null;
  readonly box: Box;
  readonly lens: Lens;
  /** Distance of the follow view. */
  readonly follow_m: number;
}

const move_ms = 320;
const yaw_settle_ms = 700;

/**
 * The observer. Follow keeps the operator's own angle while it travels and turns with the vehicle; top, side and eye are
 * fixed views; dragging in a fixed view makes it free. Orbit controls listen on `host`, which outlives a lost canvas.
 */
export class CameraRig {
  readonly camera = new PerspectiveCamera(42, 1, 0.03, 80);
  readonly controls: OrbitControls;
  #view: ViewName = "follow";
  #move: { readonly from: Sight; readonly to: () => Sight; readonly since_ms: number } | null = null;
  #yaw_rad: number | null = null;
  #last_ms = 0;
  #dragging = false;
  readonly #onView: (view: ViewName) => void;
  readonly #still: boolean;

  constructor(host: HTMLElement, still: boolean, onView: (view: ViewName) => void, onChange: () => void) {
    this.#onView = onView;
    this.#still = still;
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(-3, -3, 2.6);
    this.controls = new OrbitControls(this.camera, host);
    this.controls.enableDamping = !still;
    this.controls.dampingFactor = 0.14;
    this.controls.minDistance = 0.25;
    this.controls.maxDistance = 30;
    this.controls.maxPolarAngle = Math.PI * 0.92;
    this.controls.target.set(0, 0, 1);
    this.controls.addEventListener("change", onChange);
    this.controls.addEventListener("start", () => {
      this.#dragging = true;
      this.#move = null;
      if (this.#view === "top" || this.#view === "side") this.#rename("free");
    });
    this.controls.addEventListener("end", () => {
      this.#dragging = false;
    });
  }

  get view(): ViewName {
    return this.#view;
  }

  setView(view: ViewName, scene: RigScene, now_ms: number): void {
    this.#rename(view);
    this.#yaw_rad = null;
    this.controls.enabled = view !== "eye";
    if (view === "free") {
      this.#leaveEye();
      return;
    }
    this.#glide(() => this.#sightOf(view, scene) ?? this.#sight(), now_ms);
  }

  /** Brings a point and its surroundings into the picture; the view becomes free. */
  frame(about: Enu, radius_m: number, now_ms: number): void {
    this.#leaveEye();
    this.#rename("free");
    this.controls.enabled = true;
    const to = frameSight(this.#sight(), about, radius_m);
    this.#glide(() => to, now_ms);
  }

  /** Keyboard: turn by radians, or come nearer by a factor. */
  nudge(turn_rad: number, raise_rad: number, zoom: number): void {
    if (this.#view === "eye") return;
    if (this.#view === "top" || this.#view === "side") this.#rename("free");
    this.#move = null;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const level = Math.hypot(offset.x, offset.y);
    const azimuth = Math.atan2(offset.y, offset.x) + turn_rad;
    const elevation = Math.min(1.5, Math.max(-1.2, Math.atan2(offset.z, level) + raise_rad));
    const far = Math.min(30, Math.max(0.25, offset.length() * zoom));
    this.camera.position
      .set(
        Math.cos(azimuth) * Math.cos(elevation),
        Math.sin(azimuth) * Math.cos(elevation),
        Math.sin(elevation),
      )
      .multiplyScalar(far)
      .add(this.controls.target);
    this.controls.update();
  }

  /** Moves the camera for this frame; true when the next frame would differ. */
  update(scene: RigScene, aspect: number, now_ms: number): boolean {
    const dt_ms = Math.min(100, now_ms - this.#last_ms);
    this.#last_ms = now_ms;
    if (aspect !== this.camera.aspect) {
      this.camera.aspect = aspect;
      this.camera.updateProjectionMatrix();
    }
    if (this.#move !== null) return this.#glideOn(now_ms);
    if (this.#view === "eye") {
      const sight = this.#sightOf("eye", scene);
      if (sight !== null) this.#look(sight);
      return false;
    }
    if (this.#view === "follow" && scene.pose !== null) this.#follow(scene.pose, dt_ms);
    return this.controls.update();
  }

  dispose(): void {
    this.controls.dispose();
  }

  #follow(pose: TimedPose, dt_ms: number): void {
    const { yaw_rad } = eulerFluEnu(pose.quat_flu_enu);
    const target = new Vector3(...followSight(pose.position_enu_m, pose.quat_flu_enu).target_enu_m);
    const shift = target.clone().sub(this.controls.target);
    this.controls.target.copy(target);
    this.camera.position.add(shift);
    const before = this.#yaw_rad ?? yaw_rad;
    const share = this.#dragging ? 0 : 1 - Math.exp(-dt_ms / yaw_settle_ms);
    const turn = wrapPi(yaw_rad - before) * share;
    this.#yaw_rad = before + turn;
    const around = new Vector3(0, 0, 1);
    this.camera.position.sub(target).applyAxisAngle(around, turn).add(target);
  }

  #glide(to: () => Sight, now_ms: number): void {
    if (this.#still) {
      this.#look(to());
      this.controls.update();
      return;
    }
    this.#move = { from: this.#sight(), to, since_ms: now_ms };
  }

  #glideOn(now_ms: number): boolean {
    const move = this.#move;
    if (move === null) return false;
    const u = Math.min(1, Math.max(0, (now_ms - move.since_ms) / move_ms));
    this.#look(blend(move.from, move.to(), u));
    if (u < 1) return true;
    this.#move = null;
    return true;
  }

  #sightOf(view: ViewName, { pose, box, lens, follow_m }: RigScene): Sight | null {
    const aspect = this.camera.aspect;
    if (view === "top") return topSight(box, aspect);
    if (view === "side") return sideSight(box, aspect);
    if (pose === null) return null;
    if (view === "follow") return followSight(pose.position_enu_m, pose.quat_flu_enu, follow_m);
    if (view !== "eye") return null;
    const { forward, up } = lensAxes(lens);
    return eyeSight(
      pose.position_enu_m,
      pose.quat_flu_enu,
      lens.mount_position_flu_m,
      forward,
      up,
      lensFov(lens),
    );
  }

  #sight(): Sight {
    const p = this.camera.position;
    const t = this.controls.target;
    return {
      eye_enu_m: [p.x, p.y, p.z],
      target_enu_m: [t.x, t.y, t.z],
      up_enu: [this.camera.up.x, this.camera.up.y, this.camera.up.z],
      fov_deg: this.camera.fov,
    };
  }

  #look(sight: Sight): void {
    this.camera.position.fromArray(sight.eye_enu_m);
    this.camera.up.fromArray(sight.up_enu).normalize();
    this.controls.target.fromArray(sight.target_enu_m);
    this.camera.lookAt(this.controls.target);
    if (this.camera.fov !== sight.fov_deg) {
      this.camera.fov = sight.fov_deg;
      this.camera.updateProjectionMatrix();
    }
  }

  #leaveEye(): void {
    this.camera.up.set(0, 0, 1);
    if (this.camera.fov !== 42 && this.#view !== "top" && this.#view !== "side") {
      this.camera.fov = 42;
      this.camera.updateProjectionMatrix();
    }
  }

  #rename(view: ViewName): void {
    if (view === this.#view) return;
    this.#view = view;
    this.#onView(view);
  }
}
