import type { MavLinkData, MavLinkDataConstructor } from "mavlink-mappings";
import { ardupilotmega, common, minimal, standard } from "mavlink-mappings";
import { MavLinkProtocolV2 } from "node-mavlink";

/** One message as node-mavlink, which shares no code with the readers here, writes it. */
export interface WrittenMessage {
  readonly name: string;
  readonly id: number;
  /** Numbers and texts by the field's own name; an element of an array as `name[i]`. */
  readonly values: Readonly<Record<string, number | string>>;
  readonly frame: Buffer;
}

/** Every message of the dialects that flight controllers speak, each field with a value of its own. */
export function everyMessage(): WrittenMessage[] {
  const registry = {
    ...minimal.REGISTRY,
    ...common.REGISTRY,
    ...standard.REGISTRY,
    ...ardupilotmega.REGISTRY,
  } as Readonly<Record<number, MavLinkDataConstructor<MavLinkData> | undefined>>;
  const protocol = new MavLinkProtocolV2(1, 1);
  return Object.values(registry).flatMap((kind, k) => {
    if (!kind) return [];
    const message = new kind();
    const values: Record<string, number | string> = {};
    for (const [i, field] of kind.FIELDS.entries()) {
      const element = field.type.replace("[]", "").replace("_mavlink_version", "");
      const one = (n: number): number => valueOf(element, k + 3 * i + n);
      const target = message as unknown as Record<string, unknown>;
      if (element === "char") {
        const text = field.length > 1 ? `text ${k}`.slice(0, field.length) : "x";
        target[field.name] = text;
        values[field.source] = text;
      } else if (field.type.endsWith("[]")) {
        const items = Array.from({ length: field.length }, (_, n) => one(n));
        target[field.name] = items.map((item) => typed(element, item));
        for (const [n, item] of items.entries()) values[`${field.source}[${n}]`] = item;
      } else {
        target[field.name] = typed(element, one(0));
        values[field.source] = one(0);
      }
    }
    const frame = protocol.serialize(message, k & 255);
    return [{ name: kind.MSG_NAME, id: kind.MSG_ID, values, frame }];
  });
}

/** Never zero, so that no field is cut off with the payload's end. Quarters are exact as floats. */
function valueOf(type: string, n: number): number {
  switch (type) {
    case "float":
    case "double":
      return n / 4 + 0.25;
    case "int8_t":
      return -1 - (n % 100);
    case "uint8_t":
      return 1 + (n % 250);
    case "int16_t":
      return -300 - n;
    case "uint16_t":
      return 40_000 + n;
    case "int32_t":
      return -70_000 - n;
    case "uint32_t":
      return 3_000_000_000 + n;
    default:
      return 2 ** 40 + n;
  }
}

const typed = (type: string, value: number): number | bigint => (/64/.test(type) ? BigInt(value) : value);
