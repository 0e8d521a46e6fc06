import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SkillId } from "#contract/skills";
import { duplicateKey, parseReply } from "./reply";

const trace = {
  image_description: "a table",
  summary: "nothing yet",
  action_predictions: SkillId.options.map((skill) => ({ skill, outcome: "something" })),
  reasoning: "because",
};
const valid = { trace, execute: { skill: "forward", args: {} } };
const why = (value: unknown): string => {
  const reply = parseReply(typeof value === "string" ? value : JSON.stringify(value));
  return reply.ok ? "ok" : reply.error;
};

test("a complete answer is accepted", () => {
  expect(why(valid)).toBe("ok");
});

describe("strands-labs/robots#1087: the model cannot approve itself", () => {
  test('"approved": true makes the answer invalid', () => {
    expect(why({ ...valid, approved: true })).toContain("approved");
    expect(why({ ...valid, execute: { ...valid.execute, approved: true } })).toContain("approved");
  });
  test("duplicate keys are refused, wherever they are", () => {
    const text = JSON.stringify(valid).replace('"skill":"forward"', '"skill":"land","skill":"forward"');
    expect(why(text)).toContain('"skill" appears twice');
  });
});

test("a skill outside the library, a foreign parameter, a missing or doubled prediction, prose: refused with a reason", () => {
  expect(why({ ...valid, execute: { skill: "self_destruct", args: {} } })).toContain("execute.skill");
  expect(why({ ...valid, execute: { skill: "forward", args: { speed: 9 } } })).toContain(
    'no parameter "speed"',
  );
  const fewer = trace.action_predictions.filter((p) => p.skill !== "land");
  expect(why({ ...valid, trace: { ...trace, action_predictions: fewer } })).toBe(
    "action_predictions lacks land",
  );
  const twice = [...trace.action_predictions, { skill: "land", outcome: "x" }];
  expect(why({ ...valid, trace: { ...trace, action_predictions: twice } })).toContain("twice");
  expect(why("I would fly forward.")).toBe("the answer is not one JSON object");
  expect(why(JSON.stringify(valid).replace('"args":{}', '"args":{"altitude_m":1e999}'))).not.toBe("ok");
});

test("duplicateKey agrees with JSON that has none, for any value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(duplicateKey(JSON.stringify(value))).toBeNull();
    }),
  );
  expect(duplicateKey('{"a":{"b":1},"c":[{"b":2},{"b":3}]}')).toBeNull();
  expect(duplicateKey('{"a":1,"\\u0061":2}')).toBe("a");
});
