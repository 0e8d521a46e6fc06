import { readFileSync } from "node:fs";
import type { z } from "zod";
import { err, ok, type Result } from "#contract/result";

/** Reads and checks one JSON file; the error names the file, the path inside it and what was expected. */
export function readJson<T>(path: string, schema: z.ZodType<T>): Result<T, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return err(`${path}: cannot be read`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return err(`${path}: not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const issue = parsed.error.issues[0];
  const { at, text: what } = issue === undefined ? { at: [], text: "does not fit" } : explain(issue);
  return err(`${path}: at ${at.length === 0 ? "(top)" : at.map(String).join(".")}: ${what}`);
}

interface Explained {
  readonly at: readonly PropertyKey[];
  readonly text: string;
}

/** Of several allowed forms the one that fitted furthest says what is wrong; where none fitted at all, each is named. */
function explain(issue: z.core.$ZodIssue): Explained {
  if (issue.code !== "invalid_union" || issue.message !== "Invalid input" || issue.errors.length === 0)
    return { at: issue.path, text: issue.message };
  const forms = issue.errors.flatMap((form) => (form[0] === undefined ? [] : [explain(form[0])]));
  const furthest = forms.reduce((a, b) => (b.at.length > a.at.length ? b : a));
  const text = furthest.at.length > 0 ? furthest.text : forms.map((form) => form.text).join(", or ");
  return { at: [...issue.path, ...furthest.at], text };
}
