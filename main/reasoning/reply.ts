import { PolicyReply } from "#contract/mission";
import { err, ok, type Result } from "#contract/result";
import { SkillId, skillLibrary } from "#contract/skills";

/**
 * Parses what a policy said. Anything but one JSON object of exactly the expected shape is refused with one
 * sentence that is fed back (AERMANI-VLM: re-prompt when invalid). Unknown keys are refused: an answer that
 * says `"approved": true` is invalid, it approves nothing.
 */
export function parseReply(text: string): Result<PolicyReply, string> {
  const twice = duplicateKey(text);
  if (twice !== null) return err(`the key "${twice}" appears twice`);
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return err("the answer is not one JSON object");
  }
  const parsed = PolicyReply.safeParse(raw);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? "the answer" : issue.path.join(".");
    return err(`${where}: ${issue?.message ?? "malformed"}`);
  }
  const reply = parsed.data;
  const predicted = reply.trace.action_predictions.map((p) => p.skill);
  const missing = SkillId.options.filter((s) => !predicted.includes(s));
  if (missing.length > 0) return err(`action_predictions lacks ${missing.join(", ")}`);
  if (predicted.length !== SkillId.options.length) return err("action_predictions names a skill twice");
  const allowed = skillLibrary[reply.execute.skill].parameters;
  const foreign = Object.keys(reply.execute.args).find((name) => !(name in allowed));
  if (foreign !== undefined) return err(`execute.args: ${reply.execute.skill} has no parameter "${foreign}"`);
  return ok(reply);
}

/**
 * The first key that one object holds twice, or null. JSON.parse keeps the last silently, so that what a person
 * reads first would not be what runs (field report: strands-labs/robots#1087).
 */
export function duplicateKey(text: string): string | null {
  const stack: (Set<string> | null)[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;
  let lastString: string | null = null;
  for (const [part] of text.matchAll(token)) {
    if (part === "{") stack.push(new Set());
    else if (part === "[") stack.push(null);
    else if (part === "}" || part === "]") stack.pop();
    else if (part === ":") {
      const keys = stack.at(-1);
      if (keys && lastString !== null) {
        if (keys.has(lastString)) return lastString;
        keys.add(lastString);
      }
    }
    lastString = part.startsWith('"') ? unquote(part) : null;
  }
  return null;
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
