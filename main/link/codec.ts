import {
  ardupilotmega,
  asluav,
  common,
  development,
  icarous,
  type MavLinkPacketField,
  type MavLinkPacketRegistry,
  minimal,
  standard,
  storm32,
  ualberta,
  uavionix,
} from "mavlink-mappings";
import { err, invariant, ok, type Result } from "#contract/result";
import { extraMessages } from "./extra-messages";
import { type FieldDef, isScalar, type MessageDef, scalarSize } from "./message";
import type { Fields } from "./port";
import { readField, writeField } from "./wire-field";

/** Later ones win where two dialects use one id; the shared dialects come last. */
const registries: readonly MavLinkPacketRegistry[] = [
  asluav.REGISTRY,
  ualberta.REGISTRY,
  storm32.REGISTRY,
  icarous.REGISTRY,
  uavionix.REGISTRY,
  development.REGISTRY,
  ardupilotmega.REGISTRY,
  common.REGISTRY,
  standard.REGISTRY,
  minimal.REGISTRY,
];

function fieldDef(field: MavLinkPacketField): FieldDef {
  const type = field.type.replace("[]", "").replace("_mavlink_version", "");
  invariant(isScalar(type), `field type ${field.type} of ${field.source}`);
  return {
    name: field.source,
    type,
    offset: field.offset,
    length: field.length,
    extension: field.extension,
  };
}

function loadDefinitions(): MessageDef[] {
  const byId = new Map<number, MessageDef>();
  for (const registry of registries) {
    for (const data of Object.values(registry)) {
      const fields = data.FIELDS.map(fieldDef);
      const end = (some: readonly FieldDef[]): number =>
        Math.max(0, ...some.map((f) => f.offset + scalarSize[f.type] * Math.max(1, f.length)));
      byId.set(data.MSG_ID, {
        id: data.MSG_ID,
        name: data.MSG_NAME,
        crc_extra: data.MAGIC_NUMBER,
        base_length: end(fields.filter((f) => !f.extension)),
        full_length: end(fields),
        fields,
      });
    }
  }
  for (const def of extraMessages) byId.set(def.id, def);
  return [...byId.values()];
}

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
  const defs = def.fields;
  for (let i = 0; i < defs.length; i++) {
    const field = defs[i] as FieldDef;
    fields[field.name] = readField(field, source, start + field.offset);
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
      if (field.extension) continue;
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
