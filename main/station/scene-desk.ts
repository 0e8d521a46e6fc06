import { happenings } from "#contract/happenings";
import { err, ok, type Result } from "#contract/result";
import type { CommandDoor } from "../link/command-door";

export interface SceneDeskOptions {
  /** Names of what can be pushed; null where no embedded vehicle flies. */
  readonly pushable: () => readonly string[] | null;
  readonly door: () => Pick<CommandDoor, "command">;
  readonly audit: (what: Readonly<Record<string, string>>) => void;
}

/** Trouble to order, in the embedded vehicle's world only: over the link, as everything else, and written down. */
export class SceneDesk {
  readonly #options: SceneDeskOptions;

  constructor(options: SceneDeskOptions) {
    this.#options = options;
  }

  async push(object: string): Promise<Result<void, string>> {
    const index = this.#options.pushable()?.indexOf(object) ?? -1;
    if (index < 0) return err(`There is no “${object}” to push here.`);
    this.#options.audit({ push: object });
    const outcome = await this.#options.door().command("USER_1", [1, index]);
    return outcome.ok ? ok(undefined) : err(`The embedded vehicle did not push it (${outcome.error}).`);
  }

  async happen(id: string): Promise<Result<void, string>> {
    const index = happenings.findIndex((h) => h.id === id);
    if (this.#options.pushable() === null || index < 0)
      return err(`There is no “${id}” to make happen here.`);
    this.#options.audit({ happen: id });
    const outcome = await this.#options.door().command("USER_1", [2, index]);
    return outcome.ok ? ok(undefined) : err(`The embedded vehicle could not do it (${outcome.error}).`);
  }
}
