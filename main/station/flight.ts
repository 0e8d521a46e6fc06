import { randomUUID } from "node:crypto";
import {
  type ApprovalCard,
  type Decision,
  type DecisionRecord,
  idleMission,
  type MissionState,
  type Proposal,
} from "#contract/mission";
import type { FrameReport } from "#contract/perception";
import { err, ok, type Result } from "#contract/result";
import type { Verdict } from "#contract/safety";
import type { VehicleState } from "#contract/vehicle";
import { ApprovalDesk } from "../dispatch/approval-desk";
import type { ApprovalConfig, ApprovalEffect } from "../dispatch/approvals";
import type { Dispatch } from "../dispatch/dispatch";
import type { Clock } from "../platform/clock";
import { MissionLoop } from "../reasoning/loop";
import type { Answer, Flown, LoopPorts } from "../reasoning/loop-port";
import type { Policy } from "../reasoning/port";
import type { Observation } from "../reasoning/prompt";
import { isFlying } from "../safety/checks/vehicle-healthy";
import type { JudgeContext } from "../safety/context";
import { judge } from "../safety/gate";
import { planSkill } from "../safety/plan";
import type { Recorder } from "./recorder";

export interface FlightPorts {
  readonly clock: Clock;
  readonly policy: Policy;
  readonly dispatch: Dispatch<unknown>;
  readonly recorder: Recorder;
  readonly vehicle: () => VehicleState;
  readonly context: () => JudgeContext;
  readonly observe: () => Observation;
  readonly approvals: () => ApprovalConfig;
  readonly operator: () => string;
  /** The mission stops of its own accord: the vehicle shall hold. */
  readonly hold: (why: string) => void;
  readonly onMission: (mission: MissionState) => void;
  readonly onCard: (card: ApprovalCard | null) => void;
}

const unfinished = new Set<MissionState["phase"]>([
  "reasoning",
  "awaiting_approval",
  "executing",
  "held",
  "pilot",
]);

/** One mission at a time: the loop, its approvals, and the second judgement on fresh state just before flying. */
export class Flight {
  readonly #ports: FlightPorts;
  readonly #desk: ApprovalDesk;
  #loop: MissionLoop | null = null;
  #mission: MissionState;

  constructor(ports: FlightPorts) {
    this.#ports = ports;
    this.#mission = idleMission(ports.policy.name);
    this.#desk = new ApprovalDesk({
      clock: ports.clock,
      token: randomUUID,
      config: ports.approvals,
      onCard: ports.onCard,
    });
    ports.dispatch.onEvent((event) => {
      if (event.kind === "execution") this.#loop?.patch({ execution: event.execution });
    });
  }

  get mission(): MissionState {
    return this.#mission;
  }
  get card(): ApprovalCard | null {
    return this.#desk.card();
  }
  /** A mission is under way, be it held: what must not be interrupted silently. */
  get running(): boolean {
    return unfinished.has(this.#mission.phase);
  }
  /** A skill is being flown or about to be: what a failsafe holds. */
  get active(): boolean {
    return (
      this.#mission.phase === "reasoning" ||
      this.#mission.phase === "awaiting_approval" ||
      this.#mission.phase === "executing"
    );
  }

  async start(command: string): Promise<Result<void, string>> {
    if (this.running) return err("A mission is still under way; cancel it first.");
    const { policy, vehicle, recorder, operator } = this.#ports;
    if (!vehicle().connected) return err("No vehicle is connected.");
    const understood = policy.understand?.(command) ?? { ok: true as const, steps: [] };
    if (!understood.ok) return err(understood.reason);
    await recorder.begin(command);
    if (this.#underWay()) return err("Another mission began meanwhile; cancel it first.");
    recorder.audit("mission", operator(), { command, policy: policy.name, understood: understood.steps });
    const loop = new MissionLoop(this.#loopPorts(), command, understood.steps);
    this.#loop = loop;
    void loop.run().then((end) => {
      recorder.audit("mission_end", "station", {
        command,
        phase: end.phase,
        why: end.why,
        steps: end.steps.length,
      });
    });
    return ok(undefined);
  }

  /** Asked anew after every wait. */
  #underWay(): boolean {
    return this.running;
  }

  /** Ends the mission; the vehicle hovers on. */
  cancel(by: string): Result<void, string> {
    if (this.#loop === null || !this.running) return err("No mission is under way.");
    this.#loop.cancel();
    this.#desk.void(`Cancelled by ${by}`);
    this.#ports.dispatch.stop(`Cancelled by ${by}`);
    return ok(undefined);
  }

  /** Goes on after a hold. After a pilot's takeover this is the explicit hand-back. */
  resume(by: string): Result<void, string> {
    const { dispatch, recorder } = this.#ports;
    const taken = dispatch.control() !== "station";
    if (taken) {
      const back = dispatch.handBack();
      if (!back.ok) return back;
    }
    recorder.audit("hand_back", by, { control: taken });
    const resumed = this.#loop?.resume() ?? false;
    return taken || resumed ? ok(undefined) : err("Nothing is waiting to be resumed.");
  }

  decide(decision: Decision, by: string): Result<void, string> {
    const proposal = this.#desk.card()?.proposal;
    const outcome = this.#desk.decide(decision, by);
    if (!outcome.ok)
      this.#ports.recorder.audit("decision_refused", by, {
        decision,
        reason: outcome.error,
        proposal: proposal?.id ?? null,
      });
    return outcome;
  }

  /** HOLD, LAND, KILL, the pilot, a failsafe: approvals are void, thinking stops. */
  interrupt(phase: "held" | "pilot", why: string): void {
    this.#desk.void(why);
    if (this.#loop !== null && this.running) this.#loop.interrupt(phase, why);
  }

  /** Called at 10 Hz with the newest state. */
  tick(): void {
    const { position_enu_m } = this.#ports.vehicle();
    const hold = this.#ports.dispatch.holdSetpoint();
    if (position_enu_m !== null) this.#desk.observe(position_enu_m, hold?.position_enu_m ?? null);
    if (this.#loop !== null && this.#mission.batch_left !== this.#desk.batchLeft())
      this.#loop.patch({ batch_left: this.#desk.batchLeft() });
  }

  close(): void {
    this.#loop?.cancel();
    this.#desk.close();
  }

  #loopPorts(): LoopPorts {
    const { clock, policy, observe, recorder, hold } = this.#ports;
    return {
      clock,
      policy,
      newId: randomUUID,
      observe,
      plan: (call) => planSkill(call, this.#ports.vehicle(), this.#ports.context()),
      judge: (proposal) => judge(proposal, this.#ports.context(), clock.now_ms()).verdict,
      ask: (proposal, verdict) => this.#ask(proposal, verdict),
      fly: (proposal) => this.#fly(proposal),
      hold,
      changed: (mission) => {
        this.#mission = mission;
        this.#ports.onMission(mission);
      },
      onProposal: (proposal, verdict) => {
        recorder.write("/kingfisher/proposal", proposal);
        recorder.write("/kingfisher/verdict", { proposal_id: proposal.id, stage: "first", verdict });
        recorder.audit("proposal", proposal.policy, {
          id: proposal.id,
          call: proposal.call,
          pass: verdict.pass,
        });
      },
      onInvalid: (answer) => {
        recorder.write("/kingfisher/text", {
          severity: "caution",
          source: policy.name,
          text: `Invalid answer ${String(answer.attempt)}: ${answer.reason}`,
        });
      },
      onStep: (step) => {
        recorder.write("/kingfisher/step", step);
      },
    };
  }

  async #ask(proposal: Proposal, verdict: Verdict): Promise<Answer> {
    if (proposal.call.skill === "task_complete") {
      // Tier T0: words only, nothing moves.
      const record: DecisionRecord = { kind: "auto_approved", by: "station", reason: "tier T0", after_ms: 0 };
      return { kind: "approved", record };
    }
    const effect = await this.#desk.ask(proposal, verdict);
    const { recorder } = this.#ports;
    recorder.write("/kingfisher/decision", {
      proposal_id: proposal.id,
      decision: effect.decision,
      record: effect.record,
    });
    recorder.audit("decision", effect.record.by, {
      proposal: proposal.id,
      ...effect.record,
      next: effect.next,
    });
    return this.#answer(effect);
  }

  #answer(effect: ApprovalEffect): Answer {
    const { record } = effect;
    switch (effect.next) {
      case "fly":
        return { kind: "approved", record };
      case "edit":
        return { kind: "edited", args: effect.edited?.args ?? {}, record };
      case "reject":
        return { kind: "rejected", record };
      case "take_over":
        this.#loop?.interrupt("pilot", `${record.by} took over`);
        return { kind: "voided", record };
      case "hold":
        if (record.kind === "expired") return { kind: "expired", record };
        if (record.kind === "refused" && this.#ports.approvals().mode === "deny")
          return { kind: "denied", record };
        return { kind: "voided", record };
    }
  }

  /** Judges again on the state of this very moment; only what passes now is flown. */
  async #fly(proposal: Proposal): Promise<Flown> {
    const { clock, recorder, dispatch } = this.#ports;
    const { verdict, cleared } = judge(proposal, this.#ports.context(), clock.now_ms());
    recorder.write("/kingfisher/verdict", { proposal_id: proposal.id, stage: "second", verdict });
    recorder.audit("second_judgement", "gate", { proposal: proposal.id, pass: verdict.pass });
    if (cleared === null) {
      const failed = verdict.checks.filter((c) => c.status === "fail").map((c) => `${c.label}: ${c.detail}`);
      return { kind: "refused", verdict, detail: failed.join("; ") };
    }
    const outcome = await dispatch.fly(cleared);
    this.#desk.ended(outcome.status);
    return { kind: "ended", status: outcome.status, detail: outcome.detail };
  }
}

/** What a policy may know of this moment. */
export function observation(vehicle: VehicleState, report: FrameReport | null): Observation {
  const yaw_rad = vehicle.yaw_enu_rad;
  const from = vehicle.position_enu_m;
  return {
    camera_seq: report?.seq ?? null,
    captured_at_ms: report?.captured_at_ms ?? null,
    position_enu_m: from,
    yaw_enu_rad: yaw_rad,
    armed: vehicle.armed,
    in_air: isFlying(vehicle),
    ahead_m: report?.ahead_m ?? null,
    brightness: report?.brightness ?? null,
    objects: (report?.objects ?? []).map((o) => {
      const dx = o.position_enu_m[0] - (from?.[0] ?? 0);
      const dy = o.position_enu_m[1] - (from?.[1] ?? 0);
      const bearing_rad = Math.atan2(dy, dx) - (yaw_rad ?? 0);
      return {
        label: o.label,
        seen: o.seen,
        range_m: Math.hypot(dx, dy, o.position_enu_m[2] - (from?.[2] ?? 0)),
        bearing_rad: Math.atan2(Math.sin(bearing_rad), Math.cos(bearing_rad)),
      };
    }),
  };
}
