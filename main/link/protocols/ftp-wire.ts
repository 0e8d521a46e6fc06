/** One MAVLink FTP packet inside FILE_TRANSFER_PROTOCOL (https://mavlink.io/en/services/ftp.html). */
export interface FtpPacket {
  readonly seq: number;
  readonly session: number;
  readonly opcode: number;
  readonly req_opcode: number;
  readonly burst_complete: boolean;
  readonly offset: number;
  /** Bytes of `data` that count; a read request names here how many it wants. */
  readonly size: number;
  readonly data: Uint8Array;
}

export const opcodes = {
  terminate_session: 1,
  reset_sessions: 2,
  list_directory: 3,
  open_read: 4,
  read: 5,
  create: 6,
  write: 7,
  remove: 8,
  make_directory: 9,
  crc32: 14,
  burst_read: 15,
  ack: 128,
  nak: 129,
} as const;

export const nakCodes = {
  fail: 1,
  fail_errno: 2,
  invalid_size: 3,
  invalid_session: 4,
  no_sessions: 5,
  end_of_file: 6,
  unknown_command: 7,
  file_exists: 8,
  file_protected: 9,
  not_found: 10,
} as const;

const HEADER = 12;
const PAYLOAD = 251;
export const FTP_DATA = PAYLOAD - HEADER;

export function encodeFtp(packet: FtpPacket): Uint8Array {
  const payload = new Uint8Array(PAYLOAD);
  const view = new DataView(payload.buffer);
  view.setUint16(0, packet.seq, true);
  payload.set(
    [packet.session, packet.opcode, packet.size, packet.req_opcode, packet.burst_complete ? 1 : 0, 0],
    2,
  );
  view.setUint32(8, packet.offset, true);
  payload.set(packet.data.subarray(0, FTP_DATA), HEADER);
  return payload;
}

/** Null when the payload is no such packet. */
export function decodeFtp(value: unknown): FtpPacket | null {
  if (!Array.isArray(value) || value.length !== PAYLOAD) return null;
  const payload = Uint8Array.from(value.map(Number));
  const view = new DataView(payload.buffer);
  const size = payload[4] ?? 0;
  return {
    seq: view.getUint16(0, true),
    session: payload[2] ?? 0,
    opcode: payload[3] ?? 0,
    size,
    req_opcode: payload[5] ?? 0,
    burst_complete: payload[6] === 1,
    offset: view.getUint32(8, true),
    data: payload.subarray(HEADER, HEADER + Math.min(size, FTP_DATA)),
  };
}

const crcTable = new Uint32Array(256).map((_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The CRC-32 that vehicles compute over files: from zero and without the usual inversions. */
export function ftpCrc32(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0);
  return crc >>> 0;
}
