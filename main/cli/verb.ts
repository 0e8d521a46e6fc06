import type { Arguments, VerbSpec } from "./arguments";

/** What a verb prints and how it ends: 0 it happened, 1 it did not, 2 bad arguments. */
export interface VerbResult {
  readonly code: 0 | 1 | 2;
  /** The document for `--json`; null when there is nothing but the text. */
  readonly json: unknown;
  /** For people; goes to stdout without `--json`, to stderr with it. One clear line when something failed. */
  readonly text: string;
}

export interface VerbContext {
  /** Progress for people, on stderr. */
  readonly say: (text: string) => void;
  /** Aborts on Ctrl+C or SIGTERM. */
  readonly signal: AbortSignal;
  readonly json: boolean;
}

export interface Verb {
  readonly spec: VerbSpec;
  run(args: Arguments, context: VerbContext): Promise<VerbResult>;
}

export const failed = (text: string, code: 1 | 2 = 1, json: unknown = null): VerbResult => ({
  code,
  json,
  text,
});
