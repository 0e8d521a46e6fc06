import type { Enu } from "#contract/frames";
import type { ApprovalCard, Proposal } from "#contract/mission";
import type { CheckId, Verdict } from "#contract/safety";
import { type SkillId, skillLibrary } from "#contract/skills";

/** "Approve next N of this kind": bounded in number, box and time; anything out of line revokes it. */
export interface Batch {
  readonly skill: SkillId;
  readonly args: string;
  readonly left: number;
  readonly min_enu_m: Enu;
  readonly max_enu_m: Enu;
  readonly expires_at_ms: number;
  /** Cautions that the operator saw on the card; a new one asks again. */
  readonly cautions: ReadonlySet<CheckId>;
  readonly by: string;
}

const box_slack_m = 0.25;
/** Reasoning and settling between two steps. */
const pause_s = 20;

const argsOf = (proposal: Proposal): string =>
  JSON.stringify(Object.entries(proposal.call.args).sort(([a], [b]) => (a < b ? -1 : 1)));

const cautionsOf = (verdict: Verdict): ReadonlySet<CheckId> =>
  new Set(verdict.checks.filter((c) => c.status === "caution").map((c) => c.id));

/** Small free moves only: contact, lift, arming and landing are approved one by one, always. */
export const batchable = (proposal: Proposal): boolean =>
  (proposal.tier === "T1" || proposal.tier === "T2") &&
  !skillLibrary[proposal.call.skill].hold_to_confirm &&
  proposal.start !== null;

/** What approving this card and `count - 1` more like it allows; null when such a card cannot be batched. */
export function openBatch(card: ApprovalCard, count: number, by: string, now_ms: number): Batch | null {
  const { proposal, verdict } = card;
  if (!batchable(proposal) || proposal.start === null) return null;
  const reach_m = count * proposal.distance_m + box_slack_m;
  const [x, y, z] = proposal.start.position_enu_m;
  return {
    skill: proposal.call.skill,
    args: argsOf(proposal),
    left: count - 1,
    min_enu_m: [x - reach_m, y - reach_m, z - reach_m],
    max_enu_m: [x + reach_m, y + reach_m, z + reach_m],
    expires_at_ms: now_ms + count * (proposal.duration_s + pause_s) * 1000,
    cautions: cautionsOf(verdict),
    by,
  };
}

/** Why the next proposal is not covered; null when it is. */
export function deviation(batch: Batch, proposal: Proposal, verdict: Verdict, now_ms: number): string | null {
  if (!(now_ms < batch.expires_at_ms)) return "the time of the batch is over";
  if (proposal.call.skill !== batch.skill) return `${proposal.call.skill} is not ${batch.skill}`;
  if (argsOf(proposal) !== batch.args) return "the arguments differ";
  if (!batchable(proposal)) return "such a step is approved on its own";
  if (!verdict.pass) return "a check failed";
  const fresh = verdict.checks.find((c) => c.status === "caution" && !batch.cautions.has(c.id));
  if (fresh !== undefined) return `new caution: ${fresh.label}`;
  const end = proposal.end?.position_enu_m;
  const inside =
    end?.every((v, i) => v >= (batch.min_enu_m[i] ?? NaN) && v <= (batch.max_enu_m[i] ?? NaN)) === true;
  return inside ? null : "it leaves the box of the batch";
}
