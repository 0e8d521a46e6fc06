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

/** Four tables of 256: what a byte does to the checksum when 0 to 3 more bytes follow it. */
function makeTable(): Uint16Array {
  const table = new Uint16Array(4 * 256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x8408 : c >>> 1;
    table[n] = c;
  }
  for (let n = 256; n < table.length; n++) {
    const before = table[n - 256] as number;
    table[n] = (before >>> 8) ^ (table[before & 0xff] as number);
  }
  return table;
}

/**
 * X.25 checksum of bytes [from, to) followed by `extra` (https://mavlink.io/en/guide/serialization.html#checksum),
 * four bytes at a time: most of framing a log is this loop.
 */
export function frameChecksum(bytes: Uint8Array, from: number, to: number, extra: number): number {
  const table = CRC_TABLE;
  let crc = 0xffff;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const low = crc ^ (bytes[i] as number) ^ ((bytes[i + 1] as number) << 8);
    crc =
      (table[768 + (low & 0xff)] as number) ^
      (table[512 + (low >>> 8)] as number) ^
      (table[256 + (bytes[i + 2] as number)] as number) ^
      (table[bytes[i + 3] as number] as number);
  }
  for (; i < to; i++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return (crc >>> 8) ^ (table[(crc ^ extra) & 0xff] as number);
}
