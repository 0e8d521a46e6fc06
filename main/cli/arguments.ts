import { parseArgs } from "node:util";
import { err, ok, type Result } from "#contract/result";

export interface OptionSpec {
  readonly name: string;
  /** Shown in the help as `--name VALUE`; absent for switches. */
  readonly value?: string;
  readonly help: string;
  readonly multiple?: boolean;
}

export interface VerbSpec {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments as the help shows them, required in this number. */
  readonly positionals: readonly string[];
  /** What further ones are called, where there may be any number of them. */
  readonly more?: string;
  readonly options: readonly OptionSpec[];
}

export interface Arguments {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  all(name: string): readonly string[];
  has(name: string): boolean;
  /** Finite number in the range, the fallback when not given, or one clear sentence. */
  number(name: string, fallback: number, min: number, max: number): Result<number, string>;
}

const common: readonly OptionSpec[] = [
  { name: "json", help: "one JSON document on stdout, human text on stderr" },
  { name: "help", help: "this text" },
];

export function parseVerb(spec: VerbSpec, argv: readonly string[]): Result<Arguments, string> {
  const options = Object.fromEntries(
    [...spec.options, ...common].map((o) => [
      o.name,
      {
        type: o.value === undefined ? ("boolean" as const) : ("string" as const),
        multiple: o.multiple === true,
      },
    ]),
  );
  let values: Record<string, unknown>;
  let positionals: string[];
  try {
    ({ values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true }));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return err(`${spec.name}: ${text.split(". ")[0] ?? text}. See --help.`);
  }
  const enough =
    positionals.length === spec.positionals.length ||
    (spec.more !== undefined && positionals.length > spec.positionals.length);
  if (values["help"] !== true && !enough) {
    const extra = positionals[spec.positionals.length];
    return err(
      extra === undefined
        ? `${spec.name}: ${spec.positionals[positionals.length] ?? "an argument"} is missing. See --help.`
        : `${spec.name}: “${extra}” is one argument too many. See --help.`,
    );
  }
  const all = (name: string): readonly string[] => {
    const value = values[name];
    return Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [];
  };
  return ok({
    positionals,
    all,
    text: (name) => all(name)[0],
    has: (name) => values[name] === true,
    number: (name, fallback, min, max) => {
      const given = all(name)[0];
      if (given === undefined) return ok(fallback);
      const value = given.trim() === "" ? Number.NaN : Number(given);
      if (value >= min && value <= max) return ok(value);
      return err(`${spec.name}: --${name} must be a number from ${min} to ${max}, not “${given}”.`);
    },
  });
}

export function helpText(spec: VerbSpec): string {
  const rows = [...spec.options, ...common].map((o) => [
    `--${o.name}${o.value === undefined ? "" : ` ${o.value}`}`,
    o.help,
  ]);
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return [
    `kingfisher ${[spec.name, ...spec.positionals, ...(spec.more === undefined ? [] : [`[${spec.more} ...]`])].join(" ")} [options]`,
    `  ${spec.summary}`,
    "",
    ...rows.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}`),
  ].join("\n");
}
