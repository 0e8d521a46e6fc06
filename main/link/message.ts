import { crcAccumulate } from "./crc";

/** How one element is stored; numbers are little-endian. */
export type Scalar =
  | "float"
  | "double"
  | "uint8_t"
  | "int8_t"
  | "uint16_t"
  | "int16_t"
  | "uint32_t"
  | "int32_t"
  | "uint64_t"
  | "int64_t"
  | "char";

export interface FieldDef {
  readonly name: string;
  readonly type: Scalar;
  /** Bytes from the start of the payload. */
  readonly offset: number;
  /** Elements of an array; 0 for a single value. */
  readonly length: number;
  readonly extension: boolean;
  /** As the dialect writes it, e.g. "degE7". */
  readonly unit?: string;
  /**
   * Another reading of bytes that a field before it has read already. PX4 puts integers bit by bit into a float field, and
   * JavaScript may not keep the bits of a NaN.
   */
  readonly alias?: true;
}

export interface MessageDef {
  readonly id: number;
  readonly name: string;
  readonly crc_extra: number;
  /** Payload of MAVLink 1: without extension fields. */
  readonly base_length: number;
  /** Payload of MAVLink 2 before trailing zeros are cut. */
  readonly full_length: number;
  /** In wire order. */
  readonly fields: readonly FieldDef[];
  readonly layout: FieldLayout;
}

/** The same fields for the decoder's inner loop: numbers to switch on cost half of what words and objects do. */
export interface FieldLayout {
  readonly names: readonly string[];
  readonly offsets: Int32Array;
  readonly kinds: Uint8Array;
}

/** Kinds of single values, by their place in this list; arrays and texts are `KIND_MANY`. */
const kinds: readonly Scalar[] = [
  "float",
  "uint8_t",
  "int8_t",
  "uint16_t",
  "int16_t",
  "uint32_t",
  "int32_t",
  "uint64_t",
  "double",
  "int64_t",
  "char",
];
export const KIND_MANY = 255;

export function messageDef(def: Omit<MessageDef, "layout">): MessageDef {
  const { fields } = def;
  const layout = {
    names: fields.map((field) => field.name),
    offsets: Int32Array.from(fields, (field) => field.offset),
    kinds: Uint8Array.from(fields, (field) => (field.length > 0 ? KIND_MANY : kinds.indexOf(field.type))),
  };
  return { ...def, layout };
}

export const scalarSize: Readonly<Record<Scalar, number>> = {
  float: 4,
  double: 8,
  uint8_t: 1,
  int8_t: 1,
  uint16_t: 2,
  int16_t: 2,
  uint32_t: 4,
  int32_t: 4,
  uint64_t: 8,
  int64_t: 8,
  char: 1,
};

/** The byte that both ends mix into the checksum so that differing definitions fail (https://mavlink.io/en/guide/serialization.html#crc_extra). */
export function crcExtra(name: string, fields: readonly FieldDef[]): number {
  let crc = 0xffff;
  const add = (text: string): void => {
    for (const char of text) crc = crcAccumulate(crc, char.charCodeAt(0));
  };
  add(`${name} `);
  for (const field of fields) {
    if (field.extension || field.alias) continue;
    add(`${field.type} ${field.name} `);
    if (field.length > 0) crc = crcAccumulate(crc, field.length);
  }
  return (crc & 0xff) ^ (crc >> 8);
}

/**
 * Defines a message from its XML order: fields "type name" or "type[n] name", extensions after a "|".
 * Wire order is by element size, largest first, in XML order within a size; extensions stay as written.
 */
export function defineMessage(id: number, name: string, xml: string): MessageDef {
  const [base = "", extensions = ""] = xml.split("|");
  const parse = (list: string, extension: boolean): Omit<FieldDef, "offset">[] =>
    list
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => {
        const match = /^(\w+)(?:\[(\d+)\])? (\w+)$/.exec(part);
        const [, type = "", length = "0", field = ""] = match ?? [];
        if (!isScalar(type)) throw new Error(`Invariant: bad field "${part}" of ${name}`);
        return { name: field, type, length: Number(length), extension };
      });
  const ordered = parse(base, false).sort((a, b) => scalarSize[b.type] - scalarSize[a.type]);
  let offset = 0;
  const place = (field: Omit<FieldDef, "offset">): FieldDef => {
    const placed = { ...field, offset };
    offset += scalarSize[field.type] * Math.max(1, field.length);
    return placed;
  };
  const placed = ordered.map(place);
  const base_length = offset;
  const fields = [...placed, ...parse(extensions, true).map(place)];
  return messageDef({
    id,
    name,
    crc_extra: crcExtra(name, fields),
    base_length,
    full_length: offset,
    fields,
  });
}

export function isScalar(type: string): type is Scalar {
  return Object.hasOwn(scalarSize, type);
}
