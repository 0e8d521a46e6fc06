import { invariant } from "#contract/result";
import { encodePayload, messageByName } from "./codec";
import { frameCrc } from "./crc";
import { STX_V1, STX_V2 } from "./frame";
import type { Fields } from "./port";

export interface FrameHeader {
  readonly version: 1 | 2;
  readonly seq: number;
  readonly system_id: number;
  readonly component_id: number;
  /** Bits beyond 0; 1 announces that the caller will append a signature. */
  readonly incompat_flags?: number;
}

/**
 * One frame, unsigned. MAVLink 2 payloads lose their trailing zeros but never their first byte; MAVLink 1 carries neither
 * extension fields nor ids above 255. Throws when fields do not fit: callers build them from values they have checked.
 */
export function encodeFrame(name: string, fields: Fields, header: FrameHeader): Uint8Array {
  const def = messageByName(name);
  const payload = encodePayload(name, fields);
  invariant(def !== undefined && payload.ok, payload.ok ? name : payload.error);
  return header.version === 2
    ? frameV2(def.id, def.crc_extra, payload.value, header)
    : frameV1(def.id, def.crc_extra, payload.value.subarray(0, def.base_length), header);
}

function frameV2(id: number, crc_extra: number, payload: Uint8Array, header: FrameHeader): Uint8Array {
  let length = payload.length;
  while (length > 1 && payload[length - 1] === 0) length--;
  const frame = new Uint8Array(12 + length);
  const { seq, system_id, component_id } = header;
  frame.set([STX_V2, length, header.incompat_flags ?? 0, 0, seq, system_id, component_id]);
  frame.set([id & 0xff, (id >> 8) & 0xff, id >> 16], 7);
  frame.set(payload.subarray(0, length), 10);
  return seal(frame, 10 + length, crc_extra);
}

function frameV1(id: number, crc_extra: number, payload: Uint8Array, header: FrameHeader): Uint8Array {
  invariant(id <= 0xff, `message ${String(id)} does not exist in MAVLink 1`);
  const frame = new Uint8Array(8 + payload.length);
  frame.set([STX_V1, payload.length, header.seq, header.system_id, header.component_id, id]);
  frame.set(payload, 6);
  return seal(frame, 6 + payload.length, crc_extra);
}

function seal(frame: Uint8Array, at: number, crc_extra: number): Uint8Array {
  const crc = frameCrc(frame, 1, at, crc_extra);
  frame[at] = crc & 0xff;
  frame[at + 1] = crc >> 8;
  return frame;
}
