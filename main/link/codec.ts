import { err, ok, type Result } from "#contract/result";
import { loadDefinitions } from "./dialect";
import { type FieldDef, KIND_MANY, type MessageDef } from "./message";
import type { Fields } from "./port";
import { readKind, readMany, writeField } from "./wire-field";

const definitions = loadDefinitions();
const byId = new Map(definitions.map((def) => [def.id, def]));
const byName = new Map(definitions.map((def) => [def.name, def]));

export const allMessages: readonly MessageDef[] = definitions;
export const messageById = (id: number): MessageDef | undefined => byId.get(id);
export const messageByName = (name: string): MessageDef | undefined => byName.get(name);

const scratch = new Uint8Array(512);
const scratchView = new DataView(scratch.buffer);

/**
 * Decodes a payload of `length` bytes that begins at `offset` of `bytes`. MAVLink 2 cuts trailing zeros off: whatever
 * is missing reads as zero, extension fields of an older sender included.
 */
export function decodePayload(
  def: MessageDef,
  bytes: Uint8Array,
  view: DataView,
  offset: number,
  length: number,
): Record<string, unknown> {
  let source = view;
  let start = offset;
  if (length < def.full_length) {
    for (let i = 0; i < length; i++) scratch[i] = bytes[offset + i] as number;
    scratch.fill(0, length, def.full_length);
    source = scratchView;
    start = 0;
  }
  const fields: Record<string, unknown> = {};
  const { names, offsets, kinds } = def.layout;
  for (let i = 0; i < names.length; i++) {
    const at = start + (offsets[i] as number);
    const kind = kinds[i] as number;
    fields[names[i] as string] =
      kind === KIND_MANY ? readMany(def.fields[i] as FieldDef, source, at) : readKind(kind, source, at);
  }
  return fields;
}

/** Decodes a payload that stands alone. */
export function decode(def: MessageDef, payload: Uint8Array): Record<string, unknown> {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  return decodePayload(def, payload, view, 0, payload.length);
}

/**
 * The whole payload (nothing trimmed yet). Extension fields may be left out and are zero then; every other field must be
 * there, fit its type and, in an integer field, be a whole number. The error names the field.
 */
export function encodePayload(name: string, fields: Fields): Result<Uint8Array, string> {
  const def = byName.get(name);
  if (def === undefined) return err(`${name} is not a known message`);
  const payload = new Uint8Array(def.full_length);
  const view = new DataView(payload.buffer);
  let used = 0;
  for (const field of def.fields) {
    const value = fields[field.name];
    if (value === undefined) {
      if (field.extension || field.alias) continue;
      return err(`${name}.${field.name} is missing`);
    }
    used++;
    const problem = writeField(field, view, field.offset, value);
    if (problem !== null) return err(`${name}.${field.name}: ${problem}`);
  }
  if (used !== Object.values(fields).filter((value) => value !== undefined).length) {
    const unknown = Object.keys(fields).find((key) => !def.fields.some((f) => f.name === key));
    return err(`${name} has no field ${unknown ?? "?"}`);
  }
  return ok(payload);
}
