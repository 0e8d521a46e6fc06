/** Records of a ROS 1 bag: a header of name=value fields, then data. */
export const OP = {
  message: 0x02,
  bagHeader: 0x03,
  index: 0x04,
  chunk: 0x05,
  chunkInfo: 0x06,
  connection: 0x07,
} as const;

export type BagHeader = ReadonlyMap<string, Uint8Array>;

/** Null when the bytes are not such a header. Values are views into `bytes`. */
export function parseHeader(bytes: Uint8Array): BagHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = new Map<string, Uint8Array>();
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return null;
    const length = view.getUint32(at, true);
    const end = at + 4 + length;
    if (end > bytes.length) return null;
    const equals = bytes.indexOf(0x3d, at + 4);
    if (equals < 0 || equals >= end || equals - at > 68) return null;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + at + 4, equals - at - 4).toString("latin1");
    fields.set(name, bytes.subarray(equals + 1, end));
    at = end;
  }
  return fields;
}

/** Little-endian; NaN when the field is missing or has another width. */
export function headerNumber(header: BagHeader, name: string, width: 1 | 4 | 8): number {
  const bytes = header.get(name);
  if (bytes?.length !== width) return Number.NaN;
  const view = new DataView(bytes.buffer, bytes.byteOffset, width);
  if (width === 1) return view.getUint8(0);
  if (width === 4) return view.getUint32(0, true);
  return view.getUint32(4, true) * 4294967296 + view.getUint32(0, true);
}

export function headerText(header: BagHeader, name: string): string {
  const bytes = header.get(name);
  return bytes ? new TextDecoder().decode(bytes) : "";
}
