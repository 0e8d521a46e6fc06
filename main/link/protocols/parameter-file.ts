import { err, ok, type Result } from "#contract/result";
import { isParameterType, type ParameterType, sameValue } from "./parameter-value";
import type { Parameter } from "./parameters";

export interface FileParameter {
  readonly name: string;
  readonly value: number;
  readonly type: ParameterType;
  readonly component_id: number;
}

/** QGroundControl's .params: tab-separated vehicle, component, name, value, type; "#" begins a comment. */
export function formatParameterFile(
  parameters: Iterable<Parameter>,
  ids: { readonly system_id: number; readonly component_id: number },
  title: string,
): string {
  const lines = [...parameters]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((p) => [ids.system_id, ids.component_id, p.name, formatValue(p), p.type].join("\t"));
  const head = [`# ${title}`, "#", "# Vehicle-Id Component-Id Name Value Type"];
  return `${[...head, ...lines].join("\n")}\n`;
}

/** Nine digits keep every 32-bit float; the point is a point in every locale. */
const formatValue = (p: Parameter): string =>
  p.type === 9 ? String(Number(Math.fround(p.value).toPrecision(9))) : String(p.value);

/** Reads one; an error names the line. Later lines of a name win, as in QGroundControl. */
export function parseParameterFile(text: string): Result<readonly FileParameter[], string> {
  const byName = new Map<string, FileParameter>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, component = "", name = "", value = "", type = ""] = line.trim().split(/\s+/);
    const parsed = {
      name,
      value: Number(value),
      type: Number(type),
      component_id: Number(component),
    };
    const good = name !== "" && value !== "" && Number.isFinite(parsed.value) && isParameterType(parsed.type);
    if (!good || !Number.isInteger(parsed.component_id)) {
      return err(`line ${index + 1} is not "vehicle component NAME value type": ${line.slice(0, 60)}`);
    }
    byName.set(name, { ...parsed, type: parsed.type as ParameterType });
  }
  return ok([...byName.values()]);
}

export interface ParameterDifference {
  readonly name: string;
  /** Null: only the file has it. */
  readonly vehicle: number | null;
  /** Null: only the vehicle has it. */
  readonly file: number | null;
}

export function compareParameters(
  vehicle: ReadonlyMap<string, Parameter>,
  file: readonly FileParameter[],
): readonly ParameterDifference[] {
  const inFile = new Map(file.map((p) => [p.name, p]));
  const names = [...new Set([...vehicle.keys(), ...inFile.keys()])].sort();
  return names.flatMap((name): ParameterDifference[] => {
    const [a, b] = [vehicle.get(name), inFile.get(name)];
    if (a !== undefined && b !== undefined && sameValue(a.value, b.value, a.type)) return [];
    return [{ name, vehicle: a?.value ?? null, file: b?.value ?? null }];
  });
}

/** By name or part of it, all words in any order. */
export function searchParameters(parameters: Iterable<Parameter>, words: string): readonly Parameter[] {
  const wanted = words
    .toUpperCase()
    .split(/[\s_]+/)
    .filter((word) => word !== "");
  return [...parameters].filter((p) => wanted.every((word) => p.name.includes(word)));
}
