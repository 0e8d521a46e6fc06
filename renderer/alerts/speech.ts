import type { Alert } from "#contract/alerts";

/**
 * What to say aloud, one sentence at a time and never a backlog: spoken minutes behind the events, speech misleads
 * (mavlink/qgroundcontrol#5932, #12882). Whatever is not said within `current_ms` of happening is never said.
 */
export interface Speech {
  /** `id` and `count` of alerts already said or given up. */
  readonly done: ReadonlyMap<string, number>;
  readonly speaking: boolean;
  readonly last_ended_ms: number;
}

export const current_ms = 3000;
/** Silence between two sentences. */
export const pause_ms = 700;

export const silent: Speech = { done: new Map(), speaking: false, last_ended_ms: Number.NEGATIVE_INFINITY };

const rank = { warning: 0, caution: 1, advisory: 2 } as const;

export interface SpeechStep {
  readonly speech: Speech;
  /** To be spoken now; null for silence. */
  readonly say: Alert | null;
}

/** Picks the newest of the worst that is still current. Muted cautions and advisories are dropped, warnings never. */
export function nextSentence(
  speech: Speech,
  alerts: readonly Alert[],
  muted: boolean,
  now_ms: number,
): SpeechStep {
  const fresh = alerts.filter(
    (alert) => alert.count > (speech.done.get(alert.id) ?? 0) && now_ms - alert.last_at_ms <= current_ms,
  );
  const [first] = fresh
    .filter((alert) => alert.severity !== "advisory" && !(muted && alert.severity !== "warning"))
    .sort((a, b) => rank[a.severity] - rank[b.severity] || b.last_at_ms - a.last_at_ms);
  const waits = speech.speaking || !(now_ms - speech.last_ended_ms >= pause_ms);
  if (first === undefined || waits) return { speech, say: null };
  const done = new Map(alerts.map((alert) => [alert.id, speech.done.get(alert.id) ?? 0]));
  done.set(first.id, first.count);
  return { speech: { ...speech, done, speaking: true }, say: first };
}

export const ended = (speech: Speech, now_ms: number): Speech => ({
  ...speech,
  speaking: false,
  last_ended_ms: now_ms,
});

/** "Caution. Cup moved 3.1 cm." The words of the screen, without what to do: that is read, not heard. */
export const sentence = (alert: Alert): string =>
  `${alert.severity === "warning" ? "Warning" : "Caution"}. ${alert.text}`;
