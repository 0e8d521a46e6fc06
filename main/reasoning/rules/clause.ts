import type { SkillCall, SkillId } from "#contract/skills";

/** One part of a command: the skills it stands for and how it was read. */
export interface Clause {
  readonly calls: readonly SkillCall[];
  /** In words, for the operator: "forward 1 m (2 steps)". */
  readonly words: string;
}

export function steps(skill: SkillId, count: number, words: string): Clause {
  return { calls: Array.from({ length: count }, () => ({ skill, args: {} })), words };
}

/** At most two decimals, always with a point. */
export const figure = (value: number): string => String(Math.round(value * 100) / 100);
