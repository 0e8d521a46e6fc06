/**
 * What a telemetry log needs to know of MAVLink messages. Link owns the definitions; the composition root of the
 * review process hands them in, so that this feature depends on their shape only.
 */
export interface MavlinkField {
  readonly name: string;
  readonly type: string;
  /** Bytes from the start of the payload. */
  readonly offset: number;
  /** Elements of an array; 0 for a single value. */
  readonly length: number;
}

export interface MavlinkMessage {
  readonly id: number;
  readonly name: string;
  readonly crc_extra: number;
  readonly base_length: number;
  readonly full_length: number;
  readonly fields: readonly MavlinkField[];
}

export type MavlinkDialect = (id: number) => MavlinkMessage | undefined;

const CRC_TABLE = makeTable();

function makeTable(): Uint16Array {
  const table = new Uint16Array(256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x8408 : c >>> 1;
    table[n] = c;
  }
  return table;
}

/** X.25 checksum of bytes [from, to) followed by `extra` (https://mavlink.io/en/guide/serialization.html#checksum). */
export function frameChecksum(bytes: Uint8Array, from: number, to: number, extra: number): number {
  const table = CRC_TABLE;
  let crc = 0xffff;
  for (let i = from; i < to; i++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return (crc >>> 8) ^ (table[(crc ^ extra) & 0xff] as number);
}
