import { createHash } from "node:crypto";

/**
 * The audit log: one line of JSON per decision, each carrying the hash of the one before it, so that a line that was
 * changed, removed or inserted later breaks the chain from there on. A cut tail cannot show in the chain itself;
 * the recording repeats each hash as `/kingfisher/audit`, and `verifyAudit` compares them.
 */
export interface AuditEntry {
  /** What was decided: "approval", "verdict", "command", "emergency", … */
  readonly kind: string;
  /** Who or what decided: an operator's name, "gate", "failsafe". */
  readonly by: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface AuditLine extends AuditEntry {
  readonly seq: number;
  readonly utc_ms: number;
  readonly previous: string;
  readonly hash: string;
}

export interface AuditVerdict {
  readonly state: "verified" | "broken" | "absent";
  readonly detail: string;
}

export const auditStart = "0".repeat(64);

/** JSON with sorted keys and no spaces: one value, one text. Undefined members are left out, as JSON does. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return value === undefined ? "null" : JSON.stringify(value);
}

const hashOf = (line: Omit<AuditLine, "hash">): string =>
  createHash("sha256").update(line.previous).update(canonicalJson(line)).digest("hex");

/** The next line of a chain whose last hash is `previous`. */
export function chainAudit(entry: AuditEntry, seq: number, utc_ms: number, previous: string): AuditLine {
  const open = { seq, utc_ms, kind: entry.kind, by: entry.by, detail: entry.detail, previous };
  // What is hashed is what a reader will parse: numbers that JSON cannot hold become null before hashing.
  const plain = JSON.parse(canonicalJson(open)) as typeof open;
  return { ...plain, hash: hashOf(plain) };
}

/**
 * Checks a whole audit file. `witness` holds the hashes by sequence number that the recording carries beside it;
 * a line the recording knows and the file lacks, or has otherwise, breaks it.
 */
export function verifyAudit(text: string | null, witness: ReadonlyMap<number, string>): AuditVerdict {
  if (text === null) {
    return witness.size === 0
      ? { state: "absent", detail: "no audit log beside this recording" }
      : broken(`the audit log is gone; the recording knows ${witness.size} decisions`);
  }
  const lines = text.split("\n");
  const tail = lines.pop() ?? "";
  let previous = auditStart;
  let seq = 0;
  for (const [index, raw] of lines.entries()) {
    const line = parseLine(raw);
    if (!line) return broken(`line ${index + 1} cannot be read`);
    const { hash, ...open } = line;
    if (line.seq !== seq) return broken(`line ${index + 1} has number ${line.seq}, expected ${seq}`);
    if (line.previous !== previous) return broken(`line ${index + 1} does not follow the line before it`);
    if (hash !== hashOf(open)) return broken(`line ${index + 1} was changed`);
    const seen = witness.get(seq);
    if (seen !== undefined && seen !== hash) return broken(`line ${index + 1} differs from the recording`);
    previous = hash;
    seq += 1;
  }
  for (const known of witness.keys()) {
    if (known >= seq)
      return broken(`it ends after ${seq} decisions; the recording knows number ${known + 1}`);
  }
  const cut = tail === "" ? "" : ", last line cut in the middle of writing";
  return { state: "verified", detail: `${seq} decisions, chain unbroken${cut}` };
}

const broken = (detail: string): AuditVerdict => ({ state: "broken", detail });

function parseLine(raw: string): AuditLine | null {
  try {
    const line = JSON.parse(raw) as Partial<AuditLine> | null;
    return typeof line?.seq === "number" && typeof line.hash === "string" ? (line as AuditLine) : null;
  } catch {
    return null;
  }
}
