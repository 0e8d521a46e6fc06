/** With this topic, a series' field is an expression. */
export const expressionTopic = "=";

/** "TOPIC.FIELD" apart. Topics may contain dots themselves: the longest topic name that fits wins. */
export function splitReference(
  topics: readonly { readonly name: string }[],
  reference: string,
): { topic: string; field: string } | null {
  let found: string | null = null;
  for (const { name } of topics)
    if (reference.startsWith(`${name}.`) && name.length > (found?.length ?? 0)) found = name;
  return found === null ? null : { topic: found, field: reference.slice(found.length + 1) };
}
