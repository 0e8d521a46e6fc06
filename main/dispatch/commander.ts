import type { VehicleState } from "#contract/vehicle";
import type { Plan } from "../safety/plan";
import type { SkillRequest } from "../skills/port";
import type { DispatchEvent, Door } from "./ports";

/** What the vehicle said to a command. Neither accepted nor refused: overtaken by a newer one, or never asked. */
export interface Answer {
  readonly accepted: boolean;
  readonly refusal: string | null;
}

type Outcome = ReturnType<Door["arm"]>;

/** Height of a plan's end above home, or above where it begins while home is not known. */
export function heightAboveHome(plan: Plan | null, vehicle: VehicleState): number {
  if (plan === null) return Number.NaN;
  return plan.end.position_enu_m[2] - (vehicle.home_enu_m?.[2] ?? plan.start.position_enu_m[2]);
}

/** Sends commands through the door and tells each one, and its answer, to the log. */
export class Commander {
  readonly #door: Door;
  readonly #tell: (event: DispatchEvent) => void;

  constructor(door: Door, tell: (event: DispatchEvent) => void) {
    this.#door = door;
    this.#tell = tell;
  }

  /** What a skill asks for; `height_m` is what a take-off of the vehicle's own climbs to, above home. */
  ask(request: SkillRequest, height_m: number): Promise<Answer> {
    if (request === "arm") return this.#log("arm", [1], this.#door.arm());
    if (request === "takeoff") return this.#log("takeoff", [height_m], this.#door.takeoff(height_m));
    return this.setMode(request);
  }
  setMode(mode: "hold" | "offboard" | "land"): Promise<Answer> {
    return this.#log(`set_mode ${mode}`, [], this.#door.set_mode(mode));
  }
  disarm(): Promise<Answer> {
    return this.#log("disarm", [0], this.#door.disarm());
  }
  kill(): Promise<Answer> {
    return this.#log("kill", [0, 21196], this.#door.kill());
  }

  async #log(command: string, params: readonly number[], outcome: Outcome): Promise<Answer> {
    this.#tell({ kind: "command", command, params, result: null });
    const answer = await outcome;
    const result = answer.ok ? answer.value : answer.error.replaceAll("_", " ");
    this.#tell({ kind: "command", command, params, result });
    if (answer.ok) return { accepted: true, refusal: null };
    const overtaken = answer.error === "superseded" || answer.error === "busy";
    return { accepted: false, refusal: overtaken ? null : result };
  }
}
