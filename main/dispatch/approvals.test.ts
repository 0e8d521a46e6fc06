import { describe, expect, test } from "vitest";
import { enu } from "#contract/frames";
import type { Proposal } from "#contract/mission";
import {
  approve,
  at_ms,
  decide,
  failing,
  forward,
  last,
  of,
  open,
  passing,
  run,
} from "../../tests/support/approval-cards";
import type { ApprovalEvent } from "./approvals";

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
