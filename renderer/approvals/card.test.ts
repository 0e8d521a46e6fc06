import { describe, expect, it } from "vitest";
import type { ApprovalCard } from "#contract/mission";
import type { GateCheck } from "#contract/safety";
import { sample_now_ms } from "../../tests/support/sample-flight";
import { sampleCard, sampleVerdict } from "../../tests/support/samples";
import { firstSentence, mayBatch, measured, meterShare, refusal, splitChecks, timeLeft } from "./card";

const [first] = sampleVerdict.checks;
if (first === undefined) throw new Error("the sample has checks");
const failing: GateCheck = {
  ...first,
  status: "fail",
  value: 0.1,
  margin: -0.6,
  detail: "0.10 m from the table",
};
const withChecks = (checks: readonly GateCheck[], pass = true): ApprovalCard => ({
  ...sampleCard,
  verdict: { ...sampleVerdict, pass, checks },
});

describe("approval card", () => {
  it("cannot be approved with a failed check, whatever the verdict says of itself", () => {
    expect(refusal(sampleCard)).toBeNull();
    expect(refusal(withChecks([failing], true))).toBe("Clearance, table: 0.10 m from the table");
    expect(refusal(withChecks(sampleVerdict.checks, false))).not.toBeNull();
  });

  it("names a failed hard limit before a soft one", () => {
    const soft = { ...failing, hard: false, label: "Soft" };
    expect(refusal(withChecks([soft, failing]))).toContain("Clearance");
  });

  it("shows everything that is not a plain pass, and at least three checks", () => {
    expect(splitChecks(sampleVerdict.checks).shown).toHaveLength(3);
    const five = Array.from({ length: 5 }, () => failing);
    expect(splitChecks([...five, first]).shown).toHaveLength(6);
    expect(splitChecks([...five, { ...first, status: "pass" }]).passed).toHaveLength(1);
  });

  it("says what was measured, and that nothing was", () => {
    expect(measured(first, "metric")).toBe("0.31 m of 0.25 m");
    expect(measured({ ...first, sense: "at_most" }, "metric")).toBe("0.31 m of at most 0.25 m");
    expect(measured({ ...first, value: null }, "metric")).toBe("not measured of 0.25 m");
    expect(measured({ ...first, value: null, needed: null, detail: "armed" }, "metric")).toBe("armed");
  });

  it("draws an unknown or breached margin as empty", () => {
    expect(meterShare({ ...first, margin: null })).toBe(0);
    expect(meterShare({ ...first, margin: Number.NaN })).toBe(0);
    expect(meterShare(failing)).toBe(0);
    expect(meterShare({ ...first, margin: 7 })).toBe(1);
  });

  it("counts its time down to a hold", () => {
    expect(timeLeft(sampleCard, sample_now_ms)).toMatchObject({ text: "26 s", then: "then hold" });
    expect(timeLeft(sampleCard, sample_now_ms + 99_000)).toMatchObject({ text: "0 s", share: 0 });
    expect(timeLeft({ ...sampleCard, level: "veto_window" }, sample_now_ms).then).toBe("then it goes");
  });

  it("offers a batch for free moves only", () => {
    const tier = (name: "T1" | "T2" | "T3" | "T4"): ApprovalCard => ({
      ...sampleCard,
      proposal: { ...sampleCard.proposal, tier: name },
    });
    expect([tier("T1"), tier("T2"), tier("T3"), tier("T4")].map(mayBatch)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(mayBatch({ ...tier("T2"), hold_to_confirm: true })).toBe(false);
  });

  it("gives the reason in one sentence", () => {
    expect(firstSentence("It is 0.5 m ahead. Then more.")).toBe("It is 0.5 m ahead.");
    expect(firstSentence("no end")).toBe("no end");
  });
});
