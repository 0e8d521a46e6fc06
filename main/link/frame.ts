import { messageById } from "./codec";
import { frameCrc } from "./crc";
import type { MessageDef } from "./message";

/** Where one frame lies in a buffer. One instance is reused per framer: copy what you keep. */
export interface FrameView {
  bytes: Uint8Array;
  view: DataView;
  /** Of the start byte, and behind the last byte (signature included). */
  start: number;
  end: number;
  version: 1 | 2;
  seq: number;
  system_id: number;
  component_id: number;
  id: number;
  payload_start: number;
  payload_length: number;
  signed: boolean;
  /** Undefined for an id that no dialect knows: its checksum could not be checked. */
  def: MessageDef | undefined;
}

export const STX_V1 = 0xfe;
export const STX_V2 = 0xfd;
export const INCOMPAT_SIGNED = 0x01;
const HEADER_V1 = 6;
const HEADER_V2 = 10;
const CHECKSUM = 2;
export const SIGNATURE_LENGTH = 13;

/**
 * - `frame`: complete, checksum right
 * - `unknown`: complete, but nothing to check it with
 * - `short`: could be a frame whose rest has not arrived
 * - the others: no frame begins here
 */
export type FrameVerdict = "frame" | "unknown" | "short" | "bad_length" | "bad_flags" | "bad_checksum";

export function emptyFrameView(): FrameView {
  const bytes = new Uint8Array(0);
  return {
    bytes,
    view: new DataView(bytes.buffer),
    start: 0,
    end: 0,
    version: 2,
    seq: 0,
    system_id: 0,
    component_id: 0,
    id: 0,
    payload_start: 0,
    payload_length: 0,
    signed: false,
    def: undefined,
  };
}

/**
 * Looks at the start byte at `at`; `limit` is where the filled part of `bytes` ends. Fills `out` as far as it can tell, so
 * that a `short` candidate can be judged by its id and length.
 */
export function inspectFrame(bytes: Uint8Array, at: number, limit: number, out: FrameView): FrameVerdict {
  return bytes[at] === STX_V2 ? inspectV2(bytes, at, limit, out) : inspectV1(bytes, at, limit, out);
}

function inspectV2(bytes: Uint8Array, at: number, limit: number, out: FrameView): FrameVerdict {
  out.version = 2;
  out.start = at;
  out.def = undefined;
  out.id = -1;
  if (at + 3 > limit) return "short";
  const length = bytes[at + 1] as number;
  const incompat = bytes[at + 2] as number;
  out.payload_length = length;
  if ((incompat & ~INCOMPAT_SIGNED) !== 0) return "bad_flags";
  out.signed = (incompat & INCOMPAT_SIGNED) !== 0;
  if (at + HEADER_V2 > limit) return "short";
  out.seq = bytes[at + 4] as number;
  out.system_id = bytes[at + 5] as number;
  out.component_id = bytes[at + 6] as number;
  out.id = (bytes[at + 7] as number) | ((bytes[at + 8] as number) << 8) | ((bytes[at + 9] as number) << 16);
  out.def = messageById(out.id);
  out.payload_start = at + HEADER_V2;
  out.end = at + HEADER_V2 + length + CHECKSUM + (out.signed ? SIGNATURE_LENGTH : 0);
  return verify(bytes, limit, out);
}

function inspectV1(bytes: Uint8Array, at: number, limit: number, out: FrameView): FrameVerdict {
  out.version = 1;
  out.start = at;
  out.def = undefined;
  out.id = -1;
  out.signed = false;
  if (at + HEADER_V1 > limit) return "short";
  const length = bytes[at + 1] as number;
  out.payload_length = length;
  out.seq = bytes[at + 2] as number;
  out.system_id = bytes[at + 3] as number;
  out.component_id = bytes[at + 4] as number;
  out.id = bytes[at + 5] as number;
  out.def = messageById(out.id);
  out.payload_start = at + HEADER_V1;
  out.end = at + HEADER_V1 + length + CHECKSUM;
  // MAVLink 1 trims nothing. Some senders append extension fields, against the specification.
  if (out.def !== undefined && length !== out.def.base_length && length !== out.def.full_length) {
    return "bad_length";
  }
  return verify(bytes, limit, out);
}

function verify(bytes: Uint8Array, limit: number, out: FrameView): FrameVerdict {
  if (out.end > limit) return "short";
  if (out.def === undefined) return "unknown";
  const crc_at = out.payload_start + out.payload_length;
  const crc = frameCrc(bytes, out.start + 1, crc_at, out.def.crc_extra);
  return bytes[crc_at] === (crc & 0xff) && bytes[crc_at + 1] === crc >> 8 ? "frame" : "bad_checksum";
}

/** Whether a frame that has not arrived whole looks like one: a known message of a length it can have. */
export function isPlausible(frame: FrameView): boolean {
  return frame.def !== undefined && frame.payload_length <= frame.def.full_length;
}
