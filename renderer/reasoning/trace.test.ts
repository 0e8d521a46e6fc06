import { describe, expect, it } from "vitest";
import type { CameraPicture } from "#contract/ipc";
import type { StepRecord } from "#contract/mission";
import { sampleCard, sampleMission, sampleSteps } from "../../tests/support/samples";
import type { PictureListener } from "../bridge/bridge";
import { createObserved, nearest } from "./observed";
import { callTitle, decisionText, markOf, resultText, traceOf } from "./trace";

const [step] = sampleSteps;
if (step === undefined) throw new Error("the sample has steps");
const record = (over: Partial<StepRecord>): StepRecord => ({ ...step, ...over });

describe("reasoning trace", () => {
  it("puts the waiting proposal on top, newest first below", () => {
    const steps = traceOf(sampleMission, sampleCard).map(({ proposal }) => proposal.step);
    expect(steps).toEqual([5, 4, 3, 2, 1]);
  });

  it("does not show a proposal twice once it has a record", () => {
    const started = record({ proposal: sampleCard.proposal, step: 5 });
    const mission = { ...sampleMission, steps: [...sampleMission.steps, started] };
    expect(traceOf(mission, sampleCard)).toHaveLength(5);
  });

  it("names a call with its arguments, defaults included", () => {
    expect(callTitle({ skill: "take_off", args: {} }, "metric")).toBe("Take off · 1.5 m");
    expect(callTitle({ skill: "hold", args: { duration_s: 5 } }, "metric")).toBe("Hold · 5 s");
    expect(callTitle({ skill: "land", args: {} }, "metric")).toBe("Land");
  });

  it("says how it was decided and how it came out", () => {
    expect(decisionText(step.decision)).toBe("approved in 3.1 s by operator 1");
    expect(decisionText({ kind: "rejected", by: "o", reason: "too close", after_ms: 1 })).toBe(
      "rejected: too close",
    );
    expect(decisionText(null)).toBe("waiting for a decision");
    expect(resultText(step)).toBe("succeeded in 5.2 s");
    expect(resultText(record({ status: "timeout", detail: "0.4 m short" }))).toBe(
      "timed out in 5.2 s: 0.4 m short",
    );
    expect(resultText(record({ status: null, ended_at_ms: null }))).toBe("running");
  });

  it("marks every kind of step", () => {
    const refused = { kind: "expired", by: "", reason: "", after_ms: 0 } as const;
    expect(markOf(null)).toBe("waiting");
    expect(markOf(step)).toBe("done");
    expect(markOf(record({ status: "stopped" }))).toBe("failed");
    expect(markOf(record({ status: null, started_at_ms: null, decision: refused }))).toBe("refused");
    expect(markOf(record({ status: null }))).toBe("running");
  });
});

describe("pictures the policy saw", () => {
  const picture = (seq: number): CameraPicture => ({
    camera: "wrist",
    seq,
    captured_at_ms: 0,
    colour_jpeg: Uint8Array.of(seq % 256),
    depth_jpeg: new Uint8Array(),
  });

  function hub() {
    let listener: PictureListener = () => undefined;
    const observed = createObserved({
      onPicture(one) {
        listener = one;
        return () => undefined;
      },
    });
    return { observed, show: (seq: number) => void listener(picture(seq)) };
  }

  it("are kept for their proposal after they have passed, an hour of frames long (dimensionalOS/dimos#1509)", () => {
    const { observed, show } = hub();
    for (let seq = 0; seq < 100; seq += 1) show(seq);
    expect(observed.imageOf("p", 98)).toEqual(Uint8Array.of(98));
    for (let seq = 100; seq < 36_000; seq += 1) show(seq);
    expect(observed.imageOf("p", 98)).toEqual(Uint8Array.of(98));
    expect(observed.imageOf("q", 98)).toBeNull();
    expect(observed.imageOf("r", null)).toBeNull();
  });

  it("are bounded in number", () => {
    const { observed, show } = hub();
    for (let index = 0; index < 100; index += 1) {
      show(index);
      observed.imageOf(`p${index}`, index);
    }
    for (let seq = 1000; seq < 1100; seq += 1) show(seq);
    expect(observed.imageOf("p0", 0)).toBeNull();
    expect(observed.imageOf("p99", 99)).not.toBeNull();
  });

  it("come from the nearest frame, if one is near enough", () => {
    expect(nearest([picture(1), picture(8), picture(11)], 9)?.seq).toBe(8);
    expect(nearest([picture(1)], 9)).toBeNull();
  });
});
