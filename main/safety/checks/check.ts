import type { Proposal } from "#contract/mission";
import type { CheckId, GateCheck } from "#contract/safety";
import type { JudgeContext } from "../context";
import type { Plan } from "../plan";

export interface CheckInput {
  readonly proposal: Proposal;
  /** Planned anew from the fresh vehicle state; null when it could not be. */
  readonly plan: Plan | null;
  readonly context: JudgeContext;
  readonly now_ms: number;
}

/** What a check finds. Whether a failure blocks is the skill's matter, not the check's. */
export type Finding = Omit<GateCheck, "hard">;
export type Check = (input: CheckInput) => Finding;

interface Measure {
  readonly id: CheckId;
  readonly label: string;
  readonly value: number;
  readonly needed: number;
  readonly unit: string;
  readonly sense: GateCheck["sense"];
  /** Below this margin a passing check is shown as a caution. */
  readonly thin?: number;
  readonly detail: string;
}

/** A number against its limit. Phrased so that NaN fails; the margin is a share of the limit (of 1 when the limit is 0). */
export function measured(m: Measure): Finding {
  const room = m.sense === "at_least" ? m.value - m.needed : m.needed - m.value;
  const margin = room / (Math.abs(m.needed) || 1);
  const holds = m.sense === "at_least" ? m.value >= m.needed : m.value <= m.needed;
  return {
    id: m.id,
    label: m.label,
    status: !holds ? "fail" : margin < (m.thin ?? 0) ? "caution" : "pass",
    value: finite(m.value),
    needed: finite(m.needed),
    unit: m.unit,
    sense: m.sense,
    margin: finite(margin),
    detail: m.detail,
  };
}

/** A condition without a scale. */
export const condition = (id: CheckId, label: string, holds: boolean, detail: string): Finding => ({
  id,
  label,
  status: holds ? "pass" : "fail",
  value: holds ? 1 : 0,
  needed: 1,
  unit: "",
  sense: "at_least",
  margin: holds ? 1 : -1,
  detail,
});

/** Nothing could be measured, which is a failure unless the check says why a caution is enough. */
export const unmeasured = (
  id: CheckId,
  label: string,
  detail: string,
  status: "fail" | "caution" = "fail",
): Finding => ({
  id,
  label,
  status,
  value: null,
  needed: null,
  unit: "",
  sense: "at_least",
  margin: null,
  detail,
});

/** Numbers that JSON can carry; far beyond any limit is as good as infinite. */
function finite(value: number): number | null {
  if (Number.isNaN(value)) return null;
  return Math.max(-1000, Math.min(1000, value));
}
