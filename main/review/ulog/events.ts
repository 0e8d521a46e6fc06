import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ReviewMessage } from "#contract/review";
import type { LogRecord } from "../reader";
import { severityName } from "../tlog/texts";

/** An event as the vehicle published it, for whoever has its words. */
export interface LoggedEvent {
  readonly sequence: number;
  readonly id: number;
  /** 0 emergency … 7 debug, 8 protocol. */
  readonly level: number;
  readonly arguments: readonly number[];
}

export interface EventWords {
  /** Null for an event that is not described. */
  words(event: LoggedEvent): { readonly text: string; readonly name: string; readonly group: string } | null;
}

/** From 8 on events serve other programs: reports are put together from them. */
const LAST_LEVEL = 7;
const ARGUMENTS = /^arguments\[\d+\]$/;

/** PX4's events (https://docs.px4.io/main/en/concept/events_interface): one line each, in words where they are known. */
export function eventMessages(records: Iterable<LogRecord>, dictionary: EventWords | null): ReviewMessage[] {
  const out: ReviewMessage[] = [];
  for (const { at_s, value } of records) {
    const row = value as Readonly<Record<string, number>>;
    // The lower half is the level for people outside, the upper one for the log itself.
    const level = (row["log_levels"] ?? 0) & 15;
    if (level > LAST_LEVEL) continue;
    const id = row["id"] ?? 0;
    const known = dictionary?.words({
      sequence: row["event_sequence"] ?? 0,
      id,
      level,
      arguments: Object.entries(row).flatMap(([path, byte]) => (ARGUMENTS.test(path) ? byte : [])),
    });
    const bare = dictionary === null ? "no description of events in this log" : "not described";
    out.push({
      at_s,
      severity: severityName(level),
      source: known ? `event, ${known.group}` : "event",
      text: known?.text ?? `event ${id} (${bare})`,
    });
  }
  return out;
}

/** How many events were published and are not in the log: their numbers go up one by one, and around at 65,536. */
export function lostEvents(sequence: Float64Array): number {
  let lost = 0;
  for (let i = 1; i < sequence.length; i++) {
    const step = ((sequence[i] as number) - (sequence[i - 1] as number) + 65_536) % 65_536;
    if (step > 1 && step < 32_768) lost += step - 1;
  }
  return lost;
}

/** Definitions that lie beside a log whose firmware did not embed them, as PX4's build leaves them. */
export function definitionsBeside(path: string): Uint8Array | null {
  const folder = dirname(path);
  const names = [
    `${path}.events.json`,
    ...["all_events.json", "events.json"].map((name) => join(folder, name)),
  ];
  for (const name of names)
    for (const found of [`${name}.xz`, name]) if (existsSync(found)) return readFileSync(found);
  return null;
}
