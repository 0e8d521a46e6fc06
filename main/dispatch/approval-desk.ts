import type { Enu } from "#contract/frames";
import type { ApprovalCard, Proposal, SkillStatus } from "#contract/mission";
import { err, invariant, ok, type Result } from "#contract/result";
import type { Verdict } from "#contract/safety";
import type { Cancel, Clock } from "../platform/clock";
import {
  type ApprovalConfig,
  type ApprovalEffect,
  type ApprovalEvent,
  initialApprovals,
  stepApprovals,
} from "./approvals";

export interface ApprovalPorts {
  readonly clock: Clock;
  /** Unguessable and never repeated: crypto.randomUUID. */
  readonly token: () => string;
  readonly config: () => ApprovalConfig;
  /** The card that waits for a decision; null when none does. */
  readonly onCard: (card: ApprovalCard | null) => void;
}

const check_every_ms = 100;

/** Runs the approval machine on a clock: {@link ask} waits for whatever decides, be it a person, a batch or time. */
export class ApprovalDesk {
  readonly #ports: ApprovalPorts;
  readonly #stopTicking: Cancel;
  #state = initialApprovals;
  #waiting: ((effect: ApprovalEffect) => void) | null = null;

  constructor(ports: ApprovalPorts) {
    this.#ports = ports;
    this.#stopTicking = ports.clock.every(check_every_ms, () => {
      if (this.#state.card !== null) this.#step({ kind: "tick" });
    });
  }

  card(): ApprovalCard | null {
    return this.#state.card;
  }
  /** Steps still approved in the running batch. */
  batchLeft(): number {
    return this.#state.batch?.left ?? 0;
  }

  ask(proposal: Proposal, verdict: Verdict): Promise<ApprovalEffect> {
    invariant(this.#waiting === null, "one card at a time");
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#step({ kind: "open", token: this.#ports.token(), proposal, verdict });
    });
  }

  /** The error is one sentence for the operator; the card stays as it was. */
  decide(decision: unknown, by: string): Result<void, string> {
    const refusal = this.#step({ kind: "decide", decision, by });
    return refusal === null ? ok(undefined) : err(refusal);
  }
  observe(position_enu_m: Enu, hold_enu_m: Enu | null): void {
    this.#step({ kind: "position", position_enu_m, hold_enu_m });
  }
  /** The map changed, the pilot took over, HOLD was pressed. Ends a batch too. */
  void(reason: string): void {
    this.#step({ kind: "void", reason });
  }
  ended(status: SkillStatus): void {
    this.#step({ kind: "ended", status });
  }
  close(): void {
    this.void("The station is closing");
    this.#stopTicking();
  }

  #step(event: ApprovalEvent): string | null {
    const before = this.#state.card;
    const { state, effect, refusal } = stepApprovals(
      this.#state,
      event,
      this.#ports.config(),
      this.#ports.clock.now_ms(),
    );
    this.#state = state;
    if (state.card !== before) this.#ports.onCard(state.card);
    if (effect !== null) {
      const settle = this.#waiting;
      this.#waiting = null;
      settle?.(effect);
    }
    return refusal;
  }
}
