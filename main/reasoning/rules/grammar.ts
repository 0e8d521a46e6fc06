import { err, ok, type Result } from "#contract/result";
import { climb_step_m, type SkillId, skillLibrary, translate_step_m, yaw_step_rad } from "#contract/skills";
import { type Clause, figure, steps } from "./clause";
import { readAgain, readTimes, repeated } from "./repeats";
import { isStop, matches, readQuantity, tokenise } from "./words";

const fillers = new Set(
  "please now you then and next after that afterwards finally first just so slowly gently carefully the drone vehicle aircraft it will should to can could would lets let us i want".split(
    " ",
  ),
);
const moveVerbs = new Set(
  "go move fly advance head step slide shift strafe proceed travel drift translate".split(" "),
);
const turnVerbs = new Set("turn rotate yaw spin pivot swing".split(" "));
const holdVerbs = new Set("hover hold wait stay pause stop remain".split(" "));
const directions: Readonly<Record<string, SkillId>> = {
  forward: "forward",
  forwards: "forward",
  ahead: "forward",
  back: "backward",
  backward: "backward",
  backwards: "backward",
  left: "left",
  leftwards: "left",
  right: "right",
  rightwards: "right",
  up: "up",
  upward: "up",
  upwards: "up",
  down: "down",
  downward: "down",
  downwards: "down",
};
const verticalVerbs: Readonly<Record<string, SkillId>> = {
  climb: "up",
  ascend: "up",
  rise: "up",
  descend: "down",
  sink: "down",
  lower: "down",
};
const maxSteps = 60;

/**
 * Reads a command as a sequence of skills. The error names the first word that is not understood, or what is
 * wrong with a distance, in one sentence.
 */
export function readCommand(text: string): Result<readonly Clause[], string> {
  const tokens = tokenise(text);
  const clauses: Clause[] = [];
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at] ?? "";
    if (isStop(token) || fillers.has(token)) {
      at += 1;
      continue;
    }
    const again = readAgain(tokens, at);
    if (again !== null) {
      const last = clauses.at(-1);
      if (last === undefined) return err(`“${token}” repeats something, but nothing comes before it.`);
      clauses.push(repeated(last, again.times));
      at += again.used;
      continue;
    }
    const read = readClause(tokens, at);
    if (!read.ok) return read;
    at += read.value.used;
    const times = readTimes(tokens, at);
    at += times.used;
    clauses.push(repeated(read.value.clause, times.count));
    if (clauses.reduce((n, c) => n + c.calls.length, 0) > maxSteps)
      return err(`That would be more than ${String(maxSteps)} steps; give a shorter command.`);
  }
  if (clauses.length === 0) return err("There is nothing to do in this command.");
  return ok(clauses);
}

type Read = Result<{ readonly clause: Clause; readonly used: number }, string>;

function readClause(tokens: readonly string[], at: number): Read {
  const token = tokens[at] ?? "";
  if (matches(tokens, at, "take off") || matches(tokens, at, "lift off")) return takeOff(tokens, at, 2);
  if (token === "launch") return takeOff(tokens, at, 1);
  if (token === "land")
    return done({ calls: [{ skill: "land", args: {} }], words: "land" }, here(tokens, at + 1) - at);
  if (matches(tokens, at, "touch down"))
    return done({ calls: [{ skill: "land", args: {} }], words: "land" }, here(tokens, at + 2) - at);
  if (holdVerbs.has(token)) return hold(tokens, at);
  if (matches(tokens, at, "back up")) return move(tokens, at, at + 2, "backward", null);
  if (turnVerbs.has(token)) return turn(tokens, at);
  if (token in verticalVerbs) return move(tokens, at, at + 1, verticalVerbs[token] ?? null, null);
  if (moveVerbs.has(token) || token in directions || readQuantity(tokens, at) !== null) {
    const start = moveVerbs.has(token) ? at + 1 : at;
    if (matches(tokens, start, "a square") || matches(tokens, start, "in a square"))
      return square(tokens, at, start);
    return move(tokens, at, start, null, null);
  }
  return err(`I do not understand “${token}”.`);
}

const done = (clause: Clause, used: number): Read => ok({ clause, used });

function here(tokens: readonly string[], at: number): number {
  for (const phrase of ["here", "there", "in place", "still", "position", "on the spot"])
    if (matches(tokens, at, phrase)) return at + phrase.split(" ").length;
  return at;
}

function takeOff(tokens: readonly string[], at: number, verb: number): Read {
  let next = at + verb;
  if (["to", "at", "up"].includes(tokens[next] ?? "")) next += 1;
  if (tokens[next] === "to") next += 1;
  const q = readQuantity(tokens, next);
  if (q?.unit !== "m") return done({ calls: [{ skill: "take_off", args: {} }], words: "take off" }, verb);
  const limits = skillLibrary.take_off.parameters["altitude_m"];
  if (limits === undefined || !(q.value >= limits.min && q.value <= limits.max))
    return err(
      `Take-off height must be ${String(limits?.min)} to ${String(limits?.max)} m, not ${figure(q.value)} m.`,
    );
  next += q.used;
  if (tokens[next] === "high") next += 1;
  return done(
    {
      calls: [{ skill: "take_off", args: { altitude_m: q.value } }],
      words: `take off to ${figure(q.value)} m`,
    },
    next - at,
  );
}

function hold(tokens: readonly string[], at: number): Read {
  let next = here(tokens, at + 1);
  if (tokens[next] === "for") next += 1;
  const q = readQuantity(tokens, next);
  if (q?.unit !== "s") {
    const end = here(tokens, at + 1);
    return done({ calls: [{ skill: "hold", args: {} }], words: "hold" }, end - at);
  }
  const limits = skillLibrary.hold.parameters["duration_s"];
  if (limits === undefined || !(q.value >= limits.min && q.value <= limits.max))
    return err(`Holding takes ${String(limits?.min)} to ${String(limits?.max)} s, not ${figure(q.value)} s.`);
  next += q.used;
  return done(
    { calls: [{ skill: "hold", args: { duration_s: q.value } }], words: `hold ${figure(q.value)} s` },
    next - at,
  );
}

function turn(tokens: readonly string[], at: number): Read {
  let next = at + 1;
  let side: "left" | "right" | null = null;
  let angle_deg: number | null = null;
  for (;;) {
    const token = tokens[next] ?? "";
    const q = readQuantity(tokens, next);
    if (["to", "the", "by", "a", "your", "on"].includes(token) && q === null) next += 1;
    else if (
      token === "clockwise" ||
      matches(tokens, next, "counter clockwise") ||
      token === "anticlockwise"
    ) {
      side = token === "clockwise" ? "right" : "left";
      next += token === "counter" ? 2 : 1;
    } else if (token === "around") {
      angle_deg = 180;
      next += 1;
    } else if (q !== null && q.unit === "deg" && angle_deg === null) {
      angle_deg = q.value;
      next += q.used;
    } else if (q !== null && q.unit === "step" && angle_deg === null) {
      angle_deg = q.value * 30;
      next += q.used;
    } else if ((token === "left" || token === "right") && side === null) {
      side = token;
      next += 1;
    } else break;
  }
  if (side === null && angle_deg === null) {
    return err(`“${tokens[at] ?? ""}” needs a side (left or right), not “${tokens[at + 1] ?? "nothing"}”.`);
  }
  const wanted_deg = angle_deg ?? 90;
  const step_deg = (yaw_step_rad * 180) / Math.PI;
  const count = Math.round(wanted_deg / step_deg);
  if (count < 1)
    return err(`${figure(wanted_deg)}° is less than half of one turn step of ${figure(step_deg)}°.`);
  const skill: SkillId = side === "right" ? "yaw_right" : "yaw_left";
  return done(steps(skill, count, `turn ${side ?? "left"} ${figure(count * step_deg)}°`), next - at);
}

/** Direction and distance in either order: "forward 2 m", "2 m forward", "three steps to the left". */
function move(
  tokens: readonly string[],
  at: number,
  start: number,
  given: SkillId | null,
  size_m: number | null,
): Read {
  let next = start;
  let skill = given;
  let distance_m = size_m;
  let count: number | null = null;
  for (;;) {
    const token = tokens[next] ?? "";
    const q = readQuantity(tokens, next);
    if (q !== null && q.unit === "m" && distance_m === null && count === null) {
      distance_m = q.value;
      next += q.used;
    } else if (q !== null && q.unit === "step" && distance_m === null && count === null) {
      count = Math.round(q.value);
      next += q.used;
    } else if (
      ["to", "the", "by", "straight", "a", "another", "further", "bit"].includes(token) &&
      q === null
    )
      next += 1;
    else if (skill === null && token in directions) {
      skill = directions[token] ?? null;
      next += 1;
    } else break;
  }
  if (skill === null) {
    const missing = tokens[next];
    return err(
      missing === undefined || isStop(missing)
        ? `“${tokens[at] ?? ""}” needs a direction: forward, backward, left, right, up or down.`
        : `I do not understand “${missing}”.`,
    );
  }
  const step_m = skill === "up" || skill === "down" ? climb_step_m : translate_step_m;
  const number = count ?? (distance_m === null ? 1 : Math.round(distance_m / step_m));
  if (!(number >= 1))
    return err(`${figure(distance_m ?? 0)} m ${skill} is less than half of one step of ${figure(step_m)} m.`);
  const asked =
    distance_m === null || Math.abs(distance_m - number * step_m) < 0.01
      ? ""
      : `, asked ${figure(distance_m)} m`;
  return done(steps(skill, number, `${skill} ${figure(number * step_m)} m${asked}`), next - at);
}

function square(tokens: readonly string[], at: number, start: number): Read {
  let next = start + (tokens[start] === "in" ? 3 : 2);
  if (tokens[next] === "of" || tokens[next] === "with") next += 1;
  const q = readQuantity(tokens, next);
  const side_m = q?.unit === "m" ? q.value : 1;
  if (q?.unit === "m") next += q.used;
  const count = Math.round(side_m / translate_step_m);
  if (count < 1)
    return err(`A square of ${figure(side_m)} m is smaller than one step of ${figure(translate_step_m)} m.`);
  const edge = [...steps("forward", count, "").calls, ...steps("yaw_left", 3, "").calls];
  return done(
    { calls: [edge, edge, edge, edge].flat(), words: `square of ${figure(count * translate_step_m)} m` },
    next - at,
  );
}
