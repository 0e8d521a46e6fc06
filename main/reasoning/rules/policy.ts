import type { PolicyReply } from "#contract/mission";
import { climb_step_m, SkillId, translate_step_m } from "#contract/skills";
import type { Policy, RawAnswer, Understanding } from "../port";
import type { Observation, Prompt } from "../prompt";
import { readCommand } from "./grammar";
import { nextStep } from "./progress";

/**
 * The built-in policy: needs no model, knows imperatives, sequences, repeats, turns and distances. It reads the
 * same prompt a model would get and gives the same structured text, so everything behind it is exercised alike.
 */
export const rulesPolicy: Policy = {
  name: "rules",
  understand,
  propose: (prompt, signal) =>
    signal.aborted ? Promise.reject(new Error("aborted")) : Promise.resolve(answer(prompt)),
};

function understand(command: string): Understanding {
  const read = readCommand(command);
  return read.ok ? { ok: true, steps: read.value.map((c) => c.words) } : { ok: false, reason: read.error };
}

function answer(prompt: Prompt): RawAnswer {
  const read = readCommand(prompt.command);
  const next = read.ok
    ? nextStep(
        read.value.flatMap((c) => c.calls),
        prompt.history,
        prompt.observation.in_air,
      )
    : { call: { skill: "hold" as const, args: {} }, why: read.error, left: 0 };
  const reply: PolicyReply = {
    trace: {
      image_description: describe(prompt.observation),
      summary: summarise(prompt),
      action_predictions: SkillId.options.map((skill) => ({
        skill,
        outcome: predict(skill, prompt.observation),
      })),
      reasoning: `${next.why}${next.left > 1 ? ` ${String(next.left - 1)} more after it.` : ""}`,
    },
    execute: next.call,
  };
  return { text: JSON.stringify(reply), tokens: null };
}

function describe(o: Observation): string {
  if (o.camera_seq === null) return "No image has arrived; nothing can be said about the scene.";
  const light = o.brightness !== null && o.brightness < 0.12 ? "The image is dark. " : "";
  const seen = o.objects.filter((x) => x.seen);
  const hidden = o.objects.length - seen.length;
  if (seen.length === 0)
    return `${light}No object stands out from the surfaces in view${hiddenWords(hidden)}.`;
  const list = seen
    .slice(0, 6)
    .map((x) => `${article(x.label)} ${x.range_m.toFixed(1)} m away ${side(x.bearing_rad)}`)
    .join(", ");
  const rest = seen.length > 6 ? ` and ${String(seen.length - 6)} more` : "";
  return `${light}In view: ${list}${rest}${hiddenWords(hidden)}.`;
}

const hiddenWords = (count: number): string =>
  count === 0 ? "" : `; ${String(count)} known before, not seen now`;
const article = (label: string): string => (/^[aeiou]/i.test(label) ? `an ${label}` : `a ${label}`);
const side = (bearing_rad: number): string =>
  Math.abs(bearing_rad) < 0.12 ? "straight ahead" : bearing_rad > 0 ? "to the left" : "to the right";

function summarise(prompt: Prompt): string {
  const o = prompt.observation;
  const state = !o.armed ? "Disarmed on the ground." : o.in_air ? "In the air." : "Armed on the ground.";
  if (prompt.history.length === 0) return `${state} Nothing has been done yet.`;
  const done = prompt.history.filter((h) => h.status === "success").map((h) => h.skill);
  const failed = prompt.history.filter((h) => h.status !== "success");
  const doneWords = done.length === 0 ? "Nothing has succeeded yet." : `Done: ${counted(done)}.`;
  const last = failed.at(-1);
  return `${state} ${doneWords}${last === undefined ? "" : ` Last setback: ${last.skill} ${last.status}.`}`;
}

function counted(skills: readonly SkillId[]): string {
  const runs: { skill: SkillId; count: number }[] = [];
  for (const skill of skills) {
    const run = runs.at(-1);
    if (run?.skill === skill) run.count += 1;
    else runs.push({ skill, count: 1 });
  }
  return runs.map((r) => (r.count === 1 ? r.skill : `${r.skill} ×${String(r.count)}`)).join(", ");
}

const moves: Partial<Record<SkillId, readonly [forward_m: number, left_m: number, up_m: number]>> = {
  forward: [translate_step_m, 0, 0],
  backward: [-translate_step_m, 0, 0],
  left: [0, translate_step_m, 0],
  right: [0, -translate_step_m, 0],
  up: [0, 0, climb_step_m],
  down: [0, 0, -climb_step_m],
};

function predict(skill: SkillId, o: Observation): string {
  if (skill === "take_off")
    return o.in_air ? "already in the air: nothing would change" : "the vehicle would hover above the pad";
  if (skill === "land")
    return o.in_air ? "it would touch down below this point and disarm" : "already on the ground";
  if (skill === "task_complete") return "the mission would end here";
  if (!o.in_air) return "on the ground: nothing would move before take-off";
  if (skill === "hold") return "it would stay where it is";
  if (o.position_enu_m === null || o.yaw_enu_rad === null)
    return "the position is not known, so the outcome is not either";
  if (skill === "yaw_left" || skill === "yaw_right") {
    const heading = (o.yaw_enu_rad * 180) / Math.PI + (skill === "yaw_left" ? 30 : -30);
    return `it would face ${String(Math.round(((heading % 360) + 360) % 360))}°; what is in view changes by a third`;
  }
  const [forward_m, left_m, up_m] = moves[skill] ?? [0, 0, 0];
  const c = Math.cos(o.yaw_enu_rad);
  const s = Math.sin(o.yaw_enu_rad);
  const x = o.position_enu_m[0] + c * forward_m - s * left_m;
  const y = o.position_enu_m[1] + s * forward_m + c * left_m;
  const z = o.position_enu_m[2] + up_m;
  const ahead =
    skill === "forward" && o.ahead_m !== null
      ? `, leaving ${(o.ahead_m - translate_step_m).toFixed(1)} m free ahead`
      : "";
  return `it would hover at (${x.toFixed(1)}, ${y.toFixed(1)}, ${z.toFixed(1)}) m${ahead}`;
}
