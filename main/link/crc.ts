/** CRC-16/MCRF4XX, as MAVLink uses it (https://mavlink.io/en/guide/serialization.html#checksum). */
const table = new Uint16Array(256).map((_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  return crc;
});

/** Tables for the byte one to seven places further on, so that eight bytes go in one step (slicing by eight). */
const ahead = (before: Uint16Array): Uint16Array =>
  before.map((crc) => (crc >> 8) ^ (table[crc & 0xff] as number));
const table1 = ahead(table);
const table2 = ahead(table1);
const table3 = ahead(table2);
const table4 = ahead(table3);
const table5 = ahead(table4);
const table6 = ahead(table5);
const table7 = ahead(table6);

export function crcAccumulate(crc: number, byte: number): number {
  return (crc >> 8) ^ (table[(crc ^ byte) & 0xff] as number);
}

/** Checksum of `bytes[start, end)` followed by the message's `crc_extra`. */
export function frameCrc(bytes: Uint8Array, start: number, end: number, crc_extra: number): number {
  let crc = 0xffff;
  let i = start;
  for (const last = end - 7; i < last; i += 8) {
    crc =
      (table7[(crc ^ (bytes[i] as number)) & 0xff] as number) ^
      (table6[(crc >> 8) ^ (bytes[i + 1] as number)] as number) ^
      (table5[bytes[i + 2] as number] as number) ^
      (table4[bytes[i + 3] as number] as number) ^
      (table3[bytes[i + 4] as number] as number) ^
      (table2[bytes[i + 5] as number] as number) ^
      (table1[bytes[i + 6] as number] as number) ^
      (table[bytes[i + 7] as number] as number);
  }
  for (; i < end; i++) crc = (crc >> 8) ^ (table[(crc ^ (bytes[i] as number)) & 0xff] as number);
  return (crc >> 8) ^ (table[(crc ^ crc_extra) & 0xff] as number);
}
