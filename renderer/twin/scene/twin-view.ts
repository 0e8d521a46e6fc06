import type { Enu } from "#contract/frames";
import { drawnRotorSpeed } from "./airframe-shape";
import { CameraRig } from "./camera-rig";
import { LabelLayer } from "./label-layer";
import { labelsOf } from "./labels";
import type { Palette } from "./palette";
import { emptyPoseBuffer, type PoseBuffer, poseAt, pushPose, type TimedPose } from "./pose-buffer";
import { onScreen, underneath } from "./screen";
import { Stage } from "./stage";
import type { TruthPoses, TruthThing } from "./truth-model";
import type { TwinOptions } from "./twin-options";
import { emptyTwinState, siteBox, type TwinState } from "./twin-state";
import type { ViewName } from "./views";

export type { Project } from "./twin-options";

const drag_px = 5;
/** Below 25 frames a second the twin stops asking for more. */
const slow_ms = 40;
const small_px = 420;
const rebuild_ms = [150, 600, 2000, 5000] as const;

/**
 * The twin's life: it draws when something changed and while something moves, and rests otherwise. A lost WebGL context
 * is answered by a new canvas built from the same state, so it does not depend on the browser restoring the old one.
 */
export class TwinView {
  readonly #host: HTMLElement;
  readonly #options: TwinOptions;
  readonly #rig: CameraRig;
  readonly #labels: LabelLayer;
  readonly #watch: ResizeObserver;
  readonly #abort = new AbortController();
  #stage: Stage | null = null;
  #palette: Palette;
  #state: TwinState = emptyTwinState;
  #poses: PoseBuffer = emptyPoseBuffer;
  #fixed: TimedPose | null = null;
  #truth: readonly TruthThing[] | null = null;
  #picture: OffscreenCanvas | HTMLCanvasElement | null = null;
  #frame = 0;
  #rebuild: () => void = () => {};
  #losses = 0;
  #rest: () => void = () => {};
  #resting = false;
  #wanted = false;
  #pace_ms = 16;
  #rotor_rad = 0;
  #last_ms = 0;
  #compiled = false;
  #viewed = false;
  /** In a workspace that is not shown: nothing is drawn until it is. */
  #hidden = false;
  #size = { width: 1, height: 1 };
  #down: { x: number; y: number } | null = null;

  constructor(host: HTMLElement, options: TwinOptions) {
    this.#host = host;
    this.#options = options;
    this.#palette = options.palette;
    this.#labels = new LabelLayer(host.ownerDocument, options.label_class);
    host.append(this.#labels.element);
    this.#rig = new CameraRig(host, options.still, options.onView, () => this.#wake());
    const { signal } = this.#abort;
    host.addEventListener("pointerdown", (e) => (this.#down = { x: e.clientX, y: e.clientY }), { signal });
    host.addEventListener("pointerup", (e) => this.#released(e), { signal });
    this.#watch = new ResizeObserver(() => this.#resize());
    this.#watch.observe(host);
    this.#build();
  }

  set(part: Partial<TwinState>): void {
    this.#state = { ...this.#state, ...part };
    this.#stage?.apply(this.#state);
    this.#wake();
  }

  pushPose(pose: TimedPose): void {
    this.#poses = pushPose(this.#poses, pose, this.#options.time.monotonic_ms());
    this.#wake();
  }

  /** Draws exactly this pose: for the replay's cursor. */
  setPose(pose: TimedPose | null): void {
    this.#fixed = pose;
    this.#wake();
  }

  setPicture(picture: OffscreenCanvas | HTMLCanvasElement | null): void {
    this.#picture = picture;
    this.#stage?.setPicture(picture);
    this.#wake();
  }

  setTruth(things: readonly TruthThing[] | null): void {
    this.#truth = things;
    this.#stage?.truth.set(things);
    this.#wake();
  }

  moveTruth(poses: TruthPoses): void {
    this.#stage?.truth.move(poses);
    this.#wake();
  }

  setPalette(palette: Palette): void {
    this.#palette = palette;
    this.#restart();
  }

  setView(view: ViewName): void {
    this.#rig.setView(
      view,
      this.#scene(this.#options.time.monotonic_ms()),
      this.#options.time.monotonic_ms(),
    );
    this.#wake();
  }

  /** F: the selected object, else the proposal's end, else the vehicle. */
  frame(): void {
    const now_ms = this.#options.time.monotonic_ms();
    const object = this.#state.objects.find((o) => o.id === this.#state.selected);
    const pose = this.#pose(now_ms);
    if (object !== undefined)
      this.#rig.frame(object.position_enu_m, Math.max(0.25, Math.hypot(...object.size_m)), now_ms);
    else if (this.#state.plan !== null) this.#rig.frame(this.#state.plan.end.position_enu_m, 0.9, now_ms);
    else if (pose !== null) this.#rig.frame(pose.position_enu_m, 0.7, now_ms);
    this.#wake();
  }

  nudge(turn_rad: number, raise_rad: number, zoom: number): void {
    this.#rig.nudge(turn_rad, raise_rad, zoom);
    this.#wake();
  }

  /** The point at this height under a place of the window; null above the horizon. */
  ground(client_x: number, client_y: number, height_m = 0): Enu | null {
    const box = this.#host.getBoundingClientRect();
    const x = ((client_x - box.left) / box.width) * 2 - 1;
    const y = 1 - ((client_y - box.top) / box.height) * 2;
    return underneath(this.#rig.camera, x, y, height_m);
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    this.#rebuild();
    this.#rest();
    this.#abort.abort();
    this.#watch.disconnect();
    this.#rig.dispose();
    this.#labels.dispose();
    this.#stage?.dispose();
    this.#stage = null;
  }

  #build(): void {
    try {
      const stage = new Stage(this.#host, this.#palette);
      stage.canvas.addEventListener("webglcontextlost", (event) => {
        event.preventDefault();
        this.#lost();
      });
      this.#stage = stage;
      this.#compiled = false;
      this.#resize();
      stage.apply(this.#state);
      stage.setPicture(this.#picture);
      stage.truth.set(this.#truth);
      void stage.compile(this.#rig, this.#options.time).then(() => {
        if (this.#stage !== stage) return;
        this.#compiled = true;
        this.#wake();
      });
    } catch {
      // No context to be had (graphics process starting again): the same answer as to a lost one.
      this.#lost();
    }
  }

  #lost(): void {
    this.#stage?.dispose();
    this.#stage = null;
    this.#options.onContext("lost");
    const wait_ms = rebuild_ms[Math.min(this.#losses, rebuild_ms.length - 1)] ?? 5000;
    this.#losses += 1;
    this.#rebuild();
    this.#rebuild = this.#options.time.after(wait_ms, () => this.#build());
  }

  #restart(): void {
    const before = this.#stage;
    this.#stage = null;
    before?.dispose();
    this.#rebuild();
    this.#build();
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#host;
    this.#hidden = width === 0 || height === 0;
    if (this.#hidden) return;
    this.#size = { width, height };
    this.#stage?.resize(width, height, window.devicePixelRatio);
    this.#wake();
  }

  #wake(): void {
    this.#wanted = true;
    if (this.#frame !== 0 || this.#resting || this.#hidden || this.#stage === null || !this.#compiled) return;
    this.#frame = requestAnimationFrame((at_ms) => this.#tick(at_ms));
  }

  #tick(at_ms: number): void {
    this.#frame = 0;
    this.#wanted = false;
    const stage = this.#stage;
    if (stage === null) return;
    const dt_s = Math.min(0.25, Math.max(0, at_ms - this.#last_ms) / 1000);
    this.#last_ms = at_ms;
    const found = this.#options.live ? poseAt(this.#poses, at_ms) : null;
    const pose = this.#options.live ? (found?.pose ?? null) : this.#fixed;
    const speed = drawnRotorSpeed(this.#state.armed, this.#state.in_air);
    this.#rotor_rad += speed * dt_s;
    stage.pose(pose, this.#rotor_rad, speed > 0);
    const scene = this.#sceneOf(pose);
    if (!this.#viewed && (pose !== null || this.#state.site !== null)) {
      this.#viewed = true;
      this.#rig.setView(pose === null ? "top" : this.#rig.view, scene, at_ms - 10_000);
    }
    const gliding = this.#rig.update(scene, this.#size.width / this.#size.height, at_ms);
    stage.draw(this.#rig, at_ms);
    const labels = labelsOf(this.#state, stage.tightest, this.#size.width < small_px);
    this.#labels.draw([...labels, ...stage.truth.labels], this.#rig.camera, this.#size, []);
    this.#options.onDrawn?.((point) => onScreen(this.#rig.camera, point, this.#size));
    this.#losses = 0;
    this.#options.onContext("drawn");
    if (gliding || (found?.moving ?? false) || speed > 0) this.#wanted = true;
    this.#frame = requestAnimationFrame((next_ms) => this.#drawn(at_ms, next_ms));
  }

  /**
   * The animation frame after a picture: only now is it known what the picture cost, the graphics process included. Where
   * pictures are dear (no graphics hardware) as much time is left to everyone else before the next one.
   */
  #drawn(at_ms: number, next_ms: number): void {
    if (this.#stage?.busy === true) {
      this.#frame = requestAnimationFrame((later_ms) => this.#drawn(at_ms, later_ms));
      return;
    }
    this.#frame = 0;
    this.#pace_ms += 0.3 * (Math.min(1000, next_ms - at_ms) - this.#pace_ms);
    if (this.#pace_ms <= slow_ms) {
      if (this.#wanted) this.#tick(next_ms);
      return;
    }
    this.#resting = true;
    this.#rest = this.#options.time.after(Math.min(400, this.#pace_ms), () => {
      this.#resting = false;
      if (this.#wanted) this.#wake();
    });
  }

  #released(event: PointerEvent): void {
    const down = this.#down;
    this.#down = null;
    if (down === null || event.button !== 0) return;
    if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > drag_px) return;
    const box = this.#host.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((event.clientY - box.top) / box.height) * 2;
    this.#options.onPick(this.#stage?.pick(x, y, this.#rig) ?? null);
  }

  #pose(now_ms: number): TimedPose | null {
    return this.#options.live ? (poseAt(this.#poses, now_ms)?.pose ?? null) : this.#fixed;
  }

  #scene(now_ms: number) {
    return this.#sceneOf(this.#pose(now_ms));
  }

  #sceneOf(pose: TimedPose | null) {
    const small = this.#size.height < small_px;
    return { pose, box: siteBox(this.#state.site), lens: this.#state.lens, follow_m: small ? 2.2 : 2.9 };
  }
}
