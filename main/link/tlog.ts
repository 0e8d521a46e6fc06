import { emptyFrameView, type FrameView, inspectFrame, STX_V1, STX_V2 } from "./frame";

const STAMP = 8;
/** Years 2000 to 2100, in seconds: a time stamp outside is not one. */
const EARLIEST_s = 946_684_800;
const LATEST_s = 4_102_444_800;

export interface TlogReading {
  readonly frames: number;
  /** Bytes that belong to no good record: damage, or a tail that was cut. */
  readonly skipped_bytes: number;
}

/**
 * Walks through a telemetry log: eight bytes of big-endian microseconds since 1970 before each frame. After damage it goes
 * on at the next record whose frame is good. The view and the time are valid during the call of `sink` only.
 */
export function readTlog(bytes: Uint8Array, sink: (frame: FrameView, time_us: number) => void): TlogReading {
  const frame = emptyFrameView();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  frame.bytes = bytes;
  frame.view = view;
  let frames = 0;
  let skipped = 0;
  let at = 0;
  while (at + STAMP < bytes.length) {
    const verdict = recordAt(bytes, at, frame);
    if (verdict === "frame" || (verdict === "unknown" && isRecordBoundary(bytes, frame.end))) {
      const time_us = view.getUint32(at) * 4_294_967_296 + view.getUint32(at + 4);
      const end = frame.end;
      sink(frame, time_us);
      frames++;
      at = end;
    } else {
      skipped++;
      at++;
    }
  }
  return { frames, skipped_bytes: skipped + (bytes.length - at) };
}

function recordAt(bytes: Uint8Array, at: number, frame: FrameView): string {
  const start = bytes[at + STAMP];
  if (start !== STX_V2 && start !== STX_V1) return "no_start";
  return inspectFrame(bytes, at + STAMP, bytes.length, frame);
}

function isRecordBoundary(bytes: Uint8Array, end: number): boolean {
  const next = bytes[end + STAMP];
  return end === bytes.length || next === STX_V2 || next === STX_V1;
}

/** Whether a recorded time can be true. */
export function isPlausibleTime(time_us: number): boolean {
  return time_us / 1e6 > EARLIEST_s && time_us / 1e6 < LATEST_s;
}

/** A record of a .tlog. */
export function tlogRecord(time_us: number, frame: Uint8Array): Uint8Array {
  const record = new Uint8Array(STAMP + frame.length);
  new DataView(record.buffer).setBigUint64(0, BigInt(Math.round(time_us)));
  record.set(frame, STAMP);
  return record;
}
