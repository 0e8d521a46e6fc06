import fc from "fast-check";
import { expect, test } from "vitest";
import { parseOptions } from "./options";

const problem = (...argv: string[]): string => {
  const options = parseOptions(argv);
  return options.ok ? "" : options.error;
};

test("without arguments: the office, seed 1, real time, PX4's ports", () => {
  expect(parseOptions([])).toMatchObject({
    ok: true,
    value: { scene: "office", seed: 1, port: 14550, bind: 18570, speed: 1, barrier: null, events: [] },
  });
});

test("both ways of giving a value; the instance shifts the own port; events add up", () => {
  const argv = [
    "--seed=4",
    "--instance",
    "2",
    "--speed=max",
    "--event",
    "push:red_cup@5",
    "--event=push:apple@7.5",
  ];
  expect(parseOptions(argv)).toMatchObject({
    ok: true,
    value: {
      seed: 4,
      bind: 18572,
      speed: Number.POSITIVE_INFINITY,
      events: [
        { event: { kind: "push", object: "red_cup" }, at_s: 5 },
        { event: { kind: "push", object: "apple" }, at_s: 7.5 },
      ],
    },
  });
});

test("a wrong value is named in one line", () => {
  expect(problem("--seed", "abc")).toBe('--seed must be an integer from 0 to 2147483647, not "abc"');
  expect(problem("--seed", "")).toContain("--seed must be an integer");
  expect(problem("--seed", "1.5")).toContain("--seed must be an integer");
  expect(problem("--port", "70000")).toContain("--port must be an integer from 1 to 65535");
  expect(problem("--speed", "NaN")).toContain("--speed must be max or a number");
  expect(problem("--event", "push@5")).toContain("--event must look like push:OBJECT");
  expect(problem("--camera-size", "641x480")).toContain("--camera-size");
  expect(problem("--colour", "red")).toContain('unknown argument "--colour"');
  expect(problem("--seed")).toBe("--seed needs a value");
});

test("no text makes it throw, and every answer is options or a single line", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("--seed", "--event", "--speed", "--bind=", "1"))),
      (argv) => {
        const options = parseOptions(argv);
        if (!options.ok) expect(options.error.length).toBeGreaterThan(5);
      },
    ),
  );
});

test("a PX4 keeps the link and the clock: what would set them is refused in one line", () => {
  expect(parseOptions(["--autopilot", "px4", "--instance", "2"])).toMatchObject({
    ok: true,
    value: { autopilot: "px4", px4_port: 4562 },
  });
  for (const argument of ["--port=14551", "--bind=1", "--faults=loss=0.1", "--barrier=0"])
    expect(parseOptions(["--autopilot", "px4", argument])).toEqual({
      ok: false,
      error: expect.stringMatching(/^--\w+ means nothing with --autopilot px4: .+$/) as string,
    });
});
