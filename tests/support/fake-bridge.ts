import type { EventName, RequestName } from "#contract/channels";
import type { Bridge, Event, Input, Output, Snapshot } from "#contract/ipc";
import { unknownLink } from "../../renderer/stores/initial";

type Answers = { [C in RequestName]?: (input: Input<C>) => Output<C> | Promise<Output<C>> };

/** A station that says only what the test tells it to, and remembers what it was asked. */
export interface FakeBridge extends Bridge {
  emit<N extends EventName>(name: N, event: Event<N>): void;
  /** Every request so far, oldest first. */
  readonly asked: readonly { readonly channel: RequestName; readonly input: unknown }[];
  inputsOf<C extends RequestName>(channel: C): readonly Input<C>[];
  answer<C extends RequestName>(channel: C, answer: NonNullable<Answers[C]>): void;
  listeners(): number;
}

/** Requests without an answer of their own: actions succeed, questions about recordings are refused. */
const usual: Answers = {
  "link.detail": () => unknownLink,
  "ui.alive": () => ({}),
  "ui.drawn": () => ({}),
  "review.close": () => ({}),
  "review.flights": () => [],
  "review.pick": () => ({ path: null }),
};
const accepted = { ok: true } as const;

export function createFakeBridge(snapshot: Snapshot, answers: Answers = {}): FakeBridge {
  const asked: { channel: RequestName; input: unknown }[] = [];
  const listening = new Map<EventName, Set<(event: never) => void>>();
  const known: Answers = {
    ...usual,
    "station.snapshot": () => snapshot,
    "settings.get": () => snapshot.settings,
    ...answers,
  };
  return {
    async request<C extends RequestName>(channel: C, input: Input<C>): Promise<Output<C>> {
      asked.push({ channel, input });
      const answer = known[channel] as ((input: Input<C>) => Output<C> | Promise<Output<C>>) | undefined;
      return answer === undefined ? (accepted as Output<C>) : answer(input);
    },
    on(name, listener) {
      const set = listening.get(name) ?? new Set();
      listening.set(name, set);
      set.add(listener);
      return () => set.delete(listener);
    },
    pathOf: () => "",
    emit(name, event) {
      for (const listener of listening.get(name) ?? []) (listener as (value: typeof event) => void)(event);
    },
    asked,
    inputsOf: <C extends RequestName>(channel: C) =>
      asked.filter((one) => one.channel === channel).map((one) => one.input as Input<C>),
    answer(channel, answer) {
      known[channel] = answer;
    },
    listeners: () => [...listening.values()].reduce((sum, set) => sum + set.size, 0),
  };
}
