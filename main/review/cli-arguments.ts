import { type ExportFormat, exportFormats } from "#contract/review";

export const reviewUsage =
  "review FILE [--join FILE …] [--summary | --series TOPIC.FIELD | --spectrum TOPIC.FIELD | --why | --layouts | --export FORMAT --out DIR] [--from S] [--to S] [--points N] [--topics A,B] [--offset KEY=S …] [--overwrite] [--json]";

export interface Asked {
  readonly file: string;
  readonly join: readonly string[];
  readonly offsets: readonly { readonly key: string; readonly offset_s: number }[];
  readonly series: string | null;
  readonly spectrum: string | null;
  readonly why: boolean;
  readonly layouts: boolean;
  readonly format: ExportFormat | null;
  readonly out: string | null;
  readonly topics: readonly string[] | null;
  readonly overwrite: boolean;
  readonly from_s: number | null;
  readonly to_s: number | null;
  readonly points: number;
}

const VALUES = ["series", "spectrum", "export", "out", "from", "to", "points", "topics", "join", "offset"];
const SWITCHES = ["summary", "json", "why", "layouts", "overwrite"];

/** The verb's arguments, or what is wrong with them. */
export function parseArgs(args: readonly string[]): Asked | string {
  const files: string[] = [];
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const name = arg.slice(2);
    if (!arg.startsWith("--")) files.push(arg);
    else if (SWITCHES.includes(name)) switches.add(name);
    else if (VALUES.includes(name)) {
      const value = args[++i];
      if (value === undefined) return `${arg} needs a value; usage: ${reviewUsage}`;
      values.set(name, [...(values.get(name) ?? []), value]);
    } else return `unknown option ${arg}; usage: ${reviewUsage}`;
  }
  const [file] = files;
  if (file === undefined || files.length > 1)
    return `one file or flight folder is needed; usage: ${reviewUsage}`;
  const one = (name: string): string | null => values.get(name)?.[0] ?? null;
  const wanted = one("export");
  const format = exportFormats.find((name) => name === wanted) ?? null;
  if (wanted !== null && format === null)
    return `--export ${wanted} is not known; choose one of ${exportFormats.join(", ")}`;
  const out = one("out");
  if (format !== null && out === null) return "--export needs --out DIR";
  const numbers: (number | null)[] = [];
  for (const name of ["from", "to", "points"]) {
    const text = one(name);
    const value = text === null ? null : Number(text);
    if (value !== null && !Number.isFinite(value)) return `--${name} needs a number, not "${text ?? ""}"`;
    numbers.push(value);
  }
  const offsets: { key: string; offset_s: number }[] = [];
  for (const text of values.get("offset") ?? []) {
    const match = /^(\w+)=(-?\d+(?:\.\d+)?)$/.exec(text);
    if (!match) return `--offset needs KEY=SECONDS, not "${text}"`;
    offsets.push({ key: match[1] ?? "", offset_s: Number(match[2]) });
  }
  return {
    file,
    join: values.get("join") ?? [],
    offsets,
    series: one("series"),
    spectrum: one("spectrum"),
    why: switches.has("why"),
    layouts: switches.has("layouts"),
    format,
    out,
    topics: one("topics")?.split(",") ?? null,
    overwrite: switches.has("overwrite"),
    from_s: numbers[0] ?? null,
    to_s: numbers[1] ?? null,
    points: Math.min(20_000, Math.max(10, Math.round(numbers[2] ?? 1000))),
  };
}
