/** What the command line of the window asks for. Chromium's own switches stand between ours and are passed over. */
export interface ShellArguments {
  /** Write a screenshot here once everything has drawn, then leave. */
  readonly smoke: string | null;
  readonly smoke_timeout_s: number;
  /** A recording to open in Review. */
  readonly open: string | null;
  /** A page to print as PDF, then leave: no window, no station. */
  readonly print: { readonly page: string; readonly target: string } | null;
}

export function parseArguments(argv: readonly string[]): ShellArguments {
  const valueOf = (name: string): string | null => {
    const inline = argv.find((argument) => argument.startsWith(`${name}=`));
    if (inline !== undefined) return inline.slice(name.length + 1);
    const at = argv.indexOf(name);
    return at === -1 ? null : (argv[at + 1] ?? null);
  };
  const printed = (page: string | null, target: string | null): ShellArguments["print"] =>
    page === null || target === null ? null : { page, target };
  const timeout_s = Number(valueOf("--smoke-timeout") ?? "120");
  return {
    smoke: valueOf("--smoke"),
    smoke_timeout_s: timeout_s > 0 ? timeout_s : 120,
    open: valueOf("--open") ?? argv.find((argument) => argument.startsWith("kingfisher://review")) ?? null,
    print: printed(valueOf("--print"), valueOf("--to")),
  };
}
