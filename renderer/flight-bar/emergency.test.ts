import { describe, expect, it } from "vitest";
import type { EmergencyState } from "#contract/station";
import { answer_within_ms, type Cover, cover_open_ms, emergencyView, stepCover } from "./emergency";

const report = (state: EmergencyState["state"], at_ms: number | null = 5000): readonly EmergencyState[] => [
  { action: "hold", state, detail: "d", at_ms },
];
const none = { state: "none" } as const;

describe("state of an emergency button", () => {
  it("shows acknowledgement as unfinished, and only telemetry as done", () => {
    expect(emergencyView("hold", report("acknowledged"), none, 5100).tone).toBe("working");
    expect(emergencyView("hold", report("confirmed"), none, 5100).tone).toBe("done");
  });

  it("shows what is not known to have happened in red (PX4/PX4-Autopilot#20331)", () => {
    expect(emergencyView("hold", report("not_confirmed"), none, 5100)).toEqual({
      word: "NOT CONFIRMED",
      detail: "d",
      tone: "alarm",
    });
    expect(emergencyView("hold", report("unavailable"), none, 5100).tone).toBe("alarm");
  });

  it("shows a press at once, and a station that does not answer in red", () => {
    const press = { state: "asking", at_ms: 9000 } as const;
    expect(emergencyView("hold", report("confirmed", 5000), press, 9010).word).toBe("sending");
    expect(emergencyView("hold", report("confirmed", 5000), press, 9000 + answer_within_ms).word).toBe(
      "NO ANSWER",
    );
    expect(emergencyView("hold", report("sent", 9005), press, 9010).word).toBe("sent");
  });

  it("keeps a refusal until the station reports something newer", () => {
    const press = { state: "refused", at_ms: 9000, reason: "no link" } as const;
    expect(emergencyView("hold", report("idle", null), press, 99_000)).toMatchObject({
      word: "NOT SENT",
      tone: "alarm",
    });
    expect(emergencyView("hold", report("sent", 9500), press, 9600).word).toBe("sent");
  });

  it("belongs to its own action", () => {
    expect(emergencyView("land", report("confirmed"), none, 5100).word).toBe("");
  });
});

describe("cover of KILL", () => {
  const shut: Cover = { state: "shut" };
  it("must be lifted before a press counts", () => {
    expect(stepCover(shut, "press", 0)).toEqual(shut);
    const lifted = stepCover(shut, "lift", 0);
    expect(stepCover(lifted, "press", 100).state).toBe("pressing");
  });

  it("shuts by itself, but not under a finger", () => {
    const lifted = stepCover(shut, "lift", 0);
    expect(stepCover(lifted, "tick", cover_open_ms - 1).state).toBe("lifted");
    expect(stepCover(lifted, "tick", cover_open_ms).state).toBe("shut");
    expect(stepCover({ state: "pressing" }, "tick", 99_999).state).toBe("pressing");
    expect(stepCover(lifted, "tick", Number.NaN).state).toBe("shut");
  });

  it("stays lifted for another try when let go early", () => {
    const again = stepCover({ state: "pressing" }, "release", 500);
    expect(again).toEqual({ state: "lifted", until_ms: 500 + cover_open_ms });
  });
});
