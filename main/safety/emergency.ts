import type { EmergencyAction } from "#contract/station";
import type { FailsafeDecision } from "./failsafe";

declare const minted: unique symbol;

/**
 * A request that goes past approvals, to the front of dispatch's queue. Only the operator's handler
 * ({@link operatorEmergency}) and the failsafe ({@link failsafeEmergency}) can mint one; reasoning and renderer cannot.
 */
export interface Emergency {
  readonly [minted]: true;
  readonly action: EmergencyAction;
  readonly source: "operator" | "failsafe";
  readonly by: string;
  readonly reason: string;
  readonly at_ms: number;
}

const mint = (fields: Omit<Emergency, typeof minted>): Emergency => Object.freeze(fields) as Emergency;

export const operatorEmergency = (action: EmergencyAction, operator: string, now_ms: number): Emergency =>
  mint({
    action,
    source: "operator",
    by: operator,
    reason: `${operator} pressed ${action.toUpperCase()}`,
    at_ms: now_ms,
  });

/** Null when the decision asks for no command. The failsafe never kills: falling is the operator's choice alone. */
export function failsafeEmergency(decision: FailsafeDecision, now_ms: number): Emergency | null {
  const action =
    decision.action === "hold"
      ? "hold"
      : decision.action === "land" || decision.action === "descend"
        ? "land"
        : null;
  if (action === null) return null;
  return mint({
    action,
    source: "failsafe",
    by: "failsafe",
    reason: decision.causes[0]?.text ?? "failsafe",
    at_ms: now_ms,
  });
}
