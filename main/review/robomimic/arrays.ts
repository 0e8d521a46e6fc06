import type { Dataset, Entity, Group } from "h5wasm/node";
import type { Hdf5File } from "./file";

type NumberKind = "whole" | "float" | "flag";

/** HDF5's classes of numbers: H5T_INTEGER, H5T_FLOAT, H5T_ENUM (NumPy's bool). */
const KINDS: Readonly<Record<number, NumberKind>> = { 0: "whole", 1: "float", 8: "flag" };

/** A rectangular array of numbers, first axis: rows. */
export interface RowArray {
  /** "obs/robot0_eef_pos" within its demonstration. */
  readonly path: string;
  readonly shape: readonly number[];
  readonly kind: NumberKind;
  /** Bytes of one number. */
  readonly width: number;
  /** Rows [from, to) flattened, and which of the numbers are lost. Throws in the library's words. */
  readonly read: (from: number, to: number) => { values: ArrayLike<number>; lost: Uint8Array | null };
}

/** The library reports a stack of C functions: the innermost says what is wrong. */
export function words(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return [...text.matchAll(/^\s*#\d+: .*\(\): (.*)$/gm)].at(-1)?.[1] ?? text;
}

const isGroup = (entity: Entity | null): entity is Group =>
  entity !== null && "keys" in entity && typeof entity.keys === "function";
const isDataset = (entity: Entity | null): entity is Dataset =>
  entity !== null && "slice" in entity && typeof entity.slice === "function";

/** Members of a group by name, what is damaged left out. */
export function member(group: Group, name: string): Entity | null {
  try {
    return group.get(name);
  } catch {
    return null;
  }
}

export function groupAt(group: Group, name: string): Group | null {
  const found = member(group, name);
  return isGroup(found) ? found : null;
}

export function namesIn(group: Group): string[] {
  try {
    return group.keys();
  } catch {
    return [];
  }
}

/** A text or number attribute as text; empty when there is none. */
export function attributeText(group: Group, name: string): string {
  try {
    const value = group.attrs[name]?.value;
    return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
      ? String(value)
      : "";
  } catch {
    return "";
  }
}

/**
 * All numeric arrays of a demonstration, nested groups included. `copies` are the same group in the copies of a cut file;
 * a number that differs between them is lost. `complain` hears of members that cannot be read.
 */
export function arraysIn(
  copies: readonly Group[],
  strictly: Hdf5File["strictly"],
  complain: (text: string) => void,
): RowArray[] {
  const [first] = copies;
  if (!first) return [];
  const found: RowArray[] = [];
  const visit = (groups: readonly Group[], prefix: string, depth: number): void => {
    for (const name of namesIn(groups[0] as Group)) {
      const path = prefix === "" ? name : `${prefix}/${name}`;
      const entities = groups.map((group) => member(group, name));
      if (entities.every(isGroup)) {
        if (depth < 4) visit(entities, path, depth + 1);
        continue;
      }
      if (!entities.every(isDataset)) {
        complain(`${path} cannot be read`);
        continue;
      }
      const array = arrayOf(path, entities, strictly, complain);
      if (array) found.push(array);
    }
  };
  visit(copies, "", 0);
  return found;
}

function arrayOf(
  path: string,
  copies: readonly Dataset[],
  strictly: Hdf5File["strictly"],
  complain: (text: string) => void,
): RowArray | null {
  try {
    const [first] = copies;
    const shape = first?.shape;
    const kind = first && KINDS[first.metadata.type];
    if (!first || !shape || shape.length === 0 || kind === undefined) return null;
    return {
      path,
      shape,
      kind,
      width: first.metadata.size,
      read: (from, to) => {
        const range: [number, number][] = shape.map((n, axis) => (axis === 0 ? [from, to] : [0, n]));
        const [values, other] = strictly(() => copies.map((copy) => numbers(copy.slice(range))));
        if (!values) throw new Error("no values");
        return { values, lost: other ? differences(values, other) : null };
      },
    };
  } catch (error) {
    complain(`${path} cannot be read (${words(error)})`);
    return null;
  }
}

function numbers(data: unknown): ArrayLike<number> {
  if (data instanceof BigInt64Array || data instanceof BigUint64Array)
    return Float64Array.from(data, (value) => Number(value));
  if (ArrayBuffer.isView(data)) return data as unknown as ArrayLike<number>;
  if (Array.isArray(data)) return Float64Array.from(data as unknown[], (value) => Number(value));
  return Float64Array.of(Number(data));
}

function differences(a: ArrayLike<number>, b: ArrayLike<number>): Uint8Array | null {
  let lost: Uint8Array | null = null;
  for (let i = 0; i < a.length; i++) {
    if (Object.is(a[i], b[i])) continue;
    lost ??= new Uint8Array(a.length);
    lost[i] = 1;
  }
  return lost;
}
