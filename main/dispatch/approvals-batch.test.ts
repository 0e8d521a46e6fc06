import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Proposal } from "#contract/mission";
import type { Verdict } from "#contract/safety";
import {
  asking,
  at_ms,
  check,
  decide,
  failing,
  forward,
  last,
  of,
  open,
  passing,
  run,
} from "../../tests/support/approval-cards";
import {
  type ApprovalConfig,
  type ApprovalEvent,
  approvalModeRefusal,
  initialApprovals,
  stepApprovals,
} from "./approvals";

describe("approve next N", () => {
  const batch = decide({ kind: "approve_next", token: "t1", count: 3 });
  const opened: (readonly [number, ApprovalEvent])[] = [
    [at_ms, open(forward())],
    [at_ms + 1000, batch],
  ];
  const then = (...more: (readonly [number, ApprovalEvent])[]) => run([...opened, ...more]).slice(2);

  test("approves two more of the same kind, then asks again", () => {
    const steps = then(
      [20_000, open(forward(0.5))],
      [30_000, open(forward(1))],
      [40_000, open(forward(1.5))],
    );
    expect(steps.map((s) => s.effect?.record.kind ?? null)).toEqual([
      "approved_in_batch",
      "approved_in_batch",
      null,
    ]);
    expect(steps[2]?.state.card).not.toBeNull();
  });
  test.each<[string, ApprovalEvent[], Proposal, Verdict, number]>([
    ["another skill", [], of({ skill: "left", args: {} }), passing, 20_000],
    ["a failed check", [], forward(0.5), failing, 20_000],
    ["a new caution", [], forward(0.5), { ...passing, checks: [check("battery", "caution")] }, 20_000],
    ["outside its box", [], forward(4), passing, 20_000],
    ["too late", [], forward(0.5), passing, 400_000],
    ["a step that did not succeed", [{ kind: "ended", status: "timeout" }], forward(0.5), passing, 20_000],
    ["HOLD or the pilot", [{ kind: "void", reason: "HOLD" }], forward(0.5), passing, 20_000],
  ])("is revoked by %s", (_name, before, proposal, verdict, t) => {
    const steps = then(
      ...before.map((e) => [15_000, e] as const),
      [t, open(proposal, verdict)],
      [t + 1, { kind: "void", reason: "x" }],
      [t + 2, open(forward(0.5))],
    );
    expect(steps.some((s) => s.effect?.record.kind === "approved_in_batch")).toBe(false);
  });
  test("is not offered for arming, landing, contact and lift", () => {
    for (const p of [
      of({ skill: "take_off", args: {} }),
      of({ skill: "land", args: {} }),
      { ...forward(), tier: "T4" as const },
    ])
      expect(
        last(
          run([
            [at_ms, open(p)],
            [at_ms + 2000, batch],
          ]),
        ).refusal,
      ).toBe("Such a step is approved on its own");
  });
});

describe("modes", () => {
  test("auto is for simulation alone, and still stops at a failed check", () => {
    const auto: ApprovalConfig = { ...asking, mode: "auto" };
    expect(last(run([[0, open(forward())]], auto)).effect).toMatchObject({
      next: "fly",
      record: { kind: "auto_approved" },
    });
    expect(last(run([[0, open(forward(), failing)]], auto)).effect).toMatchObject({
      next: "hold",
      record: { kind: "refused" },
    });
    expect(last(run([[0, open(forward())]], { ...auto, simulation: false })).effect).toMatchObject({
      next: "hold",
    });
    expect([approvalModeRefusal("auto", true), approvalModeRefusal("ask", false)]).toEqual([null, null]);
  });
  test("deny refuses everything", () => {
    expect(last(run([[0, open(forward())]], { ...asking, mode: "deny" })).effect).toMatchObject({
      next: "hold",
      record: { kind: "refused" },
    });
  });
  test("a veto window exists for T1 and T2 in simulation only", () => {
    const veto = { ...asking, veto_window: true };
    const silent = (p: Proposal, config: ApprovalConfig, v = passing) =>
      last(
        run(
          [
            [at_ms, open(p, v)],
            [at_ms + 31_000, { kind: "tick" }],
          ],
          config,
        ),
      ).effect?.next;
    expect(silent(forward(), veto)).toBe("fly");
    expect(silent(forward(), { ...veto, simulation: false })).toBe("hold");
    expect(silent(forward(), veto, failing)).toBe("hold");
    expect(silent(of({ skill: "take_off", args: {} }), veto)).toBe("hold");
    expect(silent({ ...forward(), tier: "T3" }, veto)).toBe("hold");
  });
});

test("model: in any order of events a card flies at most once, only by its own token, in time, with a passed verdict", () => {
  const token = fc.constantFrom("t1", "t2", "t3");
  const event = fc.oneof(
    fc.record({ kind: fc.constant("open" as const), verdict: fc.constantFrom(passing, failing), token }),
    fc.record({ kind: fc.constant("approve" as const), token }),
    fc.record({ kind: fc.constant("void" as const) }),
    fc.record({ kind: fc.constant("tick" as const) }),
    fc.record({ kind: fc.constant("reject" as const), token }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 12_000 }), event), { maxLength: 40 }),
      (script) => {
        let now_ms = 0;
        let state = initialApprovals;
        let card: { token: string; at_ms: number; pass: boolean } | null = null;
        for (const [wait_ms, e] of script) {
          now_ms += wait_ms;
          const input: ApprovalEvent =
            e.kind === "open"
              ? open(forward(), e.verdict, e.token)
              : e.kind === "approve"
                ? decide({ kind: "approve", token: e.token })
                : e.kind === "reject"
                  ? decide({ kind: "reject", token: e.token, reason: "no" })
                  : e.kind === "void"
                    ? { kind: "void", reason: "x" }
                    : { kind: "tick" };
          const step = stepApprovals(state, input, asking, now_ms);
          if (step.effect?.next === "fly") {
            expect(e.kind === "approve" && card !== null && card.pass && e.token === card.token).toBe(true);
            expect(now_ms - card!.at_ms).toBeGreaterThanOrEqual(1000);
            expect(now_ms - card!.at_ms).toBeLessThan(30_000);
          }
          if (e.kind === "open" && card === null)
            card = { token: e.token, at_ms: now_ms, pass: e.verdict.pass };
          if (step.state.card === null) card = null;
          expect(step.state.card?.token ?? null).toBe(card?.token ?? null);
          state = step.state;
        }
      },
    ),
  );
});
