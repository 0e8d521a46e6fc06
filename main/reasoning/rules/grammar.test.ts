import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCommand } from "./grammar";

function skills(text: string): string {
  const read = readCommand(text);
  if (!read.ok) return `! ${read.error}`;
  const runs: { skill: string; n: number }[] = [];
  for (const { skill } of read.value.flatMap((c) => c.calls)) {
    const run = runs.at(-1);
    if (run?.skill === skill) run.n += 1;
    else runs.push({ skill, n: 1 });
  }
  return runs.map((r) => (r.n === 1 ? r.skill : `${r.skill}*${String(r.n)}`)).join(" ");
}

describe("commands that are understood", () => {
  test.each([
    ["take off, move forward twice, turn right and land", "take_off forward*2 yaw_right*3 land"],
    ["Please take off and then fly 2 metres forward.", "take_off forward*4"],
    ["takeoff to 2 m; go up one and a half metres; descend 60 cm", "take_off up*5 down*2"],
    ["turn left ninety degrees, turn around, rotate 30° right", "yaw_left*9 yaw_right"],
    ["fly half a metre to the left and hover for five seconds", "left hold"],
    ["move right 1,5 m three times", "right*9"],
    ["back up, back up a step, again", "backward*3"],
    ["forward, repeat that twice", "forward*3"],
    ["three steps forward then back 1 m", "forward*3 backward*2"],
    ["wait 10 s. touch down here", "hold land"],
    [
      "fly a square of 1 m",
      "forward*2 yaw_left*3 forward*2 yaw_left*3 forward*2 yaw_left*3 forward*2 yaw_left*3",
    ],
    ["climb a couple of metres", "up*7"],
    ["yaw clockwise by 60 degrees", "yaw_right*2"],
    ["move a metre ahead", "forward*2"],
    ["turn one hundred and eighty degrees left", "yaw_left*6"],
    ["land", "land"],
  ])("%s", (text, expected) => {
    expect(skills(text)).toBe(expected);
  });

  test("arguments are kept", () => {
    const read = readCommand("take off to 2 m and hold for a minute");
    expect(read.ok && read.value.flatMap((c) => c.calls)).toEqual([
      { skill: "take_off", args: { altitude_m: 2 } },
      { skill: "hold", args: { duration_s: 60 } },
    ]);
  });
});

describe("commands that are not understood name the word", () => {
  test.each([
    ["take off and somersault", "! I do not understand “somersault”."],
    ["fly to the kitchen", "! I do not understand “kitchen”."],
    ["turn", "! “turn” needs a side (left or right), not “nothing”."],
    ["move", "! “move” needs a direction: forward, backward, left, right, up or down."],
    ["again", "! “again” repeats something, but nothing comes before it."],
    ["move forward 10 cm", "! 0.1 m forward is less than half of one step of 0.5 m."],
    ["take off to 9 m", "! Take-off height must be 0.5 to 2.5 m, not 9 m."],
    ["", "! There is nothing to do in this command."],
    ["forward 100 m", "! That would be more than 60 steps; give a shorter command."],
  ])("%s", (text, expected) => {
    expect(skills(text)).toBe(expected);
  });
});

test("any text either gives skills or one sentence, and never throws", () => {
  const word = fc.constantFrom(
    ..."take off land move forward left right turn 2 1.5 m metres degrees twice times again and , . half a repeat that up hold for".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(word, { maxLength: 14 }).map((w) => w.join(" ")),
      ),
      (text) => {
        const read = readCommand(text);
        if (read.ok) expect(read.value.flatMap((c) => c.calls).length).toBeGreaterThan(0);
        else expect(read.error).toMatch(/^[“A-Z0-9].*\.$/su);
      },
    ),
    { numRuns: 500 },
  );
});
