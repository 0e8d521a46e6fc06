/**
 * CRC-32 as zlib, MCAP and MAVLink FTP use it (reflected polynomial 0xEDB88320), eight bytes a step
 * ("slicing by 8"). Node 18 has no zlib.crc32.
 */
const TABLES = makeTables();

function makeTables(): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let n = 0; n < 256; n++) {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    tables[n] = c;
  }
  for (let n = 0; n < 256; n++) {
    let c = tables[n] ?? 0;
    for (let slice = 1; slice < 8; slice++) {
      c = (c >>> 8) ^ (tables[c & 0xff] ?? 0);
      tables[slice * 256 + n] = c;
    }
  }
  return tables;
}

/** Continues from the checksum of what came before (`previous`), 0 at the start. Result is an unsigned 32-bit integer. */
export function crc32(bytes: Uint8Array, previous = 0): number {
  const t = TABLES;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length;
  let crc = ~previous;
  let at = 0;
  for (const last = end - 8; at <= last; at += 8) {
    const a = crc ^ view.getInt32(at, true);
    const b = view.getInt32(at + 4, true);
    crc =
      (t[1792 + (a & 0xff)] as number) ^
      (t[1536 + ((a >>> 8) & 0xff)] as number) ^
      (t[1280 + ((a >>> 16) & 0xff)] as number) ^
      (t[1024 + (a >>> 24)] as number) ^
      (t[768 + (b & 0xff)] as number) ^
      (t[512 + ((b >>> 8) & 0xff)] as number) ^
      (t[256 + ((b >>> 16) & 0xff)] as number) ^
      (t[b >>> 24] as number);
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ (t[(crc ^ (bytes[at] as number)) & 0xff] as number);
  return ~crc >>> 0;
}
