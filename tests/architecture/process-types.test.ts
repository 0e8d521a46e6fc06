import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Type errors of `code` as if it were a file of `folder`, under that folder's own tsconfig. */
function errorsIn(folder: string, code: string): readonly string[] {
  const configPath = join(root, folder, "tsconfig.json");
  const { config } = ts.readConfigFile(configPath, (path) => ts.sys.readFile(path)) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(
    config,
    { ...ts.sys, readDirectory: () => [] },
    dirname(configPath),
  );
  const file = join(root, folder, "planted.ts");
  const plain = {
    ...options,
    composite: false,
    incremental: false,
    emitDeclarationOnly: false,
    declaration: false,
  };
  const host = ts.createCompilerHost({ ...plain, noEmit: true });
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version, ...rest) =>
    name === file ? ts.createSourceFile(name, code, version) : read(name, version, ...rest);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || exists(name);
  const program = ts.createProgram([file], { ...plain, noEmit: true }, host);
  const source = program.getSourceFile(file);
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
    (diagnostic) => ts.flattenDiagnosticMessageText(diagnostic.messageText, " "),
  );
}

const violations: readonly (readonly [what: string, folder: string, code: string, message: RegExp])[] = [
  ["Node in contract", "contract", "export const e = process.env;", /Cannot find name 'process'/],
  ["a window in contract", "contract", "export const w = window;", /Cannot find name 'window'/],
  ["a window in main", "main", "export const w = window;", /Cannot find name 'window'/],
  ["Node in renderer", "renderer", "export const e = process.env;", /Cannot find name 'process'/],
  ["Node in preload", "preload", "export const b = Buffer.alloc(1);", /Cannot find name 'Buffer'/],
  [
    "an unchecked index",
    "main",
    "export const f = (a: number[]): number => a[0];",
    /'number \| undefined' is not assignable/,
  ],
  [
    "undefined for an optional",
    "main",
    "export const o: { a?: number } = { a: undefined };",
    /exactOptionalPropertyTypes/,
  ],
  ["an enum", "main", "export enum E { A }", /erasableSyntaxOnly/],
  [
    "mixed frames",
    "main",
    'import type { Enu, Ned } from "#contract/frames"; export const f = (ned: Ned): Enu => ned;',
    /not assignable to type/,
  ],
  [
    "a newer runtime's API",
    "main",
    "export const p = Promise.withResolvers<void>();",
    /does not exist on type 'PromiseConstructor'/,
  ],
];

describe("each process sees only its own world", () => {
  test.each(violations)("%s does not compile in %s", (_what, folder, code, message) => {
    expect(errorsIn(folder, code)).toContainEqual(expect.stringMatching(message));
  });

  test("what belongs there compiles", () => {
    expect(errorsIn("main", "export const e = process.env['HOME'];")).toEqual([]);
    expect(errorsIn("renderer", "export const w = window.innerWidth;")).toEqual([]);
  });
});
