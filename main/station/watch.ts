import type { Clock } from "../platform/clock";
import type { JudgeContext } from "../safety/context";
import type { Emergency } from "../safety/emergency";
import { failsafeEmergency } from "../safety/emergency";
import { initialFailsafe, stepFailsafe } from "../safety/failsafe";
import { failsafeFlags } from "../safety/flags";
import type { AlertDesk } from "./alert-desk";

export interface WatchInput {
  readonly context: JudgeContext;
  readonly mission_running: boolean;
  /** Why the mission waits for a person in the air; null when it does not. */
  readonly waiting_for_decision: string | null;
  readonly common_shift_m: number;
}

export interface WatchPorts {
  readonly clock: Clock;
  readonly alerts: AlertDesk;
  /** Last sign of life of the window; null when there is none. */
  readonly screenAlive_ms: () => number | null;
  readonly input: () => WatchInput;
  readonly act: (emergency: Emergency, causes: readonly string[]) => void;
}

/** The failsafe on a clock: everything that may be wrong, one action, the worst wins; what begins is announced. */
export class FailsafeWatch {
  readonly #ports: WatchPorts;
  #state = initialFailsafe;

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  /** Called at 10 Hz and with every picture. */
  look(): void {
    const { clock, alerts, screenAlive_ms, act } = this.#ports;
    const { context, ...input } = this.#ports.input();
    const now_ms = clock.now_ms();
    const flags = failsafeFlags(
      { ...context, ...input, screen_alive_at_ms: screenAlive_ms(), timed_out_skill: null },
      now_ms,
    );
    const step = stepFailsafe(this.#state, flags);
    this.#state = step.state;
    for (const cause of step.raised) alerts.raise(cause.id, cause.severity, cause.text, cause.advice);
    if (step.act === null) return;
    const emergency = failsafeEmergency(step.act, now_ms);
    if (emergency !== null)
      act(
        emergency,
        step.act.causes.map((c) => c.text),
      );
  }
}
