import { expect, test } from "vitest";
import type { ApprovalCard } from "#contract/mission";
import type { Verdict } from "#contract/safety";
import { FakeClock } from "../../tests/support/fake-clock";
import { hovering, proposalOf } from "../../tests/support/flight";
import { ApprovalDesk } from "./approval-desk";

const verdict: Verdict = { at_ms: 0, pass: true, checks: [] };
const proposal = proposalOf({ skill: "forward", args: {} }, hovering());

function rig() {
  const clock = new FakeClock();
  const cards: (ApprovalCard | null)[] = [];
  let tokens = 0;
  const desk = new ApprovalDesk({
    clock,
    token: () => `token ${++tokens}`,
    config: () => ({ mode: "ask", timeout_s: 30, veto_window: false, simulation: false }),
    onCard: (card) => void cards.push(card),
  });
  return { clock, desk, cards };
}

test("waits for a decision on the card it shows", async () => {
  const { clock, desk, cards } = rig();
  const asked = desk.ask(proposal, verdict);
  clock.advance(1500);
  expect(desk.decide({ kind: "approve", token: "guess" }, "x").ok).toBe(false);
  expect(desk.decide({ kind: "approve", token: cards[0]!.token }, "operator 1")).toEqual({
    ok: true,
    value: undefined,
  });
  expect(await asked).toMatchObject({
    next: "fly",
    record: { kind: "approved", by: "operator 1", after_ms: 1500 },
  });
  expect(cards.at(-1)).toBeNull();
});

test("A card that runs out holds, without anybody asking", async () => {
  const { clock, desk } = rig();
  const asked = desk.ask(proposal, verdict);
  clock.advance(30_100);
  expect(await asked).toMatchObject({ next: "hold", record: { kind: "expired" } });
  expect(desk.card()).toBeNull();
});

test("every card has a token of its own, and closing voids the open one", async () => {
  const { clock, desk, cards } = rig();
  const first = desk.ask(proposal, verdict);
  desk.void("HOLD");
  await first;
  const second = desk.ask(proposal, verdict);
  expect(new Set(cards.flatMap((c) => c?.token ?? [])).size).toBe(2);
  desk.close();
  expect(await second).toMatchObject({ next: "hold", record: { kind: "voided" } });
  clock.advance(60_000);
  expect(cards.at(-1)).toBeNull();
});
