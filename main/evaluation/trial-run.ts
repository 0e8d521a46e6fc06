import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { evaluationSchemaVersion, type TrialResult } from "#contract/evaluation";
import type { GraderEvent, GraderHello, GraderTruth } from "#contract/grader-wire";
import { err, ok, type Result } from "#contract/result";
import { childGone, endChild, forkChild } from "../platform/child";
import type { Clock } from "../platform/clock";
import { causeOf } from "./causes";
import { type Evidence, Flown, type ReadRecording } from "./evidence";
import { openGrader } from "./grader-client";
import type { Trial } from "./suite";

export interface TrialOrder {
  readonly suite: string;
  readonly policy: string;
  readonly seed: number;
  readonly number: number;
  readonly trial: Trial;
  /** The run's folder, and the trial's own one relative to it. */
  readonly run: string;
  readonly folder: string;
}

export interface TrialPorts {
  readonly clock: Clock;
  readonly read: ReadRecording;
  readonly signal: AbortSignal;
  /** Simulated time, as it goes. */
  readonly onTime: (simulated_s: number) => void;
}

/** A world that tells nothing new for so long has stopped. Real time; a slow machine takes seconds for a step, not minutes. */
const standstill_ms = 180_000;
/** From the end of a station to the end of what its world had still to tell. */
const last_words_ms = 5000;

/**
 * Flies one trial: a station of its own in a process of its own, as the command line starts it, with its embedded vehicle;
 * the truth is read here, in another process. Ok: a result, passed or not. Error: the trial could not be made (a process
 * died, the world stood still) or was given up; it is not done.
 */
export async function runTrial(order: TrialOrder, ports: TrialPorts): Promise<Result<TrialResult, string>> {
  const began_ms = ports.clock.now_ms();
  const sockets = await mkdtemp(join(tmpdir(), "kingfisher-eval-"));
  const socket =
    process.platform === "win32"
      ? `\\\\.\\pipe\\${sockets.split("\\").at(-1) ?? ""}`
      : join(sockets, "truth");
  try {
    const truth = new Truth(socket, ports);
    const station = startStation(order, socket);
    const flown = await fly(station, truth, ports);
    await truth.whole();
    if (!flown.ok) return flown;
    return await grade(order, flown.value, truth, ports, began_ms);
  } finally {
    await rm(sockets, { recursive: true, force: true });
  }
}

interface Station {
  readonly process: ChildProcess;
  readonly printed: () => string;
  readonly said: () => string;
}

function startStation({ trial, policy, run, folder }: TrialOrder, socket: string): Station {
  const address = `sim://${trial.scene}?seed=${String(trial.scene_seed)}`;
  let said = "";
  let printed = "";
  const child = forkChild("cli", {
    args: [
      ...["fly", "--json", "--say", trial.command, "--at", address, "--policy", policy],
      ...["--approve", "auto", "--speed", "max", "--limit", String(trial.limit_s)],
      ...["--embedded", `grader=${socket}`],
      ...(trial.catalogue === null ? [] : ["--embedded", `catalogue=${trial.catalogue}`]),
      ...(trial.faults === null ? [] : ["--faults", trial.faults]),
      ...trial.events.flatMap((event) => ["--event", event]),
    ],
    // A home of its own: nobody's settings change a trial, and its recording lies there.
    env: { KINGFISHER_HOME: join(run, folder) },
    apart: true,
    onText: (text) => {
      said = (said + text).slice(-4000);
    },
  });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return { process: child, printed: () => printed, said: () => said };
}

/** Resolves when the station's process has ended. */
async function fly(station: Station, truth: Truth, ports: TrialPorts): Promise<Result<Flown, string>> {
  const { process: child } = station;
  const given_up: string[] = [];
  const stop = (why: string): void => {
    given_up.push(why);
    void endChild(child);
  };
  const abort = (): void => {
    stop("interrupted");
  };
  if (ports.signal.aborted) abort();
  ports.signal.addEventListener("abort", abort, { once: true });
  let heard = { messages: truth.messages, at_ms: ports.clock.now_ms() };
  const watching = ports.clock.every(1000, () => {
    if (truth.messages !== heard.messages) heard = { messages: truth.messages, at_ms: ports.clock.now_ms() };
    else if (ports.clock.now_ms() - heard.at_ms > standstill_ms) stop("the world stood still");
  });
  const code = await childGone(child);
  watching();
  ports.signal.removeEventListener("abort", abort);
  if (given_up[0] !== undefined) return err(given_up[0]);
  const document = Flown.safeParse(parseJson(station.printed()));
  if (document.success) return ok(document.data);
  const last = station.said().trim().split("\n").at(-1) ?? "";
  return err(last === "" ? `the station ended without a report (exit ${String(code)})` : last);
}

async function grade(
  { suite, policy, seed, number, trial, run }: TrialOrder,
  flown: Flown,
  truth: Truth,
  ports: TrialPorts,
  began_ms: number,
): Promise<Result<TrialResult, string>> {
  const { hello, truths, events } = truth;
  const last_ms = truths.at(-1)?.t_ms ?? Number.NEGATIVE_INFINITY;
  if (hello === null || last_ms < flown.ended_at_ms - hello.period_ms)
    return err(truth.problem ?? "the ground truth ended before the flight");
  const recorded = flown.recording === null ? null : await ports.read(flown.recording);
  if (recorded === null) return err("the flight's recording cannot be read");
  const evidence: Evidence = {
    hello,
    truths: truths.filter((t) => t.t_ms <= flown.ended_at_ms),
    events,
    flown,
    recorded,
  };
  const predicates = trial.predicates.map((p) => ({ id: p.id, ...p.judge(evidence) }));
  return ok({
    schema: evaluationSchemaVersion,
    suite,
    policy,
    seed,
    trial: number,
    variant: trial.variant,
    scene: trial.scene,
    scene_seed: trial.scene_seed,
    command: trial.command,
    passed: predicates.every((p) => p.passed),
    predicates,
    outcome: flown.outcome,
    why: flown.why,
    cause: causeOf(flown.outcome, flown.why, predicates),
    duration_s: (flown.ended_at_ms - (flown.started_at_ms ?? 0)) / 1000,
    steps: flown.skills.length,
    measures: Object.fromEntries(trial.measures.map((m) => [m.key, finite(m.of(evidence))])),
    recording: flown.recording === null ? null : relative(run, flown.recording),
    wall_s: Math.round((ports.clock.now_ms() - began_ms) / 100) / 10,
  });
}

/** JSON knows no NaN: what could not be measured is null, and is left out of a list. */
const finite = (value: number | null | readonly number[]): number | null | readonly number[] =>
  typeof value === "number"
    ? Number.isFinite(value)
      ? value
      : null
    : value === null
      ? null
      : value.filter(Number.isFinite);

/** Collects the truth of one world. */
class Truth {
  hello: GraderHello | null = null;
  readonly truths: GraderTruth[] = [];
  readonly events: GraderEvent[] = [];
  problem: string | null = null;
  messages = 0;
  readonly #ended: Promise<void>;
  readonly #clock: Clock;
  readonly #close: () => void;

  constructor(socket: string, { clock, onTime }: TrialPorts) {
    this.#clock = clock;
    let ended = (): void => {};
    this.#ended = new Promise((resolve) => {
      ended = resolve;
    });
    this.#close = openGrader(socket, clock, {
      onMessage: (message) => {
        this.messages += 1;
        if (message.kind === "hello") this.hello = message;
        else if (message.kind === "event") this.events.push(message);
        else if (message.kind === "truth") {
          this.truths.push(message);
          if (message.t_ms % 1000 === 0) onTime(message.t_ms / 1000);
        }
      },
      onClose: (problem) => {
        this.problem = problem;
        ended();
      },
    });
  }

  /** Resolves when everything that was told has been read: the station is gone by now, and its world with it. */
  async whole(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(last_words_ms, resolve);
      void this.#ended.then(() => {
        cancel();
        resolve();
      });
    });
    this.#close();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
