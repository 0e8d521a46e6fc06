/** CRC-16/MCRF4XX, as MAVLink uses it (https://mavlink.io/en/guide/serialization.html#checksum). */
const table = new Uint16Array(256).map((_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  return crc;
});

export function crcAccumulate(crc: number, byte: number): number {
  return (crc >> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
}

/** Checksum of `bytes[start, end)` followed by the message's `crc_extra`. */
export function frameCrc(bytes: Uint8Array, start: number, end: number, crc_extra: number): number {
  let crc = 0xffff;
  for (let i = start; i < end; i++) {
    crc = (crc >> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
  }
  return (crc >> 8) ^ (table[(crc ^ crc_extra) & 0xff] as number);
}
