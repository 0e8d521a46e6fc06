import {
  type DecisionRecord,
  idleMission,
  type MissionPhase,
  type MissionState,
  type Proposal,
  type StepRecord,
} from "#contract/mission";
import { ok, type Result } from "#contract/result";
import { type SkillCall, skillLibrary } from "#contract/skills";
import type { Flown, LoopPorts } from "./loop-port";
import { withDefaults } from "./prompt";
import { type Answered, queryPolicy } from "./query";

/** The same skill ending badly this often in a row asks the operator (supervision feature 9). */
const maxSetbacks = 2;
const maxSteps = 120;

/**
 * One mission, as in AERMANI-VLM's algorithm 1: observe, prompt, parse, judge, approve, execute, remember, until the
 * policy declares completion. It stops for HOLD, for the pilot, for a card without decision and for repeated
 * trouble, and goes on only when a person says so.
 */
export class MissionLoop {
  readonly #ports: LoopPorts;
  #state: MissionState;
  #abort = new AbortController();
  #interruption: { phase: "held" | "pilot"; why: string } | null = null;
  #resume: (() => void) | null = null;
  #resumeAsked = false;
  #cancelled = false;

  constructor(ports: LoopPorts, command: string, understood: readonly string[]) {
    this.#ports = ports;
    this.#state = {
      ...idleMission(ports.policy.name),
      id: ports.newId(),
      command,
      understood,
      phase: "reasoning",
      started_at_ms: ports.clock.now_ms(),
    };
  }

  get state(): MissionState {
    return this.#state;
  }

  /** Lets the station keep the mission's live parts (execution, batch) in the same snapshot. */
  patch(part: Partial<Pick<MissionState, "execution" | "batch_left">>): void {
    this.#set(part);
  }

  /** HOLD, the pilot or a failsafe: thinking stops at once, and nothing is proposed until `resume`. */
  interrupt(phase: "held" | "pilot", why: string): void {
    if (this.#state.phase === "complete" || this.#state.phase === "failed") return;
    this.#interruption = { phase, why };
    this.#resumeAsked = false;
    this.#set({ phase, why });
    this.#abort.abort();
  }

  /** False when there is nothing to resume. */
  resume(): boolean {
    if (this.#interruption === null) return false;
    // Asked for while the interrupted step still winds down: remembered, not lost.
    if (this.#resume === null) this.#resumeAsked = true;
    else this.#resume();
    return true;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#abort.abort();
    this.#resume?.();
  }

  /** Runs to the end; settles with the final state. Never rejects but for bugs. */
  async run(): Promise<MissionState> {
    this.#set({});
    while (this.#goesOn()) {
      if (this.#interruption !== null) {
        await this.#waitForResume();
        continue;
      }
      if (this.#state.steps.length >= maxSteps) {
        this.#end("failed", `More than ${String(maxSteps)} steps without completion.`);
        break;
      }
      await this.#step();
    }
    return this.#state;
  }

  #goesOn(): boolean {
    if (this.#cancelled && this.#state.phase !== "complete")
      this.#end("failed", "Cancelled by the operator.");
    return this.#state.phase !== "complete" && this.#state.phase !== "failed";
  }

  async #step(): Promise<void> {
    this.#set({ phase: "reasoning", why: "", execution: null });
    const answered = await queryPolicy(this.#ports, this.#state, this.#abort.signal);
    if (!answered.ok) {
      if (answered.error !== "interrupted") this.#pause(answered.error);
      return;
    }
    const built = this.#propose(answered.value, answered.value.reply.execute);
    if (!built.ok) {
      this.#pause(built.error);
      return;
    }
    await this.#decide(built.value, answered.value);
  }

  async #decide(first: Proposal, answered: Answered): Promise<void> {
    let proposal = first;
    for (;;) {
      const verdict = this.#ports.judge(proposal);
      this.#ports.onProposal(proposal, verdict);
      const step: StepRecord = {
        step: proposal.step,
        proposal,
        verdict,
        decision: null,
        started_at_ms: null,
        ended_at_ms: null,
        status: null,
        detail: "",
      };
      this.#set({
        phase: "awaiting_approval",
        steps: [...this.#state.steps.filter((s) => s.step !== step.step), step],
      });
      const answer = await this.#ports.ask(proposal, verdict);
      if (answer.kind === "edited") {
        const edited = this.#propose(answered, { skill: proposal.call.skill, args: { ...answer.args } });
        if (!edited.ok) {
          this.#pause(edited.error);
          return;
        }
        proposal = edited.value;
        continue;
      }
      await this.#follow(step, answer.kind, answer.record);
      return;
    }
  }

  async #follow(
    step: StepRecord,
    kind: "approved" | "rejected" | "expired" | "voided" | "denied",
    record: DecisionRecord,
  ): Promise<void> {
    const decided = this.#update({ ...step, decision: record });
    if (kind === "expired") this.#pause("No decision came in time; the vehicle holds.");
    if (kind === "denied") this.#end("failed", record.reason);
    if (kind === "voided" && this.#interruption === null && !this.#cancelled) this.#pause(record.reason);
    if (kind !== "approved") return;
    if (decided.proposal.call.skill === "task_complete") {
      this.#update({ ...decided, started_at_ms: this.#now(), ended_at_ms: this.#now(), status: "success" });
      this.#end("complete", "");
      return;
    }
    this.#set({ phase: "executing" });
    const started = this.#update({ ...decided, started_at_ms: this.#now() });
    const flown = await this.#ports.fly(started.proposal);
    this.#finish(started, flown);
  }

  #finish(step: StepRecord, flown: Flown): void {
    this.#set({ execution: null });
    if (flown.kind === "refused") {
      const decision: DecisionRecord = {
        kind: "refused",
        by: "gate",
        reason: flown.detail,
        after_ms: this.#now() - step.proposal.created_at_ms,
      };
      this.#update({ ...step, verdict: flown.verdict, decision, started_at_ms: null });
    } else {
      this.#update({ ...step, ended_at_ms: this.#now(), status: flown.status, detail: flown.detail });
      if (flown.status === "stopped" && this.#interruption === null && !this.#cancelled)
        this.#pause(flown.detail);
    }
    if (this.#interruption === null && this.#setbacks() >= maxSetbacks)
      this.#pause(
        `${skillLibrary[step.proposal.call.skill].title} did not succeed ${String(maxSetbacks)} times: your decision is needed.`,
      );
  }

  /** How often the newest skill has ended badly in a row. */
  #setbacks(): number {
    let count = 0;
    const newest = this.#state.steps.at(-1)?.proposal.call.skill;
    for (const s of [...this.#state.steps].reverse()) {
      const bad = s.status === "failure" || s.status === "timeout" || s.decision?.kind === "refused";
      if (!bad || s.proposal.call.skill !== newest) break;
      count += 1;
    }
    return count;
  }

  #propose(answered: Answered, call: SkillCall): Result<Proposal, string> {
    const { id, steps } = this.#state;
    const observation = this.#ports.observe();
    const complete = withDefaults(call);
    const move = this.#ports.plan(complete);
    if (!move.ok) return move;
    const open = steps.at(-1);
    const number = open !== undefined && open.decision === null ? open.step : steps.length + 1;
    return ok({
      id: this.#ports.newId(),
      mission_id: id ?? "",
      step: number,
      call: complete,
      tier: skillLibrary[complete.skill].tier,
      trace: answered.reply.trace,
      policy: this.#ports.policy.name,
      latency_ms: answered.latency_ms,
      tokens: answered.tokens,
      attempt: answered.invalid.length + 1,
      invalid: answered.invalid,
      observation: { camera_seq: observation.camera_seq, captured_at_ms: observation.captured_at_ms },
      ...move.value,
      created_at_ms: this.#now(),
    });
  }

  /** Stops of its own accord: the vehicle holds and a person decides. */
  #pause(why: string): void {
    this.#interruption = { phase: "held", why };
    this.#set({ phase: "held", why });
    this.#ports.hold(why);
  }

  async #waitForResume(): Promise<void> {
    if (this.#cancelled) return;
    if (!this.#resumeAsked)
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    this.#resumeAsked = false;
    this.#resume = null;
    this.#interruption = null;
    this.#abort = new AbortController();
  }

  #update(step: StepRecord): StepRecord {
    this.#set({ steps: this.#state.steps.map((s) => (s.step === step.step ? step : s)) });
    this.#ports.onStep(step);
    return step;
  }

  #end(phase: Extract<MissionPhase, "complete" | "failed">, why: string): void {
    this.#set({ phase, why, execution: null });
  }

  #set(part: Partial<MissionState>): void {
    this.#state = { ...this.#state, ...part };
    this.#ports.changed(this.#state);
  }

  #now(): number {
    return this.#ports.clock.now_ms();
  }
}
