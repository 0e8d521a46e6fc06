import { expect, test } from "vitest";
import { buildPrompt, type HistoryItem, type Observation, type Prompt } from "../prompt";
import { parseReply } from "../reply";
import { rulesPolicy } from "./policy";

const observation: Observation = {
  camera_seq: 4,
  captured_at_ms: 100,
  position_enu_m: [0, 0, 1.5],
  yaw_enu_rad: 0,
  armed: true,
  in_air: true,
  ahead_m: 2.4,
  brightness: 0.5,
  objects: [{ label: "red object", seen: true, range_m: 2.2, bearing_rad: 0.3 }],
};
const base = (command: string, history: HistoryItem[] = [], in_air = true): Prompt => ({
  ...buildPrompt({ command, steps: [], observation: { ...observation, in_air }, correction: "" }),
  history,
});
const item = (skill: HistoryItem["skill"], status: HistoryItem["status"], detail = ""): HistoryItem => ({
  step: 1,
  skill,
  args: {},
  status,
  detail,
  trace: null,
});
async function choose(prompt: Prompt): Promise<{ skill: string; why: string }> {
  const reply = parseReply((await rulesPolicy.propose(prompt, new AbortController().signal)).text);
  if (!reply.ok) throw new Error(reply.error);
  return { skill: reply.value.execute.skill, why: reply.value.trace.reasoning };
}

test("gives a structured answer that the parser accepts, and describes what the camera sees", async () => {
  const raw = await rulesPolicy.propose(base("forward"), new AbortController().signal);
  const reply = parseReply(raw.text);
  expect(reply.ok && reply.value.trace.image_description).toContain("a red object 2.2 m away to the left");
  expect(reply.ok && reply.value.trace.action_predictions.find((p) => p.skill === "forward")?.outcome).toBe(
    "it would hover at (0.5, 0.0, 1.5) m, leaving 1.9 m free ahead",
  );
});

test("walks through the command as the history grows, then declares it complete", async () => {
  const command = "forward twice and land";
  expect((await choose(base(command))).skill).toBe("forward");
  expect((await choose(base(command, [item("forward", "success")]))).skill).toBe("forward");
  expect((await choose(base(command, [item("forward", "success"), item("forward", "success")]))).skill).toBe(
    "land",
  );
  const all = [item("forward", "success"), item("forward", "success"), item("land", "success")];
  expect((await choose(base(command, all))).skill).toBe("task_complete");
});

test("takes off first when the command moves and the vehicle stands", async () => {
  const chosen = await choose(base("forward", [], false));
  expect(chosen.skill).toBe("take_off");
  expect(chosen.why).toContain("takes off first");
});

test("tries a failed step again and says why", async () => {
  const chosen = await choose(base("forward", [item("forward", "timeout", "0.3 m short")]));
  expect(chosen.skill).toBe("forward");
  expect(chosen.why).toContain("0.3 m short");
});

test.each([
  ["go left instead", "left"],
  ["turn right instead", "yaw_right"],
  ["go up first", "up"],
  ["skip this", "land"],
  ["not needed", "land"],
  ["the weather is nice", "hold"],
  ["backward", "backward"],
])("a rejection with “%s” changes what is proposed next", async (reason, expected) => {
  const chosen = await choose(base("forward and land", [item("forward", "rejected", reason)]));
  expect(chosen.skill).toBe(expected);
});

test("after “first” the rejected step comes back", async () => {
  const history = [item("forward", "rejected", "go up first"), item("up", "success")];
  expect((await choose(base("forward and land", history))).skill).toBe("forward");
});

test("says which word it does not understand", () => {
  expect(rulesPolicy.understand?.("take off and juggle")).toEqual({
    ok: false,
    reason: "I do not understand “juggle”.",
  });
  expect(rulesPolicy.understand?.("take off, move forward twice, turn right and land")).toEqual({
    ok: true,
    steps: ["take off", "forward 0.5 m, twice", "turn right 90°", "land"],
  });
});
