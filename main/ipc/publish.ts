import type { EventName } from "#contract/channels";
import type { Event } from "#contract/ipc";
import type { Cancel, Clock } from "../platform/clock";

/** At most 15 values of one topic a second cross to the window. */
const period_ms = 1000 / 15;

interface Topic {
  last_ms: number;
  waiting: { readonly value: unknown } | null;
  cancel: Cancel;
}

/** Where values go: `webContents.send` in the application. */
export type Send = (name: EventName, value: unknown) => void;

export interface Publisher {
  publish<N extends EventName>(name: N, value: Event<N>): void;
  close(): void;
}

/**
 * Passes each topic's newest value on, no faster than 15 Hz. The first value after a pause goes at once; a value
 * that comes too early waits, and a newer one takes its place: a slow window only ever skips.
 * `menu` is a command, not a state, and is never skipped.
 */
export function createPublisher(send: Send, clock: Clock): Publisher {
  const topics = new Map<EventName, Topic>();
  const topicOf = (name: EventName): Topic => {
    const known = topics.get(name);
    if (known !== undefined) return known;
    const fresh: Topic = { last_ms: Number.NEGATIVE_INFINITY, waiting: null, cancel: () => {} };
    topics.set(name, fresh);
    return fresh;
  };
  const emit = (name: EventName, topic: Topic, value: unknown): void => {
    topic.last_ms = clock.now_ms();
    topic.waiting = null;
    send(name, value);
  };
  return {
    publish: (name, value) => {
      if (name === "menu") {
        send(name, value);
        return;
      }
      const topic = topicOf(name);
      const wait_ms = topic.last_ms + period_ms - clock.now_ms();
      if (topic.waiting !== null) {
        topic.waiting = { value };
      } else if (wait_ms > 0) {
        topic.waiting = { value };
        topic.cancel = clock.after(wait_ms, () => {
          if (topic.waiting !== null) emit(name, topic, topic.waiting.value);
        });
      } else {
        emit(name, topic, value);
      }
    },
    close: () => {
      for (const topic of topics.values()) {
        topic.cancel();
        topic.waiting = null;
      }
    },
  };
}
