import { afterEach, expect, test } from "vitest";
import { type LockstepStation, lockstepStation } from "../../support/lockstep-station";

let rig: LockstepStation | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

async function takenOff(
  command: string,
  embeddedArgs: readonly string[] = [],
): Promise<{ r: LockstepStation; first: Awaited<ReturnType<LockstepStation["card"]>> }> {
  const r = await lockstepStation({ embeddedArgs });
  rig = r;
  expect(await r.station.startMission(command)).toEqual({ ok: true, value: undefined });
  const first = await r.card();
  expect(first.proposal.call.skill).toBe("take_off");
  expect(first.hold_to_confirm).toBe(true);
  await r.approve(first);
  return { r, first };
}

test("a rejection with a reason changes the next proposal; a card that runs out holds in AUTO.LOITER until resumed", async () => {
  const { r, first } = await takenOff("take off, forward and land");
  const forward = await r.card(first);
  expect(forward.proposal.call.skill).toBe("forward");
  const rejected = await r.station.handlers["approval.decide"]({
    kind: "reject",
    token: forward.token,
    reason: "turn left 30 degrees instead",
  });
  expect(rejected.ok).toBe(true);
  const left = await r.card(forward);
  expect(left.proposal.call.skill).toBe("yaw_left");
  expect(left.proposal.trace.reasoning).toContain("turn left 30 degrees instead");
  const twice = await r.station.handlers["approval.decide"]({ kind: "approve", token: forward.token });
  expect(twice).toMatchObject({ ok: false });

  const held = await r.until((s) => s.mission.phase === "held" && s.vehicle.mode === "hold");
  expect(held.mission.why).toContain("No decision");
  expect(held.vehicle.armed).toBe(true);
  expect(held.approval).toBeNull();
  expect((await r.station.handlers["mission.hand_back"]({})).ok).toBe(true);
  const again = await r.card(left);
  await r.approve(again);
  const after = await r.until((s) =>
    s.mission.steps.some((x) => x.proposal.call.skill === "yaw_left" && x.status === "success"),
  );
  expect(after.vehicle.mode).toBe("offboard");
});

test("HOLD in the middle of a skill: stopped, AUTO.LOITER confirmed by the heartbeat, approvals void, resumable", async () => {
  const { r, first } = await takenOff("take off, forward twice and land");
  const card = await r.card(first);
  await r.approve(card);
  await r.until(
    (s) =>
      s.mission.execution !== null &&
      s.mission.execution.call.skill === "forward" &&
      s.mission.execution.elapsed_ms > 600,
  );
  r.station.emergency("hold", "test");
  const held = await r.until((s) =>
    s.station.emergency.some((e) => e.action === "hold" && e.state === "confirmed"),
  );
  expect(held.vehicle.mode).toBe("hold");
  expect(held.mission.phase).toBe("held");
  const stopped = held.mission.steps.at(-1);
  expect(stopped?.proposal.call.skill).toBe("forward");
  expect(stopped?.status).toBe("stopped");
  await r.station.handlers["mission.hand_back"]({});
  const next = await r.card(card);
  expect(next.proposal.call.skill).toBe("forward");
});

test("LAND during a skill lands and disarms", async () => {
  const { r, first } = await takenOff("take off, forward and land");
  const card = await r.card(first);
  await r.approve(card);
  await r.until((s) => s.mission.execution?.call.skill === "forward");
  r.station.emergency("land", "test");
  const down = await r.until((s) => !s.vehicle.armed);
  expect(down.vehicle.landed).toBe("on_ground");
  expect(down.mission.phase).toBe("held");
});

test("KILL in the air stops the motors at once", async () => {
  const { r } = await takenOff("take off");
  await r.until((s) => (s.vehicle.position_enu_m?.[2] ?? 0) > 1);
  r.station.emergency("kill", "test");
  const dead = await r.until((s) =>
    s.station.emergency.some((e) => e.action === "kill" && e.state === "confirmed"),
  );
  expect(dead.vehicle.armed).toBe(false);
});

test("an object that is pushed during a hover stops the skill, holds, and is named with its distance", async () => {
  const { r, first } = await takenOff("take off and hold for 30 seconds", ["--event", "push:red_cup@16"]);
  await r.approve(await r.card(first));
  const held = await r.until((s) => s.mission.phase === "held");
  expect(held.mission.why).toMatch(/Object moved: .*red.* by \d+ cm/);
  expect(held.safety.level).toBe("stop");
  expect(held.safety.worst_displacement_m).toBeGreaterThan(0.05);
  await r.until((s) => s.vehicle.mode === "hold");
  expect(held.alerts.some((a) => a.severity === "warning" && a.text.startsWith("Object moved"))).toBe(true);
});

test("what the policy does not understand is said by the word, and nothing is proposed", async () => {
  const r = await lockstepStation();
  rig = r;
  expect(await r.station.startMission("take off and juggle")).toEqual({
    ok: false,
    error: "I do not understand “juggle”.",
  });
  expect(r.station.snapshot().approval).toBeNull();
});
