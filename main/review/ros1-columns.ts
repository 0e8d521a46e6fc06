import { parse } from "@foxglove/rosmsg";
import type { ColumnTree } from "./objects";

/** How a ROS 1 message lies in bytes (http://wiki.ros.org/msg): no padding, little-endian, lengths before what varies. */
type Step =
  | NumberStep
  | { readonly kind: "text" }
  /** `length` -1: the count stands before the elements. */
  | { readonly kind: "skip"; readonly bytes: number; readonly length: number }
  | { readonly kind: "texts"; readonly length: number }
  | {
      readonly kind: "messages";
      readonly steps: readonly Step[];
      readonly length: number;
      readonly path: string;
    };

interface NumberStep {
  readonly kind: "number";
  readonly type: string;
  readonly bytes: number;
  readonly path: string;
  /** The column it filled last time and whose it is: looked up once a topic, not once a message. */
  owner: ColumnTree | null;
  column: Float64Array | null;
}

const numberStep = (type: string, bytes: number, path: string): NumberStep => ({
  kind: "number",
  type,
  bytes,
  path,
  owner: null,
  column: null,
});

const BYTES: Readonly<Record<string, number>> = {
  bool: 1,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float32: 4,
  float64: 8,
};
/** As long as the arrays whose elements count as fields elsewhere. */
const MAX_ELEMENTS = 32;

export type NumbersOf = (bytes: Uint8Array, columns: ColumnTree, i: number) => void;

/**
 * Reads only the numbers of a message, straight into columns, several times faster than making an object of it.
 * Throws when the definition cannot be parsed; messages shorter than their definition end where they end.
 */
export function ros1Numbers(definition: string): NumbersOf {
  const definitions = parse(definition);
  const root = definitions.find((d) => d.name === undefined) ?? definitions[0];
  if (!root) throw new Error("the definition is empty");
  const byName = new Map(definitions.map((d) => [d.name ?? "", d]));

  const stepsOf = (of: (typeof definitions)[number], prefix: string, depth: number): Step[] => {
    if (depth > 12) throw new Error("the definition contains itself");
    return of.definitions.flatMap((field): Step[] => {
      if (field.isConstant === true) return [];
      const path = prefix === "" ? field.name : `${prefix}.${field.name}`;
      const length = field.isArray === true ? (field.arrayLength ?? -1) : 0;
      if (field.isComplex === true) {
        const inner = byName.get(field.type);
        if (!inner) throw new Error(`${field.type} is not defined`);
        if (length === 0) return stepsOf(inner, path, depth + 1);
        return [{ kind: "messages", steps: stepsOf(inner, "", depth + 1), length, path }];
      }
      if (field.type === "string") return [length === 0 ? { kind: "text" } : { kind: "texts", length }];
      if (field.type === "time" || field.type === "duration") {
        if (length !== 0) return [{ kind: "skip", bytes: 8, length }];
        const part = field.type === "time" ? "uint32" : "int32";
        return [numberStep(part, 4, `${path}.sec`), numberStep(part, 4, `${path}.nsec`)];
      }
      const bytes = BYTES[field.type];
      if (bytes === undefined) throw new Error(`${field.type} is not a type of ROS 1`);
      if (length === 0) return [numberStep(field.type, bytes, path)];
      if (length < 0 || length > MAX_ELEMENTS) return [{ kind: "skip", bytes, length }];
      return Array.from({ length }, (_, k) => numberStep(field.type, bytes, `${path}[${k}]`));
    });
  };
  const steps = stepsOf(root, "", 0);
  return (bytes, columns, i) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    walk(steps, view, 0, columns, i, "");
  };
}

/** Returns where the message ends; -1 when it is shorter than its definition. `prefix` null: only skipped over. */
function walk(
  steps: readonly Step[],
  view: DataView,
  start: number,
  columns: ColumnTree,
  i: number,
  prefix: string | null,
): number {
  let at = start;
  for (const step of steps) {
    switch (step.kind) {
      case "number": {
        if (at + step.bytes > view.byteLength) return -1;
        if (prefix === "") {
          if (step.owner !== columns) {
            step.owner = columns;
            step.column = columns.column(step.path);
          }
          if (step.column) step.column[i] = readNumber(view, at, step.type);
        } else if (prefix !== null) {
          const column = columns.column(`${prefix}.${step.path}`);
          if (column) column[i] = readNumber(view, at, step.type);
        }
        at += step.bytes;
        break;
      }
      case "text":
        at = skipped(view, at, 1, -1);
        break;
      case "skip":
        at = skipped(view, at, step.bytes, step.length);
        break;
      case "texts": {
        const count = countAt(view, at, step.length);
        if (step.length < 0) at += 4;
        for (let k = 0; k < count && at >= 0; k++) at = skipped(view, at, 1, -1);
        break;
      }
      case "messages": {
        const count = countAt(view, at, step.length);
        if (step.length < 0) at += 4;
        for (let k = 0; k < count && at >= 0; k++) {
          const path = prefix === null || count > MAX_ELEMENTS ? null : `${step.path}[${k}]`;
          const inner = path === null || prefix === "" ? path : `${prefix ?? ""}.${path}`;
          at = walk(step.steps, view, at, columns, i, inner);
        }
        break;
      }
    }
    if (at < 0 || at > view.byteLength) return -1;
  }
  return at;
}

const countAt = (view: DataView, at: number, length: number): number =>
  length >= 0 ? length : at + 4 <= view.byteLength ? view.getUint32(at, true) : 0;

function skipped(view: DataView, at: number, bytes: number, length: number): number {
  if (length >= 0) return at + bytes * length;
  if (at + 4 > view.byteLength) return -1;
  return at + 4 + bytes * view.getUint32(at, true);
}

function readNumber(view: DataView, at: number, type: string): number {
  switch (type) {
    case "float64":
      return view.getFloat64(at, true);
    case "float32":
      return view.getFloat32(at, true);
    case "uint32":
      return view.getUint32(at, true);
    case "int32":
      return view.getInt32(at, true);
    case "uint16":
      return view.getUint16(at, true);
    case "int16":
      return view.getInt16(at, true);
    case "int8":
      return view.getInt8(at);
    case "uint64":
      return Number(view.getBigUint64(at, true));
    case "int64":
      return Number(view.getBigInt64(at, true));
    default:
      return view.getUint8(at);
  }
}
