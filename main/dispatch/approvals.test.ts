import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enu } from "#contract/frames";
import type { Proposal } from "#contract/mission";
import type { GateCheck, Verdict } from "#contract/safety";
import type { SkillCall } from "#contract/skills";
import { hovering, proposalOf, standing } from "../../tests/support/flight";
import {
  type ApprovalConfig,
  type ApprovalEvent,
  type ApprovalStep,
  approvalModeRefusal,
  initialApprovals,
  stepApprovals,
} from "./approvals";

const asking: ApprovalConfig = { mode: "ask", timeout_s: 30, veto_window: false, simulation: true };
const at_ms = 10_000;
const check = (id: GateCheck["id"], status: GateCheck["status"]): GateCheck => ({
  id,
  label: id,
  status,
  hard: true,
  value: 1,
  needed: 1,
  unit: "",
  sense: "at_least",
  margin: 0,
  detail: "so and so",
});
const passing: Verdict = { at_ms, pass: true, checks: [check("clearance", "pass")] };
const failing: Verdict = { at_ms, pass: false, checks: [check("clearance", "fail")] };
const forward = (x = 0): Proposal =>
  proposalOf({ skill: "forward", args: {} }, hovering(0, { position_enu_m: enu(x, 0, 1.7) }));
const of = (call: SkillCall): Proposal =>
  proposalOf(call, call.skill === "take_off" ? standing() : hovering());
const open = (proposal: Proposal, verdict = passing, token = "t1"): ApprovalEvent => ({
  kind: "open",
  token,
  proposal,
  verdict,
});
const decide = (decision: unknown): ApprovalEvent => ({ kind: "decide", decision, by: "operator 1" });
const approve = decide({ kind: "approve", token: "t1" });

/** Steps through events at their times and gives every step's result. */
function run(events: readonly (readonly [number, ApprovalEvent])[], config = asking): ApprovalStep[] {
  let state = initialApprovals;
  return events.map(([t, event]) => {
    const step = stepApprovals(state, event, config, t);
    state = step.state;
    return step;
  });
}
const last = (steps: readonly ApprovalStep[]): ApprovalStep => steps.at(-1)!;

describe("a card", () => {
  test("is approved once, after its dwell", () => {
    const steps = run([
      [at_ms, open(forward())],
      [at_ms + 999, approve],
      [at_ms + 1000, approve],
      [at_ms + 1001, approve],
    ]);
    expect(steps.map((s) => [s.effect?.next ?? null, s.refusal !== null])).toEqual([
      [null, false],
      [null, true],
      ["fly", false],
      [null, true],
    ]);
    expect(steps[2]?.effect?.record).toEqual({
      kind: "approved",
      by: "operator 1",
      reason: "",
      after_ms: 1000,
    });
  });

  test("that runs out means no, and holds; an approval in that very millisecond is too late", () => {
    const late = last(
      run([
        [at_ms, open(forward())],
        [at_ms + 30_000, approve],
      ]),
    );
    expect(late).toMatchObject({ effect: null, refusal: "The time for this card has run out" });
    const out = last(
      run([
        [at_ms, open(forward())],
        [at_ms + 29_999, { kind: "tick" }],
        [at_ms + 30_000, { kind: "tick" }],
      ]),
    );
    expect(out.effect).toMatchObject({ next: "hold", record: { kind: "expired" } });
    expect(out.state.card).toBeNull();
  });

  test("with a failed hard limit cannot be approved", () => {
    const step = last(
      run([
        [at_ms, open(forward(), failing)],
        [at_ms + 5000, approve],
      ]),
    );
    expect(step.effect).toBeNull();
    expect(step.refusal).toContain("hard limit");
  });

  test("of arming, landing, contact and lift asks for press-and-hold", () => {
    const holds = (p: Proposal) => last(run([[at_ms, open(p)]])).state.card?.hold_to_confirm;
    expect([
      holds(of({ skill: "take_off", args: {} })),
      holds(of({ skill: "land", args: {} })),
      holds(forward()),
    ]).toEqual([true, true, false]);
    expect(holds({ ...forward(), tier: "T3" })).toBe(true);
  });

  test("rejected with a reason gives that reason; take over and edit close it too", () => {
    const step = (d: object) =>
      last(
        run([
          [at_ms, open(of({ skill: "hold", args: {} }))],
          [at_ms + 10, decide({ token: "t1", ...d })],
        ]),
      );
    expect(step({ kind: "reject", reason: "too close to the lamp" }).effect).toMatchObject({
      next: "reject",
      record: { reason: "too close to the lamp" },
    });
    expect(step({ kind: "take_over" }).effect).toMatchObject({ next: "take_over" });
    expect(step({ kind: "edit", args: { duration_s: 10 } }).effect).toMatchObject({
      next: "edit",
      edited: { skill: "hold", args: { duration_s: 10 } },
    });
    expect(step({ kind: "edit", args: { duration_s: 61 } })).toMatchObject({
      effect: null,
      refusal: expect.stringContaining("from 1 to 60 s") as string,
    });
    expect(step({ kind: "edit", args: { altitude_m: 1 } }).effect).toBeNull();
    expect(step({ kind: "edit", args: { duration_s: Number.NaN } }).effect).toBeNull();
  });

  test("only one is open at a time", () => {
    const step = last(
      run([
        [at_ms, open(forward())],
        [at_ms + 1, open(forward(), passing, "t2")],
      ]),
    );
    expect(step.refusal).not.toBeNull();
    expect(step.state.card?.token).toBe("t1");
  });
});

describe("strands-labs/robots#1087, deepset-ai/haystack#9668: nobody approves but who has seen this card", () => {
  test.each<[string, unknown]>([
    ["an unknown field", { kind: "approve", token: "t1", approved: true }],
    ["the model's words", { approved: true }],
    ["a stale token", { kind: "approve", token: "t0" }],
    ["no token", { kind: "approve" }],
    ["another proposal's id", { kind: "approve", token: "t1", proposal_id: "p0" }],
    ["a string", '{"kind":"approve","token":"t1"}'],
    ["null", null],
    ["a batch of a million", { kind: "approve_next", token: "t1", count: 1e6 }],
    ["a rejection without a reason", { kind: "reject", token: "t1", reason: "" }],
  ])("%s decides nothing", (_name, decision) => {
    const step = last(
      run([
        [at_ms, open(forward())],
        [at_ms + 5000, decide(decision)],
      ]),
    );
    expect(step.effect).toBeNull();
    expect(step.refusal).not.toBeNull();
    expect(step.state.card?.token).toBe("t1");
  });

  test("a decision without a card is refused, an approval after the state changed too", () => {
    expect(last(run([[at_ms, approve]])).refusal).not.toBeNull();
    const voided = run([
      [at_ms, open(forward())],
      [at_ms + 100, { kind: "void", reason: "The map changed" }],
      [at_ms + 5000, approve],
    ]);
    expect(voided[1]?.effect).toMatchObject({
      next: "hold",
      record: { kind: "voided", reason: "The map changed" },
    });
    expect(voided[2]?.effect).toBeNull();
  });
});

describe("a card is void", () => {
  const position = (x: number): ApprovalEvent => ({
    kind: "position",
    position_enu_m: enu(x, 0, 1.7),
    hold_enu_m: enu(0, 0, 1.7),
  });
  const sampled = (x: (t: number) => number, for_ms: number) =>
    run([
      [at_ms, open(forward())],
      ...Array.from({ length: for_ms / 100 }, (_, i) => [at_ms + 100 * i, position(x(100 * i))] as const),
    ]);

  test("when the 3 s mean of position is more than 10 cm off the hold setpoint", () => {
    const steps = sampled(() => 0.12, 5000);
    const at = steps.findIndex((s) => s.effect !== null);
    expect((at - 1) * 100).toBeGreaterThanOrEqual(3000);
    expect((at - 1) * 100).toBeLessThanOrEqual(3400);
    expect(steps[at]?.effect).toMatchObject({
      next: "hold",
      record: { kind: "voided", reason: "The vehicle moved 12 cm off its hold point" },
    });
  });
  test("not by hover wander of 8 cm, nor by a gust of a second", () => {
    expect(sampled((t) => 0.08 * Math.sin(t / 400), 20_000).some((s) => s.effect !== null)).toBe(false);
    expect(sampled((t) => (t > 4000 && t < 5000 ? 0.2 : 0), 10_000).some((s) => s.effect !== null)).toBe(
      false,
    );
  });
  test("by a NaN position", () => {
    expect(sampled(() => Number.NaN, 5000).some((s) => s.effect?.record.kind === "voided")).toBe(true);
  });
});

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
