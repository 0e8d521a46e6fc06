import { expect, test } from "vitest";
import { helpText, parseVerb, type VerbSpec } from "./arguments";

const spec: VerbSpec = {
  name: "fly",
  summary: "flies",
  positionals: [],
  options: [
    { name: "say", value: "TEXT", help: "the mission" },
    { name: "event", value: "EVENT", help: "an event", multiple: true },
    { name: "for", value: "SECONDS", help: "how long" },
    { name: "simulated", help: "a simulator is there" },
  ],
};
const why = (argv: string[], s = spec): string => {
  const parsed = parseVerb(s, argv);
  return parsed.ok ? "ok" : parsed.error;
};

test("reads texts, switches, repeats and numbers", () => {
  const parsed = parseVerb(spec, [
    "--say",
    "take off",
    "--event",
    "a",
    "--event",
    "b",
    "--simulated",
    "--for",
    "1.5",
  ]);
  if (!parsed.ok) throw new Error(parsed.error);
  expect(parsed.value.text("say")).toBe("take off");
  expect(parsed.value.all("event")).toEqual(["a", "b"]);
  expect(parsed.value.has("simulated")).toBe(true);
  expect(parsed.value.has("json")).toBe(false);
  expect(parsed.value.number("for", 10, 0, 60)).toEqual({ ok: true, value: 1.5 });
});

test("bad arguments are one sentence each", () => {
  expect(why(["--fast"])).toBe("fly: Unknown option '--fast'. See --help.");
  expect(why(["now"])).toContain("“now” is one argument too many");
  expect(why([], { ...spec, positionals: ["FILE"] })).toContain("FILE is missing");
  const parsed = parseVerb(spec, ["--for", "soon"]);
  expect(parsed.ok && parsed.value.number("for", 10, 0, 60)).toEqual({
    ok: false,
    error: "fly: --for must be a number from 0 to 60, not “soon”.",
  });
  const empty = parseVerb(spec, ["--for", ""]);
  expect(empty.ok && empty.value.number("for", 10, 0, 60).ok).toBe(false);
});

test("the help lists every option", () => {
  expect(helpText(spec)).toContain("--say TEXT");
  expect(helpText(spec)).toContain("--json");
});
