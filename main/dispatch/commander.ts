import type { DispatchEvent, Door } from "./ports";

/** What the vehicle said to a command. Neither accepted nor refused: overtaken by a newer one, or never asked. */
export interface Answer {
  readonly accepted: boolean;
  readonly refusal: string | null;
}

type Outcome = ReturnType<Door["arm"]>;

/** Sends commands through the door and tells each one, and its answer, to the log. */
export class Commander {
  readonly #door: Door;
  readonly #tell: (event: DispatchEvent) => void;

  constructor(door: Door, tell: (event: DispatchEvent) => void) {
    this.#door = door;
    this.#tell = tell;
  }

  setMode(mode: "hold" | "offboard" | "land"): Promise<Answer> {
    return this.#log(`set_mode ${mode}`, [], this.#door.set_mode(mode));
  }
  arm(): Promise<Answer> {
    return this.#log("arm", [1], this.#door.arm());
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
