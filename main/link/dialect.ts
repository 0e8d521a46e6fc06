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
import { invariant } from "#contract/result";
import { extraMessages } from "./extra-messages";
import { type FieldDef, isScalar, type MessageDef, messageDef, scalarSize } from "./message";

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
    ...(field.units ? { unit: field.units } : {}),
  };
}

/** `param_value_bits`: the float field of the parameter protocol as the 32 bits that came. */
function aliases(fields: readonly FieldDef[]): FieldDef[] {
  return fields
    .filter((field) => field.name === "param_value" && field.type === "float")
    .map((field) => ({ ...field, name: "param_value_bits", type: "uint32_t", alias: true }));
}

/** Every message of the dialects that vehicles speak, once. */
export function loadDefinitions(): readonly MessageDef[] {
  const byId = new Map<number, MessageDef>();
  for (const registry of registries) {
    for (const data of Object.values(registry)) {
      const fields = data.FIELDS.map(fieldDef);
      const end = (some: readonly FieldDef[]): number =>
        Math.max(0, ...some.map((f) => f.offset + scalarSize[f.type] * Math.max(1, f.length)));
      byId.set(
        data.MSG_ID,
        messageDef({
          id: data.MSG_ID,
          name: data.MSG_NAME,
          crc_extra: data.MAGIC_NUMBER,
          base_length: end(fields.filter((f) => !f.extension)),
          full_length: end(fields),
          fields: [...fields, ...aliases(fields)],
        }),
      );
    }
  }
  for (const def of extraMessages) byId.set(def.id, def);
  return [...byId.values()];
}
