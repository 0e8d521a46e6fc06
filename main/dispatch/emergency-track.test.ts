import { expect, test } from "vitest";
import { hovering, standing } from "../../tests/support/flight";
import { answered, beginTrack, describe as describeTrack, stepTrack } from "./emergency-track";

const track = beginTrack("hold", "operator", false, 1000);

test("a heartbeat from before the request confirms nothing, even when it shows the mode", () => {
  const holds = { mode: "hold", mode_label: "Hold" } as const;
  expect(stepTrack(track, hovering(1000, holds), 1100).track.state).toBe("sent");
  expect(stepTrack(track, hovering(1001, holds), 1100).track.state).toBe("confirmed");
});

test("mavlink/qgroundcontrol#10810, PX4-Autopilot#20331: acknowledged is not confirmed, a refusal is told", () => {
  const acknowledged = answered(track, { accepted: true, refusal: null });
  expect(stepTrack(acknowledged, hovering(1200), 1250).track.state).toBe("acknowledged");
  const refused = answered(track, { accepted: false, refusal: "denied" });
  const late = stepTrack(refused, hovering(3900), 4000).track;
  expect(describeTrack(late, hovering(3900))).toMatchObject({
    state: "not_confirmed",
    detail: "NOT CONFIRMED: the vehicle still shows Offboard, armed (denied)",
  });
  expect(answered(track, { accepted: false, refusal: null })).toBe(track);
});

test("a disarmed vehicle confirms all three; kill nothing else", () => {
  for (const action of ["hold", "land", "kill"] as const)
    expect(stepTrack({ ...track, action }, standing(1500), 1500).track.state).toBe("confirmed");
  expect(stepTrack({ ...track, action: "kill" }, hovering(1500, { mode: "hold" }), 1500).track.state).toBe(
    "sent",
  );
});
