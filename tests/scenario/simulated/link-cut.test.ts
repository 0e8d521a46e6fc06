import { afterEach, expect, test } from "vitest";
import type { Snapshot } from "#contract/ipc";
import { SkillId } from "#contract/skills";
import { type LockstepStation, lockstepStation } from "../../support/lockstep-station";

let rig: LockstepStation | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

/** How an operator asks for each skill that flies. */
const spoken: Readonly<Partial<Record<SkillId, string>>> = {
  take_off: "take off",
  hold: "hold for 20 seconds",
  yaw_left: "turn left 30 degrees",
  yaw_right: "turn right 30 degrees",
  forward: "move forward",
  backward: "move backward",
  left: "move left",
  right: "move right",
  up: "go up",
  down: "go down",
  land: "land",
};
const over = (s: Snapshot): boolean => ["complete", "failed", "held", "pilot"].includes(s.mission.phase);

/** In the air and moving by this skill, and not at its end. */
const underWay = ({ mission, vehicle }: Snapshot): boolean => {
  if (mission.execution?.call.skill === "take_off") return (vehicle.position_enu_m?.[2] ?? 0) > 0.6;
  if (mission.execution?.call.skill === "land") return vehicle.mode === "land";
  return (mission.execution?.elapsed_ms ?? 0) > 600;
};

/** Whoever holds the vehicle now is let go; nothing flies by it. */
async function released(r: LockstepStation): Promise<void> {
  await r.station.handlers["mission.cancel"]({});
  await r.station.handlers["mission.hand_back"]({});
}

async function flown(r: LockstepStation, command: string): Promise<void> {
  await r.until((s) => s.station.emergency.every((e) => e.state === "idle" || e.state === "confirmed"));
  expect(await r.station.startMission(command)).toEqual({ ok: true, value: undefined });
  const end = await r.until((s) => s.mission.command === command && over(s));
  expect([command, end.mission.phase, end.mission.why]).toEqual([command, "complete", ""]);
}

test("the link is cut in the middle of every skill: both ends know what to do, and it goes on without a restart", async () => {
  const flying = SkillId.options.filter((skill) => skill !== "task_complete");
  expect(Object.keys(spoken).sort()).toEqual([...flying].sort());
  const r = await lockstepStation({ approvals: "auto" });
  rig = r;
  const { address } = r.station.snapshot().station;
  for (const skill of flying) {
    const { vehicle } = r.station.snapshot();
    const up = vehicle.armed && vehicle.landed === "in_air";
    if (skill === "take_off") expect(up).toBe(false);
    else if (!up) await flown(r, "take off to 1 m");
    const command = spoken[skill] ?? "";
    expect(await r.station.startMission(command)).toEqual({ ok: true, value: undefined });
    await r.until((s) => s.mission.execution?.call.skill === skill && underWay(s));
    void r.station.handlers["scene.happen"]({ id: "link-lost" });

    // This end: what is known is kept with its age, the skill is stopped, and the operator hears why.
    const lost = await r.until((s) => !s.vehicle.connected && s.mission.phase === "held");
    const silent_ms = lost.station.now_ms - (lost.vehicle.heartbeat_at_ms ?? Number.NaN);
    expect(silent_ms).toBeGreaterThan(3000);
    expect(silent_ms).toBeLessThan(5000);
    expect(lost.vehicle.position_enu_m).not.toBeNull();
    expect(lost.station.now_ms - (lost.vehicle.position_at_ms ?? Number.NaN)).toBeGreaterThan(2000);
    expect(lost.mission.why).toMatch(/Link lost: silent for \d/);
    expect(lost.mission.steps.at(-1)).toMatchObject({ status: "stopped", proposal: { call: { skill } } });
    expect(lost.alerts.find((a) => a.id === "link_lost")?.text).toMatch(/silent for \d/);
    expect(lost.vehicle.parameters.received).toBe(lost.vehicle.parameters.count);

    // The other end has acted by itself; what it does is what is shown, and no skill fights it.
    const back = await r.until((s) => s.vehicle.connected && s.vehicle.mode !== "offboard");
    expect(back.station.address).toBe(address);
    expect(back.mission.execution).toBeNull();
    // HOLD, once the link is lost, and nothing else: a silence of a second is no lost position and lands nobody.
    expect(back.station.emergency.filter((e) => e.state !== "idle").map((e) => e.action)).toEqual(["hold"]);
    await released(r);
    await r.until((s) => !s.vehicle.armed || (s.vehicle.mode === "hold" && s.vehicle.landed === "in_air"));
  }
  if (r.station.snapshot().vehicle.armed) await flown(r, "land");
  expect(r.station.snapshot().vehicle.armed).toBe(false);
}, 900_000);
