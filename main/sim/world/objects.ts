import { invariant } from "#contract/result";
import { blown_n, type Jet, wake_m_s } from "./air";
import type { Layout } from "./layout";
import { bodyName } from "./mjcf";
import type { Physics } from "./mujoco";
import { type Push, pushDirection, pushDistance_m, pushDuration_s, pushOver, pushSpeed_m_s } from "./pushes";
import { add, cross, type Q4, type V3 } from "./rigid";
import type { Supports } from "./support";

interface Known {
  readonly id: number;
  readonly mass_kg: number;
  readonly dof: number;
}

export interface ObjectsState {
  readonly pushes: readonly Push[];
  readonly blown: readonly number[];
}

const gravity = 9.81;
const nothing = [0, 0, 0, 0, 0, 0];
/** Beyond this distance from the vehicle's middle a wake is weaker than friction for anything. */
const wakeReach_m = 1.6;

/** The movable things: where they are, hands that push them, wakes that blow at them. */
export class Objects {
  readonly #physics: Physics;
  readonly #layout: Layout;
  readonly #known: readonly Known[];
  #pushes: Push[] = [];
  readonly #blown = new Set<number>();

  constructor(physics: Physics, layout: Layout) {
    this.#physics = physics;
    this.#layout = layout;
    const masses = physics.model("body_mass");
    const dofs = physics.model("jnt_dofadr");
    this.#known = layout.bodies.map((body) => {
      const id = physics.id("body", bodyName(body.name));
      return { id, mass_kg: masses[id] ?? 0, dof: dofs[physics.id("joint", `free-${body.name}`)] ?? 0 };
    });
  }

  pose(index: number): { readonly at: V3; readonly quat: Q4 } {
    const known = this.#known[index];
    invariant(known !== undefined, "object index");
    const q = new Float64Array(4);
    this.#physics.read("xquat", known.id * 4, 4, q);
    return { at: this.#triple("xpos", known.id), quat: [q[0] ?? 1, q[1] ?? 0, q[2] ?? 0, q[3] ?? 0] };
  }

  /** Starts a push; the body really slides, by contact and friction. False where there is no such body. */
  push(index: number, distance_m = pushDistance_m): boolean {
    if (!Number.isInteger(index) || this.#known[index] === undefined) return false;
    const direction = pushDirection(this.#layout, index, (i) => this.pose(i).at, distance_m);
    const start_s = this.#physics.time_s;
    this.#pushes = this.#pushes.filter((p) => p.body !== index);
    this.#pushes.push({ body: index, start_s, duration_s: pushDuration_s, distance_m, direction });
    return true;
  }

  /** Before each physics step. */
  step(): void {
    if (this.#pushes.length === 0) return;
    const now_s = this.#physics.time_s;
    for (const push of this.#pushes) {
      const known = this.#known[push.body];
      if (known === undefined) continue;
      const force = pushOver(push, now_s) ? nothing : this.#pushForce(push, known, now_s);
      this.#physics.write("xfrc_applied", known.id * 6, force);
    }
    this.#pushes = this.#pushes.filter((push) => !pushOver(push, now_s));
  }

  /** The rotors' wakes on what stands around. What friction would hold anyway is left alone, so that it may rest. */
  blow(jets: readonly Jet[], vehicle: V3, supports: Supports): void {
    this.#layout.bodies.forEach((body, i) => {
      const known = this.#known[i];
      if (known === undefined || this.#pushes.some((push) => push.body === i)) return;
      const place = this.#triple("xipos", known.id);
      let air: V3 = [0, 0, 0];
      if (Math.hypot(place[0] - vehicle[0], place[1] - vehicle[1]) < wakeReach_m) {
        const surface_m = supports.below_m(place[0], place[1], place[2]);
        for (const jet of jets) air = add(air, wake_m_s(jet, place, surface_m));
      }
      const { footprint_radius_m, height_m, friction } = body.asset;
      const force = blown_n(air, 1.6 * footprint_radius_m, height_m);
      const holds = Math.hypot(...force) < 0.2 * friction * known.mass_kg * gravity;
      if (holds && !this.#blown.has(i)) return;
      if (holds) this.#blown.delete(i);
      else this.#blown.add(i);
      this.#physics.write("xfrc_applied", known.id * 6, holds ? nothing : [...force, 0, 0, 0]);
    });
  }

  save(): ObjectsState {
    return { pushes: [...this.#pushes], blown: [...this.#blown] };
  }

  restore(state: ObjectsState): void {
    this.#pushes = [...state.pushes];
    this.#blown.clear();
    for (const i of state.blown) this.#blown.add(i);
  }

  #triple(array: "xpos" | "xipos", body: number): V3 {
    const p = this.#physics;
    return [p.value(array, body * 3), p.value(array, body * 3 + 1), p.value(array, body * 3 + 2)];
  }

  /** A hand low on the body: follows the push's speed and carries the friction, so that even a tall bottle slides. */
  #pushForce(push: Push, known: Known, now_s: number): readonly number[] {
    const p = this.#physics;
    const speed = pushSpeed_m_s(push, now_s);
    const [dx, dy] = push.direction;
    const gain = known.mass_kg * 60;
    const friction = this.#layout.bodies[push.body]?.asset.friction ?? 0;
    const carried_n = speed > 0.01 ? friction * known.mass_kg * gravity : 0;
    const force: V3 = [
      gain * (speed * dx - p.value("qvel", known.dof)) + carried_n * dx,
      gain * (speed * dy - p.value("qvel", known.dof + 1)) + carried_n * dy,
      0,
    ];
    const grip: V3 = [0, 0, p.value("xpos", known.id * 3 + 2) + 0.01 - p.value("xipos", known.id * 3 + 2)];
    return [...force, ...cross(grip, force)];
  }
}
