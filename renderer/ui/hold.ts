/**
 * Press-and-hold as a state machine, the same for the mouse and the keyboard: what is held long enough fires once, and
 * nothing fires twice without being let go. A press that began before `allowed_from_ms` never counts, so that a key still
 * held from the last card cannot approve the next.
 */
export type Hold =
  | { readonly state: "idle" }
  | { readonly state: "holding"; readonly since_ms: number }
  | { readonly state: "fired" };

export type HoldEvent = "press" | "release" | "tick";

export interface HoldRule {
  readonly duration_ms: number;
  readonly allowed_from_ms: number;
}

export const idle: Hold = { state: "idle" };

export function stepHold(hold: Hold, event: HoldEvent, rule: HoldRule, now_ms: number): Hold {
  if (event === "release") return idle;
  if (event === "press") {
    if (hold.state !== "idle" || !(now_ms >= rule.allowed_from_ms)) return hold;
    return rule.duration_ms <= 0 ? { state: "fired" } : { state: "holding", since_ms: now_ms };
  }
  const held_long_enough = hold.state === "holding" && now_ms - hold.since_ms >= rule.duration_ms;
  return held_long_enough ? { state: "fired" } : hold;
}

/** Share of the hold that is over, 0-1. */
export function heldShare(hold: Hold, rule: HoldRule, now_ms: number): number {
  if (hold.state !== "holding") return hold.state === "fired" ? 1 : 0;
  return Math.max(0, Math.min(1, (now_ms - hold.since_ms) / rule.duration_ms));
}
