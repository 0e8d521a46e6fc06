/** What a command-line verb came to: `json` goes to stdout with --json, `text` to stderr or stdout for people. */
export interface ReviewOutcome {
  readonly exit: 0 | 1 | 2;
  readonly text: string;
  readonly json: unknown;
}
