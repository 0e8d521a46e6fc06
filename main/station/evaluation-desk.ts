import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { type EvaluationManifest, EvaluationProgress, SuiteInfo } from "#contract/evaluation";
import type { EvaluationState } from "#contract/evaluation-ipc";
import { err, ok, type Result } from "#contract/result";
import { childGone, endChild, forkChild } from "../platform/child";
import type { Cancel, Clock } from "../platform/clock";

export interface EvaluationDeskOptions {
  readonly clock: Clock;
  /** Where runs are kept, a folder each. */
  readonly folder: string;
  /** Why trials must not take this machine's time now; null when they may. */
  readonly blocked: () => string | null;
  readonly onState: (state: EvaluationState) => void;
  /** Starts the command line; replaced in tests. */
  readonly start?: (args: readonly string[], onText: (text: string) => void) => ChildProcess;
}

export interface RunOrder {
  readonly suite: string;
  readonly policy: string;
  readonly trials: number;
  readonly seed: number;
  readonly jobs: number;
}

interface Connected {
  readonly simulation: boolean;
  readonly link: { readonly vehicle: { readonly armed: boolean } };
  readonly flight: { readonly active: boolean };
}

/** A flight never shares its machine with trials. Null when there is none. */
export function flightFirst(session: Connected | null): string | null {
  if (session === null) return null;
  if (!session.simulation) return "Hardware is connected: trials would take its machine's time.";
  if (session.link.vehicle.armed || session.flight.active)
    return "A mission is flying: trials would take its machine's time.";
  return null;
}

const Message = z.strictObject({ kind: z.literal("progress"), progress: EvaluationProgress });

interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  readonly order: Omit<RunOrder, "jobs">;
  progress: EvaluationProgress | null;
  /** Why it was asked to stop; null while it shall go on. */
  stopping: string | null;
  said: string;
}

/** Stopping a run ends its stations and worlds and writes the table: seconds, not more. */
const stop_grace_ms = 20_000;

/**
 * Starts and stops the runner, the same one as on the command line, as a process of its own; reads nothing of what is
 * graded. A flight comes first: while one goes on, or hardware is connected, no run starts, and one that is going on is
 * stopped (it can be resumed).
 */
export class EvaluationDesk {
  readonly #options: EvaluationDeskOptions;
  readonly #cancel: Cancel;
  #running: Running | null = null;
  #ended: EvaluationState["ended"] = null;
  #blocked: string | null = null;
  #suites: readonly SuiteInfo[] | null = null;

  constructor(options: EvaluationDeskOptions) {
    this.#options = options;
    this.#cancel = options.clock.every(500, () => {
      this.#look();
    });
  }

  get state(): EvaluationState {
    const running = this.#running;
    return {
      running:
        running === null
          ? null
          : {
              folder: running.folder,
              manifest: running.order,
              progress: running.progress,
              stopping: running.stopping !== null,
            },
      ended: this.#ended,
      blocked: this.#options.blocked(),
    };
  }

  start({ jobs, ...order }: RunOrder): Result<void, string> {
    const stamp = new Date(this.#options.clock.utc_ms()).toISOString().slice(0, 19).replaceAll(/[:T]/g, "-");
    return this.#run(order, join(this.#options.folder, `${stamp}-${order.suite}`), jobs, false);
  }

  resume(folder: string, manifest: EvaluationManifest, jobs: number): Result<void, string> {
    const { suite, policy, trials, seed, shard } = manifest;
    return this.#run({ suite, policy, trials, seed }, folder, jobs, true, shard);
  }

  stop(why = "stopped by the operator"): Result<void, string> {
    const running = this.#running;
    if (running === null) return err("No evaluation is running.");
    if (running.stopping !== null) return ok(undefined);
    running.stopping = why;
    void endChild(running.child, stop_grace_ms);
    this.#tell();
    return ok(undefined);
  }

  /** What there is to run, as the command line lists it; asked once. */
  async suites(): Promise<Result<readonly SuiteInfo[], string>> {
    if (this.#suites !== null) return ok(this.#suites);
    let text = "";
    let said = "";
    const child = this.#start(["eval", "list", "--json"], (more) => (said += more));
    child.stdout?.setEncoding("utf8").on("data", (more: string) => (text += more));
    await childGone(child);
    const parsed = z.array(SuiteInfo).readonly().safeParse(parseJson(text));
    if (!parsed.success) return err(`The suites could not be listed: ${said.trim() || "no answer"}`);
    this.#suites = parsed.data;
    return ok(parsed.data);
  }

  async close(): Promise<void> {
    this.#cancel();
    if (this.#running !== null) await endChild(this.#running.child, stop_grace_ms);
  }

  #run(
    order: Omit<RunOrder, "jobs">,
    folder: string,
    jobs: number,
    resume: boolean,
    shard = "1/1",
  ): Result<void, string> {
    const blocked = this.#options.blocked();
    if (blocked !== null) return err(blocked);
    if (this.#running !== null) return err("An evaluation is running already; stop it first.");
    const child = this.#start(
      [
        ...["eval", order.suite, "--policy", order.policy, "--trials", String(order.trials)],
        ...["--seed", String(order.seed), "--jobs", String(jobs), "--shard", shard, "--out", folder],
        ...(resume ? ["--resume"] : []),
      ],
      (text) => {
        running.said = (running.said + text).slice(-2000);
      },
    );
    const running: Running = { child, folder, order, progress: null, stopping: null, said: "" };
    this.#running = running;
    // Its table is read from its folder.
    child.stdout?.resume();
    child.on("message", (message: unknown) => {
      const told = Message.safeParse(message);
      if (!told.success || this.#running !== running) return;
      running.progress = told.data.progress;
      this.#tell();
    });
    void childGone(child).then((code) => {
      this.#end(running, code);
    });
    this.#tell();
    return ok(undefined);
  }

  #end(running: Running, code: number | null): void {
    if (this.#running !== running) return;
    this.#running = null;
    const last = running.said.trim().split("\n").at(-1) ?? "";
    const { folder, stopping } = running;
    if (code === 0) this.#ended = { folder, how: "finished", why: "" };
    else if (stopping !== null) this.#ended = { folder, how: "stopped", why: stopping };
    else this.#ended = { folder, how: "failed", why: last || `the runner ended (exit ${String(code)})` };
    this.#tell();
  }

  #start(args: readonly string[], onText: (text: string) => void): ChildProcess {
    return this.#options.start?.(args, onText) ?? forkChild("cli", { args, onText });
  }

  #look(): void {
    const blocked = this.#options.blocked();
    if (blocked === this.#blocked) return;
    this.#blocked = blocked;
    if (blocked !== null && this.#running !== null) this.stop(blocked);
    this.#tell();
  }

  #tell(): void {
    this.#options.onState(this.state);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
