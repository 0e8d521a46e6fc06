import {
  common,
  development,
  MavLinkData,
  type MavLinkDataConstructor,
  MavLinkPacketField,
  type MavLinkPacketRegistry,
  MavLinkProtocolV1,
  MavLinkProtocolV2,
  minimal,
  standard,
  x25crc,
} from "node-mavlink";
import { list, num } from "./autopilot/fields";
import type { FieldValue, Incoming, Message } from "./autopilot/port";
import { signatureLength, VehicleSigning } from "./mavlink-signing";

type Definition = MavLinkDataConstructor<MavLinkData>;

/** EVENT interface messages, which the generated definitions lack (mavlink.io, events). */
class Event extends MavLinkData {
  static override MSG_ID = 410;
  static override MSG_NAME = "EVENT";
  static override PAYLOAD_LENGTH = 53;
  static override MAGIC_NUMBER = 160;
  static override FIELDS = [
    new MavLinkPacketField("id", "id", 0, false, 4, "uint32_t", ""),
    new MavLinkPacketField("event_time_boot_ms", "eventTimeBootMs", 4, false, 4, "uint32_t", "ms"),
    new MavLinkPacketField("sequence", "sequence", 8, false, 2, "uint16_t", ""),
    new MavLinkPacketField("destination_component", "destinationComponent", 10, false, 1, "uint8_t", ""),
    new MavLinkPacketField("destination_system", "destinationSystem", 11, false, 1, "uint8_t", ""),
    new MavLinkPacketField("log_levels", "logLevels", 12, false, 1, "uint8_t", ""),
    new MavLinkPacketField("arguments", "arguments", 13, false, 1, "uint8_t[]", "", 40),
  ];
}
class CurrentEventSequence extends MavLinkData {
  static override MSG_ID = 411;
  static override MSG_NAME = "CURRENT_EVENT_SEQUENCE";
  static override PAYLOAD_LENGTH = 3;
  static override MAGIC_NUMBER = 106;
  static override FIELDS = [
    new MavLinkPacketField("sequence", "sequence", 0, false, 2, "uint16_t", ""),
    new MavLinkPacketField("flags", "flags", 2, false, 1, "uint8_t", ""),
  ];
}
class RequestEvent extends MavLinkData {
  static override MSG_ID = 412;
  static override MSG_NAME = "REQUEST_EVENT";
  static override PAYLOAD_LENGTH = 6;
  static override MAGIC_NUMBER = 33;
  static override FIELDS = [
    new MavLinkPacketField("first_sequence", "firstSequence", 0, false, 2, "uint16_t", ""),
    new MavLinkPacketField("last_sequence", "lastSequence", 2, false, 2, "uint16_t", ""),
    new MavLinkPacketField("target_system", "targetSystem", 4, false, 1, "uint8_t", ""),
    new MavLinkPacketField("target_component", "targetComponent", 5, false, 1, "uint8_t", ""),
  ];
}
class ResponseEventError extends MavLinkData {
  static override MSG_ID = 413;
  static override MSG_NAME = "RESPONSE_EVENT_ERROR";
  static override PAYLOAD_LENGTH = 7;
  static override MAGIC_NUMBER = 77;
  static override FIELDS = [
    new MavLinkPacketField("sequence", "sequence", 0, false, 2, "uint16_t", ""),
    new MavLinkPacketField(
      "sequence_oldest_available",
      "sequenceOldestAvailable",
      2,
      false,
      2,
      "uint16_t",
      "",
    ),
    new MavLinkPacketField("target_system", "targetSystem", 4, false, 1, "uint8_t", ""),
    new MavLinkPacketField("target_component", "targetComponent", 5, false, 1, "uint8_t", ""),
    new MavLinkPacketField("reason", "reason", 6, false, 1, "uint8_t", ""),
  ];
}

const registry: MavLinkPacketRegistry = {
  ...development.REGISTRY,
  ...minimal.REGISTRY,
  ...standard.REGISTRY,
  ...common.REGISTRY,
  410: Event,
  411: CurrentEventSequence,
  412: RequestEvent,
  413: ResponseEventError,
};
const byName = new Map<string, Definition>(Object.values(registry).map((d) => [d.MSG_NAME, d]));

const integers: Readonly<Record<string, readonly [number, number]>> = {
  char: [0, 255],
  uint8_t: [0, 255],
  uint8_t_mavlink_version: [0, 255],
  int8_t: [-128, 127],
  uint16_t: [0, 65535],
  int16_t: [-32768, 32767],
  uint32_t: [0, 4294967295],
  int32_t: [-2147483648, 2147483647],
};

/** One number as the field's type takes it. node-mavlink turns NaN into 0 and throws on overflow; neither may leave here. */
function fit(value: number | bigint, type: string, where: string): number | bigint {
  if (type === "uint64_t" || type === "int64_t") {
    return BigInt.asUintN(64, typeof value === "bigint" ? value : BigInt(Math.round(value)));
  }
  const range = integers[type];
  const n = Number(value);
  if (!range) return n;
  if (!Number.isFinite(n)) throw new Error(`Invariant: ${where} is ${String(n)} in an integer field`);
  return Math.max(range[0], Math.min(range[1], Math.round(n)));
}

function toField(value: FieldValue | undefined, field: MavLinkPacketField, where: string): unknown {
  if (field.type === "char[]") {
    return typeof value === "string" ? value.replace(/[^\x20-\x7e\t\n]/g, "?").slice(0, field.length) : "";
  }
  if (field.type.endsWith("[]")) {
    const type = field.type.slice(0, -2);
    const items: readonly number[] = typeof value === "object" ? value : [];
    return Array.from({ length: field.length }, (_, i) => fit(items[i] ?? 0, type, where));
  }
  return fit(typeof value === "number" || typeof value === "bigint" ? value : 0, field.type, where);
}

function fromField(value: unknown): FieldValue {
  if (typeof value === "bigint") {
    return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value;
  }
  if (typeof value === "number" || typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((v: unknown) => Number(v));
  return 0;
}

const integerParams: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6]);
const isParam = (name: string): boolean => name === "PARAM_VALUE" || name === "PARAM_SET";

/**
 * The sim's end of MAVLink 2, on node-mavlink: the station's codec is another one, so that each checks the other. Sequence
 * numbers count per codec, one per link. Parameter values are read and written bit by bit by their type (PX4's way).
 */
export class Codec {
  readonly signing = new VehicleSigning();
  /** MAV_PROTO_VER: 1 or 2 always, 0 speaks 1 until a MAVLink 2 frame has arrived. */
  protocol: 0 | 1 | 2 = 2;
  readonly #system_id: number;
  readonly #senders = new Map<number, Sender>();
  #heard2 = false;
  #sequence = 0;

  constructor(system_id: number) {
    this.#system_id = system_id;
  }

  encode(message: Message): Uint8Array {
    const definition = byName.get(message.name);
    if (!definition) throw new Error(`Invariant: no MAVLink message ${message.name}`);
    const data = new definition();
    const fields: Record<string, unknown> = {};
    for (const field of definition.FIELDS) {
      fields[field.name] = toField(message.fields[field.source], field, `${message.name}.${field.source}`);
    }
    Object.assign(data, fields);
    const v1 = this.protocol === 1 || (this.protocol === 0 && !this.#heard2);
    // MAVLink 1 has no message above 255: PX4 leaves those out, and so do we (an empty datagram is not sent).
    if (v1 && definition.MSG_ID > 255) return new Uint8Array(0);
    const sender = this.#sender(message.component_id ?? 1);
    const frame = (v1 ? sender.v1 : sender.v2).serialize(data, this.#sequence);
    const payload = v1 ? MavLinkProtocolV1.PAYLOAD_OFFSET : MavLinkProtocolV2.PAYLOAD_OFFSET;
    this.#sequence = (this.#sequence + 1) & 255;
    const type = message.fields["param_type"];
    const value = message.fields["param_value"];
    if (
      isParam(message.name) &&
      typeof type === "number" &&
      integerParams.has(type) &&
      typeof value === "number"
    ) {
      const bits = type % 2 === 0 ? Math.round(value) | 0 : Math.round(value) >>> 0;
      frame.writeUInt32LE(bits >>> 0, payload);
      frame.writeUInt16LE(x25crc(frame, 1, 2, definition.MAGIC_NUMBER), frame.length - 2);
    }
    if (v1 || !this.signing.on) return frame;
    frame[2] = MavLinkProtocolV2.IFLAG_SIGNED;
    frame.writeUInt16LE(x25crc(frame, 1, 2, definition.MAGIC_NUMBER), frame.length - 2);
    return this.signing.sign(frame);
  }

  #sender(component_id: number): Sender {
    const known = this.#senders.get(component_id);
    if (known) return known;
    const made = {
      v1: new MavLinkProtocolV1(this.#system_id, component_id),
      v2: new MavLinkProtocolV2(this.#system_id, component_id),
    };
    this.#senders.set(component_id, made);
    return made;
  }

  /** False for what is not to be listened to; SETUP_SIGNING is obeyed here and goes no further. */
  #admit({ message, bytes, signed, v2 }: Frame): boolean {
    const sender = `${String(message.system_id)}/${String(message.component_id)}`;
    const unsignable = message.name === "RADIO_STATUS";
    if (!unsignable && !this.signing.accepts(signed ? bytes : null, sender)) return false;
    this.#heard2 ||= v2;
    if (message.name !== "SETUP_SIGNING") return true;
    if (num(message, "target_system") === this.#system_id)
      this.signing.setup(list(message, "secret_key"), num(message, "initial_timestamp"));
    return false;
  }

  /** All good frames of a datagram, MAVLink 2 or 1; `bad` counts what looked like a frame and was none. */
  decode(datagram: Uint8Array): { readonly messages: Incoming[]; readonly bad: number } {
    const buffer = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.byteLength);
    const messages: Incoming[] = [];
    let bad = 0;
    for (let at = 0; at < buffer.length; ) {
      const frame = frameAt(buffer, at);
      if (frame === null) {
        bad++;
        at++;
        continue;
      }
      if (this.#admit(frame)) messages.push(frame.message);
      at += frame.bytes.length;
    }
    return { messages, bad };
  }
}

const versions = [new MavLinkProtocolV1(), new MavLinkProtocolV2()] as const;

interface Sender {
  readonly v1: MavLinkProtocolV1;
  readonly v2: MavLinkProtocolV2;
}

interface Frame {
  readonly message: Incoming;
  /** The whole frame, with its signature. */
  readonly bytes: Buffer;
  readonly signed: boolean;
  readonly v2: boolean;
}

function frameAt(buffer: Buffer, at: number): Frame | null {
  const v2 = buffer[at] === MavLinkProtocolV2.START_BYTE;
  if (!v2 && buffer[at] !== MavLinkProtocolV1.START_BYTE) return null;
  const head = v2 ? MavLinkProtocolV2.PAYLOAD_OFFSET : MavLinkProtocolV1.PAYLOAD_OFFSET;
  const size = buffer[at + 1];
  if (size === undefined || at + head + size + 2 > buffer.length) return null;
  const flags = v2 ? (buffer[at + 2] ?? 0) : 0;
  if (flags & ~MavLinkProtocolV2.IFLAG_SIGNED) return null;
  const frame = buffer.subarray(at, at + head + size + 2);
  const protocol = versions[v2 ? 1 : 0];
  const header = protocol.header(frame);
  const definition = registry[header.msgid];
  if (!definition || x25crc(frame, 1, 2, definition.MAGIC_NUMBER) !== protocol.crc(frame)) return null;
  const payload = protocol.payload(frame);
  const data: MavLinkData = protocol.data(payload, definition);
  const values = new Map<string, unknown>(Object.entries(data));
  const fields: Record<string, FieldValue> = {};
  for (const field of definition.FIELDS) fields[field.source] = fromField(values.get(field.name));
  const type = fields["param_type"];
  if (isParam(definition.MSG_NAME) && typeof type === "number" && integerParams.has(type)) {
    fields["param_value"] = type % 2 === 0 ? payload.readInt32LE(0) : payload.readUInt32LE(0);
  }
  const signed = (flags & MavLinkProtocolV2.IFLAG_SIGNED) !== 0;
  const end = at + frame.length + (signed ? signatureLength : 0);
  if (end > buffer.length) return null;
  return {
    message: { name: definition.MSG_NAME, fields, system_id: header.sysid, component_id: header.compid },
    bytes: buffer.subarray(at, end),
    signed,
    v2,
  };
}
