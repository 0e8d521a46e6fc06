import type { ReviewMessage } from "#contract/review";
import type { LogReader, Parameter } from "../reader";

/** MAV_SEVERITY (https://mavlink.io/en/messages/common.html#MAV_SEVERITY). */
export const severityNames = [
  "emergency",
  "alert",
  "critical",
  "error",
  "warning",
  "notice",
  "info",
  "debug",
] as const;

export const severityName = (severity: number): string => severityNames[severity] ?? "info";

type Row = Readonly<Record<string, unknown>>;

/** Texts longer than one message come in numbered pieces of the same id; they are joined, gaps marked. */
export function statusTexts(reader: Pick<LogReader, "topics" | "records">): ReviewMessage[] {
  const out: ReviewMessage[] = [];
  for (const topic of reader.topics) {
    if (topic.type !== "STATUSTEXT") continue;
    const source = topic.name.split("@")[1] ?? "vehicle";
    let open: { message: ReviewMessage; id: number; next: number } | null = null;
    for (const { at_s, value } of reader.records(topic.name)) {
      const row = value as Row;
      const id = Number(row["id"] ?? 0);
      const piece = Number(row["chunk_seq"] ?? 0);
      const text = typeof row["text"] === "string" ? row["text"].trimEnd() : "";
      if (open && id !== 0 && open.id === id && piece >= open.next) {
        const gap = piece > open.next ? " … " : "";
        open.message = { ...open.message, text: open.message.text + gap + text };
        open.next = piece + 1;
        out[out.length - 1] = open.message;
        continue;
      }
      const message = { at_s, severity: severityName(Number(row["severity"])), source, text };
      out.push(message);
      open = id === 0 ? null : { message, id, next: piece + 1 };
    }
  }
  return out.sort((a, b) => a.at_s - b.at_s);
}

/** MAV_PARAM_TYPE numbers whose value PX4 carries bit for bit inside the float. */
const INT32 = 6;
const UINT32 = 5;

/** PARAM_VALUE messages as columns: the first value of each name, then every change. */
export function parametersOf(
  reader: Pick<LogReader, "column" | "records">,
  names: readonly string[],
): Parameter[] {
  const values = reader.column("PARAM_VALUE", "param_value");
  const types = reader.column("PARAM_VALUE", "param_type");
  if (!values || !types || names.length !== values.values.length) return [];
  const found = new Map<
    string,
    { name: string; value: number; changes: { at_s: number; value: number }[] }
  >();
  const px4 = isPx4(reader);
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const value = plainValue(values.values[i] as number, types.values[i] as number, px4);
    const known = found.get(name);
    if (!known) found.set(name, { name, value, changes: [] });
    else if ((known.changes.at(-1)?.value ?? known.value) !== value)
      known.changes.push({ at_s: values.t_s[i] as number, value });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** MAV_AUTOPILOT_PX4 is 12. */
function isPx4(reader: Pick<LogReader, "records">): boolean {
  for (const { value } of reader.records("HEARTBEAT")) return (value as Row)["autopilot"] === 12;
  return false;
}

const bits = new DataView(new ArrayBuffer(4));

function plainValue(value: number, type: number, px4: boolean): number {
  if (!px4 || type > INT32) return value;
  bits.setFloat32(0, value);
  return type === UINT32 ? bits.getUint32(0) : bits.getInt32(0);
}
