import type { Cancel, Clock } from "../../platform/clock";
import type { EventNews, VehicleEvent } from "../../vehicle/arming-events";
import type { Received } from "../port";
import { listen, type ServiceTarget, type ServiceWire, to } from "./service";

const RETRY_ms = 800;
const TRIES = 6;
const MOST_BUFFERED = 128;
/** The vehicle's counter began anew. */
const FLAG_RESET = 1;

/**
 * The vehicle's events in its own order, lost ones asked for again (https://mavlink.io/en/services/events.html). What
 * cannot be had any more is told as lost rather than passed over.
 */
export function startEvents(
  wire: ServiceWire,
  clock: Clock,
  target: ServiceTarget,
  onNews: (news: EventNews) => void,
): Cancel {
  /** Sequence number that comes next; null before the first event. */
  let next: number | null = null;
  const waiting = new Map<number, VehicleEvent>();
  /** One past the newest number the vehicle has used, as far as we know. */
  let end: number | null = null;
  let tries = 0;
  let cancelRetry: Cancel = () => {};

  const deliver = (): void => {
    for (;;) {
      const event = next === null ? undefined : waiting.get(next);
      if (next === null || event === undefined) break;
      waiting.delete(next);
      next = (next + 1) & 0xffff;
      tries = 0;
      onNews({ kind: "event", event });
    }
    cancelRetry();
    if (next !== null && end !== null && ahead(end, next) > 0) ask();
  };
  const ask = (): void => {
    if (next === null || end === null) return;
    if (tries++ >= TRIES) {
      skipTo(firstWaiting() ?? end);
      return;
    }
    const last = ((firstWaiting() ?? end) - 1) & 0xffff;
    wire.send("REQUEST_EVENT", { ...to(target), first_sequence: next, last_sequence: last });
    cancelRetry = clock.after(RETRY_ms, ask);
  };
  const firstWaiting = (): number | null => {
    const from = next;
    if (from === null || waiting.size === 0) return null;
    return [...waiting.keys()].sort((a, b) => ahead(a, from) - ahead(b, from))[0] ?? null;
  };
  const skipTo = (sequence: number): void => {
    if (next !== null) onNews({ kind: "lost", count: ahead(sequence, next) });
    next = sequence;
    tries = 0;
    deliver();
  };
  const onEvent = ({ fields }: Received): void => {
    const { sequence, id, log_levels } = fields;
    if (typeof sequence !== "number" || typeof id !== "number" || typeof log_levels !== "number") return;
    const bytes = fields["arguments"];
    next ??= sequence;
    const distance = ahead(sequence, next);
    if (distance < 0 || distance > MOST_BUFFERED) return;
    const level = log_levels & 0x0f;
    waiting.set(sequence, { sequence, id, level, arguments: Array.isArray(bytes) ? bytes.map(Number) : [] });
    if (end === null || ahead(sequence + 1, end) > 0) end = (sequence + 1) & 0xffff;
    deliver();
  };
  const onCurrent = ({ fields }: Received): void => {
    const { sequence, flags } = fields;
    if (typeof sequence !== "number" || typeof flags !== "number") return;
    const after = (sequence + 1) & 0xffff;
    if (next === null || (flags & FLAG_RESET) !== 0 || Math.abs(ahead(after, next)) > MOST_BUFFERED) {
      // Heard nothing before, or the vehicle restarted: start from what comes next.
      waiting.clear();
      next = after;
      end = after;
      return;
    }
    if (end === null || ahead(after, end) > 0) {
      end = after;
      deliver();
    }
  };
  const onError = ({ fields }: Received): void => {
    const { sequence_oldest_available, sequence } = fields;
    if (typeof sequence_oldest_available !== "number" || sequence !== next || next === null) return;
    if (ahead(sequence_oldest_available, next) > 0) skipTo(sequence_oldest_available);
  };
  const unhear = [
    listen(wire, target, ["EVENT"], onEvent),
    listen(wire, target, ["CURRENT_EVENT_SEQUENCE"], onCurrent),
    listen(wire, target, ["RESPONSE_EVENT_ERROR"], onError),
  ];
  return () => {
    cancelRetry();
    for (const cancel of unhear) cancel();
  };
}

/** How far `a` is ahead of `b` on the 16-bit circle. */
const ahead = (a: number, b: number): number => ((a - b + 0x18000) & 0xffff) - 0x8000;
