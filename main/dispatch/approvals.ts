import type { Enu } from "#contract/frames";
import {
  type ApprovalCard,
  Decision,
  type DecisionRecord,
  type Proposal,
  type SkillStatus,
} from "#contract/mission";
import type { Verdict } from "#contract/safety";
import { type SkillCall, skillLibrary } from "#contract/skills";
import { type Batch, batchable, deviation, openBatch } from "./batch";
import { type DriftWatch, drifted, startDrift, watchDrift } from "./drift";

/** "ask" shows a card; "auto" approves what passes (simulation only); "deny" refuses everything. */
export type ApprovalMode = "ask" | "auto" | "deny";

export interface ApprovalConfig {
  readonly mode: ApprovalMode;
  readonly timeout_s: number;
  /** Silence approves T1 and T2 after 5 s. Only in simulation. */
  readonly veto_window: boolean;
  readonly simulation: boolean;
}

export interface ApprovalsState {
  readonly card: ApprovalCard | null;
  readonly batch: Batch | null;
  readonly drift: DriftWatch;
}
export const initialApprovals: ApprovalsState = { card: null, batch: null, drift: startDrift };

export type ApprovalEvent =
  /** `token` is random and used once; whoever decides has to have seen this very card. */
  | { readonly kind: "open"; readonly token: string; readonly proposal: Proposal; readonly verdict: Verdict }
  /** Whatever came in; it is parsed here, so that nothing unknown decides. */
  | { readonly kind: "decide"; readonly decision: unknown; readonly by: string }
  | { readonly kind: "tick" }
  /** Position and the setpoint that is held, at any rate above 1 Hz. */
  | { readonly kind: "position"; readonly position_enu_m: Enu; readonly hold_enu_m: Enu | null }
  /** The map or site changed, the pilot took over, HOLD was pressed. */
  | { readonly kind: "void"; readonly reason: string }
  /** How the approved skill ended. */
  | { readonly kind: "ended"; readonly status: SkillStatus };

/** What the mission loop does next. Everything but "fly" leaves the vehicle hovering. */
export interface ApprovalEffect {
  readonly next: "fly" | "edit" | "reject" | "take_over" | "hold";
  readonly proposal: Proposal;
  readonly record: DecisionRecord;
  readonly decision: Decision | null;
  /** The edited call: planned, judged and shown as a new card. */
  readonly edited: SkillCall | null;
}

export interface ApprovalStep {
  readonly state: ApprovalsState;
  readonly effect: ApprovalEffect | null;
  /** Why a decision was not taken, in one sentence; the card stays as it is. */
  readonly refusal: string | null;
}

/** A card cannot be approved sooner: a press meant for the one before must not count. */
export const dwell_ms = 1000;
const veto_ms = 5000;

/** `--approve auto` and the veto window exist in simulation only; null when allowed. */
export const approvalModeRefusal = (mode: ApprovalMode, simulation: boolean): string | null =>
  mode === "auto" && !simulation ? "Automatic approval is refused on hardware; use --approve ask" : null;

/** One decision at a time, one card at a time. Pure. */
export function stepApprovals(
  state: ApprovalsState,
  event: ApprovalEvent,
  config: ApprovalConfig,
  now_ms: number,
): ApprovalStep {
  switch (event.kind) {
    case "open":
      return opened(state, event, config, now_ms);
    case "decide":
      return decided(state, event, now_ms);
    case "tick":
      return expired(state, now_ms);
    case "position": {
      const drift = watchDrift(state.drift, event.position_enu_m, now_ms);
      const held = event.hold_enu_m ?? state.card?.proposal.start?.position_enu_m ?? null;
      const moved_m = held === null || state.card === null ? null : drifted(drift, held);
      const next = { ...state, drift };
      return moved_m === null
        ? step(next)
        : voided(next, `The vehicle moved ${(moved_m * 100).toFixed(0)} cm off its hold point`, now_ms);
    }
    case "void":
      return voided({ ...state, batch: null }, event.reason, now_ms);
    case "ended":
      return step(event.status === "success" ? state : { ...state, batch: null });
  }
}

const step = (state: ApprovalsState): ApprovalStep => ({ state, effect: null, refusal: null });
const refuse = (state: ApprovalsState, refusal: string): ApprovalStep => ({ state, effect: null, refusal });
/** Phrased so that a NaN time has run out. */
const timeUp = (state: ApprovalsState, now_ms: number): boolean =>
  state.card !== null && !(now_ms < state.card.expires_at_ms);

function opened(
  state: ApprovalsState,
  { token, proposal, verdict }: ApprovalEvent & { readonly kind: "open" },
  config: ApprovalConfig,
  now_ms: number,
): ApprovalStep {
  if (state.card !== null) return refuse(state, "Another card is waiting for a decision");
  const at_once = (
    kind: DecisionRecord["kind"],
    by: string,
    reason: string,
    batch: Batch | null,
  ): ApprovalStep => {
    const next = kind === "refused" ? "hold" : "fly";
    return {
      ...step({ ...state, batch }),
      effect: { next, proposal, record: { kind, by, reason, after_ms: 0 }, decision: null, edited: null },
    };
  };
  if (config.mode === "deny") return at_once("refused", "station", "Everything is denied", null);
  const refusal = approvalModeRefusal(config.mode, config.simulation);
  if (refusal !== null) return at_once("refused", "station", refusal, null);
  if (config.mode === "auto")
    return verdict.pass
      ? at_once("auto_approved", "station", "Approved automatically in simulation", null)
      : at_once("refused", "station", failedChecks(verdict), null);
  const { batch } = state;
  if (batch !== null && deviation(batch, proposal, verdict, now_ms) === null)
    return at_once(
      "approved_in_batch",
      batch.by,
      `${batch.left.toString()} left`,
      batch.left > 1 ? { ...batch, left: batch.left - 1 } : null,
    );
  const veto = config.veto_window && config.simulation && verdict.pass && batchable(proposal);
  const card: ApprovalCard = {
    token,
    proposal,
    verdict,
    level: veto ? "veto_window" : "approve_each",
    opened_at_ms: now_ms,
    expires_at_ms: now_ms + (veto ? veto_ms : config.timeout_s * 1000),
    dwell_until_ms: now_ms + dwell_ms,
    hold_to_confirm:
      skillLibrary[proposal.call.skill].hold_to_confirm || proposal.tier === "T3" || proposal.tier === "T4",
  };
  return step({ card, batch: null, drift: startDrift });
}

const failedChecks = (verdict: Verdict): string =>
  verdict.checks
    .filter((c) => c.status === "fail")
    .map((c) => `${c.label}: ${c.detail}`)
    .join("; ");

function decided(
  state: ApprovalsState,
  { decision: raw, by }: ApprovalEvent & { readonly kind: "decide" },
  now_ms: number,
): ApprovalStep {
  const parsed = Decision.safeParse(raw);
  if (!parsed.success) return refuse(state, "This is not a decision");
  const decision = parsed.data;
  const { card } = state;
  if (card === null || decision.token !== card.token)
    return refuse(state, "This card has been decided or replaced already");
  if (timeUp(state, now_ms)) return refuse(state, "The time for this card has run out");
  const close = (
    next: ApprovalEffect["next"],
    kind: DecisionRecord["kind"],
    reason: string,
    batch: Batch | null = null,
  ): ApprovalStep =>
    closed(
      { ...state, batch },
      card,
      next,
      { kind, by, reason, after_ms: now_ms - card.opened_at_ms },
      decision,
    );
  switch (decision.kind) {
    case "approve":
    case "approve_next": {
      const no = approvalRefusal(card, decision, now_ms);
      if (no !== null) return refuse(state, no);
      const batch = decision.kind === "approve_next" ? openBatch(card, decision.count, by, now_ms) : null;
      return close("fly", "approved", "", batch);
    }
    case "edit": {
      const call: SkillCall = {
        skill: card.proposal.call.skill,
        args: { ...card.proposal.call.args, ...decision.args },
      };
      const no = editRefusal(call);
      if (no !== null) return refuse(state, no);
      const done = close("edit", "edited", describeArgs(decision.args));
      return done.effect === null ? done : { ...done, effect: { ...done.effect, edited: call } };
    }
    case "reject":
      return close("reject", "rejected", decision.reason);
    case "take_over":
      return close("take_over", "rejected", "The operator takes over");
  }
}

function approvalRefusal(card: ApprovalCard, decision: Decision, now_ms: number): string | null {
  if (!(now_ms >= card.dwell_until_ms)) return "Too soon: look at the card for a second first";
  if (!card.verdict.pass) return `A hard limit failed: ${failedChecks(card.verdict)}`;
  if (decision.kind === "approve_next" && !batchable(card.proposal))
    return "Such a step is approved on its own";
  return null;
}

function editRefusal(call: SkillCall): string | null {
  const { parameters, title } = skillLibrary[call.skill];
  for (const [name, value] of Object.entries(call.args)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) return `${title} has no argument called ${name}`;
    if (!(value >= parameter.min && value <= parameter.max))
      return `${parameter.label} must be from ${parameter.min.toString()} to ${parameter.max.toString()} ${parameter.unit}`;
  }
  return null;
}

const describeArgs = (args: SkillCall["args"]): string =>
  Object.entries(args)
    .map(([name, value]) => `${name} = ${value.toString()}`)
    .join(", ");

const closed = (
  state: ApprovalsState,
  card: ApprovalCard,
  next: ApprovalEffect["next"],
  record: DecisionRecord,
  decision: Decision | null,
): ApprovalStep => ({
  state: { ...state, card: null },
  effect: { next, proposal: card.proposal, record, decision, edited: null },
  refusal: null,
});

/** When time runs out the answer is no and the vehicle holds; in a veto window silence is consent. */
function expired(state: ApprovalsState, now_ms: number): ApprovalStep {
  const { card } = state;
  if (card === null || !timeUp(state, now_ms)) return step(state);
  const after_ms = now_ms - card.opened_at_ms;
  if (card.level === "veto_window")
    return closed(
      state,
      card,
      "fly",
      { kind: "auto_approved", by: "station", reason: "Not vetoed in 5 s", after_ms },
      null,
    );
  const record: DecisionRecord = { kind: "expired", by: "station", reason: "No decision in time", after_ms };
  return closed({ ...state, batch: null }, card, "hold", record, null);
}

function voided(state: ApprovalsState, reason: string, now_ms: number): ApprovalStep {
  const { card } = state;
  if (card === null) return step(state);
  const record: DecisionRecord = {
    kind: "voided",
    by: "station",
    reason,
    after_ms: now_ms - card.opened_at_ms,
  };
  return closed({ ...state, batch: null }, card, "hold", record, null);
}
