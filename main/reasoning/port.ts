import type { Prompt } from "./prompt";

/** A policy's answer as it came, unparsed: whatever it is, only `parseReply` decides whether it counts. */
export interface RawAnswer {
  readonly text: string;
  readonly tokens: number | null;
}

/**
 * Something that answers a structured prompt: a model behind a provider, or the built-in rules.
 * It gets words and numbers and gives text; it holds no door to the vehicle, the approvals or the limits.
 */
export interface Policy {
  readonly name: string;
  /**
   * The command as this policy understands it, in words, or one sentence saying what it does not understand.
   * A policy that cannot tell before it has seen anything leaves this out.
   */
  readonly understand?: (command: string) => Understanding;
  /** Rejects when `signal` aborts; may take as long as it likes, the vehicle holds meanwhile. */
  propose(prompt: Prompt, signal: AbortSignal): Promise<RawAnswer>;
}

export type Understanding =
  | { readonly ok: true; readonly steps: readonly string[] }
  | { readonly ok: false; readonly reason: string };
