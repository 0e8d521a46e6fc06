import { num, text, type VehicleMessage } from "./message";

/** One text of the vehicle, whole or as far as it came. */
export interface VehicleText {
  readonly at_ms: number;
  /** MAV_SEVERITY: 0 emergency … 7 debug. */
  readonly severity: number;
  readonly system_id: number;
  readonly component_id: number;
  readonly text: string;
  /** How often the same text came in a row. */
  readonly count: number;
}

interface OpenText {
  readonly key: string;
  readonly severity: number;
  readonly at_ms: number;
  readonly last_ms: number;
  readonly system_id: number;
  readonly component_id: number;
  readonly chunks: Readonly<Record<number, string>>;
}

/** The newest texts, oldest first, and those of which chunks are still missing. */
export interface Texts {
  readonly recent: readonly VehicleText[];
  readonly open: readonly OpenText[];
  /** Completed a moment ago: repeats of their chunks are not new texts. */
  readonly done: readonly { readonly key: string; readonly at_ms: number }[];
}

export const noTexts: Texts = { recent: [], open: [], done: [] };

const KEEP = 200;
const CHUNK_LENGTH = 50;
/** A text whose next chunk has not come for so long is shown as it is. */
const CHUNK_TIMEOUT_ms = 1500;

/**
 * Collects STATUSTEXT. Long texts come in chunks of 50 characters with a common id; a chunk shorter than that is the last.
 * Missing chunks show as "[…]" rather than hiding the text.
 */
export function reduceTexts(texts: Texts, message: VehicleMessage, now_ms: number): Texts {
  const aged = ageTexts(texts, now_ms);
  if (message.name !== "STATUSTEXT") return aged;
  const { system_id, component_id } = message;
  const severity = num(message, "severity") ?? 6;
  const id = num(message, "id") ?? 0;
  const piece = text(message, "text");
  const whole = { at_ms: now_ms, severity, system_id, component_id };
  if (id === 0) return { ...aged, recent: append(aged.recent, { ...whole, text: piece, count: 1 }) };

  const seq = num(message, "chunk_seq") ?? 0;
  const key = `${String(system_id)}/${String(component_id)}/${String(id)}`;
  if (aged.done.some((done) => done.key === key)) return aged;
  const before = aged.open.find((open) => open.key === key);
  const entry: OpenText = {
    key,
    severity,
    at_ms: before?.at_ms ?? now_ms,
    last_ms: now_ms,
    system_id,
    component_id,
    chunks: { ...before?.chunks, [seq]: piece },
  };
  const others = aged.open.filter((open) => open.key !== key);
  if (!isComplete(entry)) return { ...aged, open: [...others, entry] };
  return {
    open: others,
    recent: append(aged.recent, closed(entry)),
    done: [...aged.done, { key, at_ms: now_ms }],
  };
}

/** Gives up waiting for chunks that are overdue. */
export function ageTexts(texts: Texts, now_ms: number): Texts {
  const due = texts.open.filter((open) => now_ms - open.last_ms > CHUNK_TIMEOUT_ms);
  const done = texts.done.filter((entry) => now_ms - entry.at_ms <= CHUNK_TIMEOUT_ms);
  if (due.length === 0) return done.length === texts.done.length ? texts : { ...texts, done };
  return {
    done: [...done, ...due.map((open) => ({ key: open.key, at_ms: now_ms }))],
    open: texts.open.filter((open) => !due.includes(open)),
    recent: due.reduce((recent, open) => append(recent, closed(open)), texts.recent),
  };
}

function isComplete(open: OpenText): boolean {
  for (let seq = 0; ; seq++) {
    const chunk = open.chunks[seq];
    if (chunk === undefined) return false;
    if (new TextEncoder().encode(chunk).length < CHUNK_LENGTH) return true;
  }
}

function closed(open: OpenText): VehicleText {
  const { at_ms, severity, system_id, component_id } = open;
  const seqs = Object.keys(open.chunks).map(Number);
  const last = Math.max(...seqs);
  let whole = "";
  let gap = false;
  for (let seq = 0; seq <= last; seq++) {
    const chunk = open.chunks[seq];
    if (chunk === undefined && !gap) whole += "[…]";
    gap = chunk === undefined;
    whole += chunk ?? "";
  }
  const tail = open.chunks[last] ?? "";
  if (new TextEncoder().encode(tail).length >= CHUNK_LENGTH) whole += "[…]";
  return { at_ms, severity, system_id, component_id, text: whole, count: 1 };
}

function append(recent: readonly VehicleText[], added: VehicleText): readonly VehicleText[] {
  const last = recent.at(-1);
  if (
    last !== undefined &&
    last.text === added.text &&
    last.system_id === added.system_id &&
    last.component_id === added.component_id &&
    last.severity === added.severity
  ) {
    return [...recent.slice(0, -1), { ...added, count: last.count + 1 }];
  }
  return [...recent, added].slice(-KEEP);
}
