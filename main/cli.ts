import { archiveVerb } from "./cli/archive";
import { helpText, parseVerb } from "./cli/arguments";
import { benchVerb } from "./cli/bench";
import { doctorVerb } from "./cli/doctor";
import { evalVerb } from "./cli/eval";
import { flyVerb } from "./cli/fly";
import { linkVerb } from "./cli/link";
import { reviewVerb } from "./cli/review";
import { simVerb } from "./cli/sim";
import type { Verb, VerbResult } from "./cli/verb";
import { readVersion } from "./platform/version";

const verbs: readonly Verb[] = [
  simVerb,
  linkVerb,
  flyVerb,
  reviewVerb,
  archiveVerb,
  evalVerb,
  benchVerb,
  doctorVerb,
];

function overview(): string {
  const { version, git } = readVersion();
  const width = Math.max(...verbs.map((v) => v.spec.name.length));
  return [
    `Kingfisher ${version} (${git})`,
    "kingfisher VERB [options]; kingfisher VERB --help says more",
    "",
    ...verbs.map((v) => `  ${v.spec.name.padEnd(width)}  ${v.spec.summary}`),
  ].join("\n");
}

async function run(
  argv: readonly string[],
  signal: AbortSignal,
): Promise<{ result: VerbResult; json: boolean }> {
  const [name = "", ...rest] = argv;
  const json = rest.includes("--json");
  if (name === "" || name === "--help" || name === "help")
    return { result: { code: 0, json: null, text: overview() }, json };
  if (name === "--version") {
    const version = readVersion();
    return { result: { code: 0, json: version, text: `${version.version} (${version.git})` }, json };
  }
  const verb = verbs.find((v) => v.spec.name === name);
  if (verb === undefined)
    return {
      result: {
        code: 2,
        json: null,
        text: `There is no verb “${name}”. Known: ${verbs.map((v) => v.spec.name).join(", ")}.`,
      },
      json,
    };
  const args = parseVerb(verb.spec, rest);
  if (!args.ok) return { result: { code: 2, json: null, text: args.error }, json };
  if (args.value.has("help")) return { result: { code: 0, json: null, text: helpText(verb.spec) }, json };
  const say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  return { result: await verb.run(args.value, { say, signal, json }), json };
}

function main(): void {
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => abort.abort());
  // As a part of another run it ends with that run.
  process.once("disconnect", () => abort.abort());
  run(process.argv.slice(2), abort.signal)
    .then(({ result, json }) => {
      const document = result.json ?? (json && result.code !== 0 ? { error: result.text } : null);
      if (json && document !== null) process.stdout.write(`${JSON.stringify(document)}\n`);
      if (result.text !== "")
        (json || result.code !== 0 ? process.stderr : process.stdout).write(`${result.text}\n`);
      process.exitCode = result.code;
    })
    .catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exitCode = 1;
    })
    .finally(() => {
      // Native libraries keep handles that would hold the process; everything is written by now.
      process.stdout.write("", () => process.exit());
    });
}

main();
