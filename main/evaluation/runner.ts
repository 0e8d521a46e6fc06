import { createHash } from "node:crypto";
import {
  type EvaluationManifest,
  type EvaluationProgress,
  evaluationSchemaVersion,
  type TrialResult,
} from "#contract/evaluation";
import { ok, type Result } from "#contract/result";
import type { Clock } from "../platform/clock";
import { causeOf } from "./causes";
import type { ReadRecording } from "./evidence";
import { openRun, type RunFolder } from "./run-folder";
import { Draw } from "./statistics/random";
import type { Suite, Trial } from "./suite";
import { runTrial } from "./trial-run";

export interface RunSettings {
  readonly suite: Suite;
  readonly policy: string;
  readonly seed: number;
  readonly trials: number;
  readonly shard: Shard;
  /** Digest of the sources that this program was built from. */
  readonly build: string;
}

export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface RunPorts {
  readonly clock: Clock;
  readonly read: ReadRecording;
  readonly signal: AbortSignal;
  readonly jobs: number;
  /** Digest of the build as it is now: trials are started from it one by one. */
  readonly buildNow: () => string;
  readonly onProgress: (progress: EvaluationProgress) => void;
  readonly onResult: (result: TrialResult) => void;
}

/** `2/4`, or null. */
export function parseShard(text: string): Shard | null {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const [index, of] = [Number(match?.[1]), Number(match?.[2])];
  return index >= 1 && index <= of ? { index, of } : null;
}

/** Draws trial number `n` of a suite: always the same one, whichever others are run. */
function drawTrial({ suite, seed }: RunSettings, n: number): Trial {
  const variant = suite.variants[n % suite.variants.length];
  if (variant === undefined) throw new Error(`Invariant: suite ${suite.name} has variants`);
  return suite.trial(variant, new Draw(suite.name, seed, n));
}

export function manifestOf(settings: RunSettings): EvaluationManifest {
  const { suite, policy, seed, trials, shard, build } = settings;
  const plan = createHash("sha256");
  for (let n = 0; n < trials; n++) {
    const { predicates, measures, ...rest } = drawTrial(settings, n);
    plan.update(JSON.stringify([rest, predicates.map((p) => p.id), measures.map((m) => m.key)]));
  }
  return {
    schema: evaluationSchemaVersion,
    suite: suite.name,
    policy,
    seed,
    trials,
    shard: `${String(shard.index)}/${String(shard.of)}`,
    plan: plan.digest("hex").slice(0, 16),
    build,
    runtime: `V8 ${process.versions.v8}`,
  };
}

export interface RunEnd {
  readonly manifest: EvaluationManifest;
  readonly results: readonly TrialResult[];
  /** Trials of this shard that are not done: the run was stopped. */
  readonly left: number;
  /** Why it stopped of its own accord; null when it did not. */
  readonly problem: string | null;
}

/**
 * Runs what is left of a suite's trials in a folder, several at a time. A trial that is done is never run again; one that
 * was going on when the run ended is. Stops early, cleanly, when the signal says so.
 */
export async function runSuite(
  settings: RunSettings,
  path: string,
  resume: boolean,
  ports: RunPorts,
): Promise<Result<RunEnd, string>> {
  const manifest = manifestOf(settings);
  const folder = openRun(path, manifest, resume);
  if (!folder.ok) return folder;
  try {
    return ok(await new Run(settings, folder.value, ports).run());
  } finally {
    folder.value.close();
  }
}

class Run {
  readonly #settings: RunSettings;
  readonly #folder: RunFolder;
  readonly #ports: RunPorts;
  readonly #results: TrialResult[];
  readonly #queue: number[];
  readonly #total: number;
  readonly #running = new Map<number, { readonly variant: string; simulated_s: number }>();
  readonly #began_ms: number;
  #finished = 0;

  constructor(settings: RunSettings, folder: RunFolder, ports: RunPorts) {
    this.#settings = settings;
    this.#folder = folder;
    this.#ports = ports;
    this.#results = [...folder.results];
    const { index, of } = settings.shard;
    const mine = Array.from({ length: settings.trials }, (_, n) => n).filter((n) => n % of === index - 1);
    const done = new Set(folder.results.map((r) => r.trial));
    this.#total = mine.length;
    this.#queue = mine.filter((n) => !done.has(n));
    this.#began_ms = ports.clock.now_ms();
  }

  async run(): Promise<RunEnd> {
    const ticking = this.#ports.clock.every(1000, () => {
      this.#tell();
    });
    this.#tell();
    let problem: string | null = null;
    const work = async (): Promise<void> => {
      while (!this.#ports.signal.aborted) {
        const n = this.#queue.shift();
        if (n === undefined) return;
        if (this.#ports.buildNow() !== this.#folder.manifest.build) {
          problem = "Kingfisher was built anew while the run was going on; start another run";
          return;
        }
        await this.#one(n);
      }
    };
    await Promise.all(Array.from({ length: this.#ports.jobs }, work));
    ticking();
    this.#tell();
    const results = [...this.#results].sort((a, b) => a.trial - b.trial);
    return { manifest: this.#folder.manifest, results, left: this.#total - results.length, problem };
  }

  /** A trial that cannot be made is tried once more; after that it counts as failed, with what went wrong as its cause. */
  async #one(n: number): Promise<void> {
    const trial = drawTrial(this.#settings, n);
    const state = { variant: trial.variant, simulated_s: 0 };
    this.#running.set(n, state);
    let why = "";
    for (let attempt = 0; attempt < 2; attempt++) {
      const { suite, policy, seed } = this.#settings;
      const folder = this.#folder.trialFolder(n);
      const order = { suite: suite.name, policy, seed, number: n, trial, run: this.#folder.path, folder };
      const result = await runTrial(order, {
        ...this.#ports,
        onTime: (simulated_s) => {
          state.simulated_s = simulated_s;
        },
      });
      if (this.#ports.signal.aborted) break;
      if (result.ok) {
        this.#done(result.value);
        return;
      }
      why = result.error;
    }
    this.#running.delete(n);
    if (!this.#ports.signal.aborted) this.#done(this.#unmade(n, trial, why));
  }

  #done(result: TrialResult): void {
    this.#running.delete(result.trial);
    this.#folder.append(result);
    this.#results.push(result);
    this.#finished += 1;
    this.#ports.onResult(result);
    this.#tell();
  }

  #unmade(n: number, trial: Trial, why: string): TrialResult {
    const { suite, policy, seed } = this.#settings;
    return {
      schema: evaluationSchemaVersion,
      suite: suite.name,
      policy,
      seed,
      trial: n,
      variant: trial.variant,
      scene: trial.scene,
      scene_seed: trial.scene_seed,
      command: trial.command,
      passed: false,
      predicates: [],
      outcome: "not flown",
      why,
      cause: causeOf("not flown", why, []),
      duration_s: 0,
      steps: 0,
      measures: {},
      recording: null,
      wall_s: 0,
    };
  }

  #tell(): void {
    const elapsed_s = (this.#ports.clock.now_ms() - this.#began_ms) / 1000;
    const left = this.#total - this.#results.length;
    this.#ports.onProgress({
      total: this.#total,
      done: this.#results.length,
      passed: this.#results.filter((r) => r.passed).length,
      running: [...this.#running]
        .sort(([a], [b]) => a - b)
        .map(([trial, { variant, simulated_s }]) => ({ trial, variant, simulated_s })),
      elapsed_s,
      left_s: left === 0 ? 0 : this.#finished === 0 ? null : (elapsed_s / this.#finished) * left,
    });
  }
}
