/** What became of a value that was sent: only the vehicle's own answer confirms it. */
export type Write =
  | { readonly state: "pending"; readonly value: number; readonly before: number }
  | { readonly state: "confirmed"; readonly value: number; readonly before: number }
  | { readonly state: "failed"; readonly value: number; readonly before: number; readonly reason: string };

export type Writes = Readonly<Record<string, Write>>;
type Answer = { readonly ok: true; readonly value: number } | { readonly ok: false; readonly reason: string };

export const begun = (writes: Writes, name: string, value: number, before: number): Writes => ({
  ...writes,
  [name]: {
    state: "pending",
    value,
    before: writes[name]?.state === "confirmed" ? writes[name].before : before,
  },
});

/** The station's answer. One that belongs to an earlier value of the same parameter changes nothing. */
export function answered(writes: Writes, name: string, sent: number, answer: Answer): Writes {
  const write = writes[name];
  if (write?.state !== "pending" || write.value !== sent) return writes;
  const { value, before } = write;
  if (!answer.ok) return { ...writes, [name]: { state: "failed", value, before, reason: answer.reason } };
  return { ...writes, [name]: { state: "confirmed", value: answer.value, before } };
}

/** Confirmed changes whose parameter takes effect only after a restart of the vehicle, and that differ from what it runs with. */
export const awaitingRestart = (writes: Writes, needsRestart: (name: string) => boolean): readonly string[] =>
  Object.entries(writes)
    .filter(
      ([name, write]) => write.state === "confirmed" && write.value !== write.before && needsRestart(name),
    )
    .map(([name]) => name)
    .sort();
