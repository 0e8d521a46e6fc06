import type { Layout } from "./layout";
import type { Physics } from "./mujoco";
import { away_m, personAt, personBody, personPieces, walkLasts_s } from "./person";
import { planWalk, type Walk } from "./walk";

export interface VisitorState {
  readonly visits: number;
  readonly since_s: number | null;
}

/** A person who comes in when asked to, walks about and leaves: moved by its plan, felt by what it runs into. */
export class Visitor {
  readonly #physics: Physics;
  readonly #layout: Layout;
  /** First of the mocap bodies that are the person's. */
  readonly #first: number;
  #walk: Walk | null = null;
  #visits = 0;
  #since_s: number | null = null;

  constructor(physics: Physics, layout: Layout) {
    this.#physics = physics;
    this.#layout = layout;
    const mocap = physics.model("body_mocapid");
    this.#first = mocap[physics.id("body", personBody(personPieces[0]))] ?? 0;
  }

  /** False where there is no way in, or where a person is here already. */
  enter(): boolean {
    if (this.#since_s !== null) return false;
    const walk = planWalk(this.#layout, this.#visits);
    if (walk === null) return false;
    this.#walk = walk;
    this.#visits++;
    this.#since_s = this.#physics.time_s;
    return true;
  }

  /** Whether `enter` would be heard: there is a way in from outside. */
  get welcome(): boolean {
    return planWalk(this.#layout, this.#visits) !== null;
  }

  /** Before each physics step. */
  step(): void {
    const walk = this.#walk;
    if (walk === null || this.#since_s === null) return;
    const t_s = this.#physics.time_s - this.#since_s;
    const pose = personAt(walk, t_s, this.#layout.scene.room.min[2]);
    if (t_s > walkLasts_s(walk)) this.#since_s = null;
    personPieces.forEach((piece, i) => {
      const at = pose?.[piece].at ?? [0, i, away_m];
      this.#physics.write("mocap_pos", (this.#first + i) * 3, at);
      if (pose !== null) this.#physics.write("mocap_quat", (this.#first + i) * 4, pose[piece].quat);
    });
  }

  save(): VisitorState {
    return { visits: this.#visits, since_s: this.#since_s };
  }

  restore(state: VisitorState): void {
    this.#visits = state.visits;
    this.#since_s = state.since_s;
    this.#walk = state.since_s === null ? null : planWalk(this.#layout, state.visits - 1);
  }
}
