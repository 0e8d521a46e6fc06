import type { GraderTruth } from "#contract/grader-wire";
import type { Evidence } from "../evidence";

/**
 * Pure questions about things, over the truth of one moment or of a stretch of time: what success means for tasks that
 * move something. Names are those of the hello.
 */
type Known = Pick<Evidence, "hello">;

function place(known: Known, truth: GraderTruth, name: string): GraderTruth["objects"][number] | null {
  const at = known.hello.objects.findIndex((o) => o.name === name);
  return truth.objects[at] ?? null;
}

const touches = (truth: GraderTruth, a: string, b: string): boolean =>
  truth.contacts.some((pair) => pair.includes(a) && pair.includes(b));

/** Held by friction: both fingers press on it, and nothing else carries it. */
export function held(truth: GraderTruth, name: string): boolean {
  const between = touches(truth, "finger/left", name) && touches(truth, "finger/right", name);
  const carried = truth.contacts.some(
    (pair) => pair.includes(name) && !pair.some((n) => n.startsWith("finger/") || n.startsWith("arm/")),
  );
  return between && !carried;
}

/** How far it has risen since the beginning, metres. */
export function risen_m(evidence: Evidence, truth: GraderTruth, name: string): number {
  const first = evidence.truths[0];
  const before = first === undefined ? null : place(evidence, first, name);
  const now = place(evidence, truth, name);
  return before === null || now === null ? Number.NaN : now.p[2] - before.p[2];
}

/** Horizontal distance between two things' middles, metres. */
export function apart_m(evidence: Evidence, truth: GraderTruth, a: string, b: string): number {
  const [one, other] = [place(evidence, truth, a), place(evidence, truth, b)];
  return one === null || other === null
    ? Number.NaN
    : Math.hypot(one.p[0] - other.p[0], one.p[1] - other.p[1]);
}

/** Supported by it and at rest for `rest_s` up to `until_ms`: a thing held above a bowl is not in the bowl. */
export function restsOn(
  evidence: Evidence,
  name: string,
  support: string,
  until_ms: number,
  rest_s = 0.5,
): boolean {
  const stretch = evidence.truths.filter((t) => t.t_ms > until_ms - rest_s * 1000 && t.t_ms <= until_ms);
  const [first] = stretch;
  const from = first === undefined ? null : place(evidence, first, name);
  if (from === null) return false;
  return stretch.every((truth) => {
    const now = place(evidence, truth, name);
    const fingers = truth.contacts.some(
      (pair) => pair.includes(name) && pair.some((n) => n.startsWith("finger/")),
    );
    return (
      now !== null &&
      !fingers &&
      touches(truth, name, support) &&
      Math.hypot(now.p[0] - from.p[0], now.p[1] - from.p[1], now.p[2] - from.p[2]) < 0.005
    );
  });
}

/** How far a door or drawer stands from where it was at the beginning: radians or metres. */
export function opened(evidence: Evidence, truth: GraderTruth, mover: string): number {
  const at = evidence.hello.movers.findIndex((m) => m.name === mover);
  const [before, now] = [evidence.truths[0]?.movers[at], truth.movers[at]];
  return before === undefined || now === undefined ? Number.NaN : Math.abs(now - before);
}
