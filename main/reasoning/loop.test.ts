import { describe, expect, test } from "vitest";
import type { DecisionRecord, MissionState, Proposal } from "#contract/mission";
import { ok } from "#contract/result";
import type { Verdict } from "#contract/safety";
import { FakeClock } from "../../tests/support/fake-clock";
import { MissionLoop } from "./loop";
import type { Answer, Flown, LoopPorts } from "./loop-port";
import type { Policy } from "./port";
import type { Observation } from "./prompt";
import { rulesPolicy } from "./rules/policy";

const pose = { position_enu_m: [0, 0, 1.5] as const, yaw_enu_rad: 0 };
const verdict: Verdict = { at_ms: 0, pass: true, checks: [] };
const record = (kind: DecisionRecord["kind"], reason = ""): DecisionRecord => ({
  kind,
  by: "operator 1",
  reason,
  after_ms: 900,
});
const approve = (): Answer => ({ kind: "approved", record: record("approved") });

interface Rig {
  readonly asked: Proposal[];
  readonly flown: string[];
  readonly held: string[];
  loop: MissionLoop;
  done: Promise<MissionState>;
}
function rig(
  command: string,
  options: {
    policy?: Policy;
    ask?: (p: Proposal, n: number) => Answer | Promise<Answer>;
    fly?: (p: Proposal, n: number) => Flown | Promise<Flown>;
  } = {},
): Rig {
  const asked: Proposal[] = [];
  const flown: string[] = [];
  const held: string[] = [];
  let inAir = false;
  const observation = (): Observation => ({
    camera_seq: 1,
    captured_at_ms: 0,
    position_enu_m: pose.position_enu_m,
    yaw_enu_rad: 0,
    armed: inAir,
    in_air: inAir,
    ahead_m: null,
    brightness: 0.5,
    objects: [],
  });
  let id = 0;
  const ports: LoopPorts = {
    clock: new FakeClock(),
    policy: options.policy ?? rulesPolicy,
    newId: () => `id${String(id++)}`,
    observe: observation,
    plan: () => ok({ start: pose, end: pose, path: [], distance_m: 0, duration_s: 1, energy_wh: 0 }),
    judge: () => verdict,
    ask: async (p) => {
      asked.push(p);
      return await (options.ask?.(p, asked.length) ?? approve());
    },
    fly: async (p) => {
      flown.push(p.call.skill);
      const end = await (options.fly?.(p, flown.length) ?? { kind: "ended", status: "success", detail: "" });
      if (p.call.skill === "take_off") inAir = true;
      if (p.call.skill === "land") inAir = false;
      return end;
    },
    hold: (why) => held.push(why),
    changed: () => {},
    onProposal: () => {},
    onInvalid: () => {},
    onStep: () => {},
  };
  const loop = new MissionLoop(ports, command, []);
  return { asked, flown, held, loop, done: loop.run() };
}
const settle = async (): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
};

test("flies the command step by step, approves each, and ends complete", async () => {
  const r = rig("take off, move forward twice, turn right and land");
  const end = await r.done;
  expect(end.phase).toBe("complete");
  expect(r.flown).toEqual(["take_off", "forward", "forward", "yaw_right", "yaw_right", "yaw_right", "land"]);
  expect(end.steps.map((s) => s.step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(end.steps.every((s) => s.status === "success")).toBe(true);
});

test("a rejection with a reason changes the next proposal", async () => {
  const r = rig("take off and forward", {
    ask: (_, n) =>
      n === 2 ? { kind: "rejected", record: record("rejected", "turn left 30 degrees instead") } : approve(),
  });
  await r.done;
  expect(r.asked.map((p) => p.call.skill)).toEqual(["take_off", "forward", "yaw_left", "task_complete"]);
});

test("a card that runs out holds, and only a person makes the mission go on", async () => {
  const r = rig("take off and forward", {
    ask: (_, n) => (n === 2 ? { kind: "expired", record: record("expired") } : approve()),
  });
  await settle();
  expect(r.loop.state.phase).toBe("held");
  expect(r.held).toEqual(["No decision came in time; the vehicle holds."]);
  expect(r.loop.resume()).toBe(true);
  expect((await r.done).phase).toBe("complete");
  expect(r.flown).toEqual(["take_off", "forward"]);
});

test("an edit is planned, judged and asked again under the same step", async () => {
  const r = rig("take off", {
    ask: (_, n) =>
      n === 1 ? { kind: "edited", args: { altitude_m: 2 }, record: record("edited") } : approve(),
  });
  const end = await r.done;
  expect(r.asked[1]?.call).toEqual({ skill: "take_off", args: { altitude_m: 2 } });
  expect(r.asked[1]?.step).toBe(1);
  expect(r.asked[1]?.id).not.toBe(r.asked[0]?.id);
  expect(end.steps.length).toBe(2);
});

describe("HOLD", () => {
  test("while the policy thinks: the mission is held at once although the policy never answers", async () => {
    const policy: Policy = { name: "slow", propose: () => new Promise(() => {}) };
    const r = rig("take off", { policy });
    await settle();
    r.loop.interrupt("held", "HOLD pressed");
    await settle();
    expect(r.loop.state.phase).toBe("held");
    expect(r.asked).toEqual([]);
    r.loop.cancel();
    expect((await r.done).phase).toBe("failed");
  });

  test("while flying: the step ends stopped, nothing more is proposed until resumed", async () => {
    let stop: (f: Flown) => void = () => {};
    const r = rig("take off and forward", {
      fly: (_, n) =>
        n === 2
          ? new Promise<Flown>((resolve) => (stop = resolve))
          : { kind: "ended", status: "success", detail: "" },
    });
    await settle();
    expect(r.loop.state.phase).toBe("executing");
    r.loop.interrupt("held", "HOLD pressed");
    stop({ kind: "ended", status: "stopped", detail: "HOLD" });
    await settle();
    expect(r.loop.state.phase).toBe("held");
    expect(r.loop.state.steps.at(-1)?.status).toBe("stopped");
    expect(r.asked.length).toBe(2);
    r.loop.resume();
    expect((await r.done).phase).toBe("complete");
    expect(r.flown).toEqual(["take_off", "forward", "forward"]);
  });
});

test("a hand-back while the stopped step still winds down is not lost", async () => {
  let stop: (f: Flown) => void = () => {};
  const r = rig("take off and forward", {
    fly: (_, n) =>
      n === 2
        ? new Promise<Flown>((resolve) => (stop = resolve))
        : { kind: "ended", status: "success", detail: "" },
  });
  await settle();
  r.loop.interrupt("pilot", "mode changed");
  stop({ kind: "ended", status: "stopped", detail: "" });
  expect(r.loop.resume()).toBe(true);
  expect((await r.done).phase).toBe("complete");
  expect(r.loop.resume()).toBe(false);
});

test("invalid answers are re-prompted with the reason, kept, and after three the vehicle holds", async () => {
  const corrections: string[] = [];
  const policy: Policy = {
    name: "babbler",
    propose: (prompt) => {
      corrections.push(prompt.correction);
      return Promise.resolve({ text: '{"approved":true}', tokens: 5 });
    },
  };
  const r = rig("take off", { policy });
  await settle();
  expect(corrections.length).toBe(3);
  expect(corrections[0]).toBe("");
  expect(corrections[1]).not.toBe("");
  expect(r.loop.state.phase).toBe("held");
  expect(r.held[0]).toContain("3 invalid answers");
});

test("a policy that fails holds and says why", async () => {
  const r = rig("take off", {
    policy: { name: "broken", propose: () => Promise.reject(new Error("no network")) },
  });
  await settle();
  expect(r.loop.state.phase).toBe("held");
  expect(r.loop.state.why).toContain("no network");
});

test("the same skill failing twice asks the operator", async () => {
  const r = rig("take off and forward", {
    fly: (p) => ({
      kind: "ended",
      status: p.call.skill === "forward" ? "timeout" : "success",
      detail: "short",
    }),
  });
  await settle();
  expect(r.flown).toEqual(["take_off", "forward", "forward"]);
  expect(r.loop.state.phase).toBe("held");
  expect(r.loop.state.why).toContain("your decision");
});

test("a second judgement that says no moves nothing and is remembered", async () => {
  const failed: Verdict = { ...verdict, pass: false };
  const r = rig("take off", { fly: () => ({ kind: "refused", verdict: failed, detail: "battery 12 %" }) });
  await settle();
  expect(r.loop.state.steps.map((s) => s.decision?.kind)).toEqual(["refused", "refused"]);
  expect(r.loop.state.phase).toBe("held");
});
