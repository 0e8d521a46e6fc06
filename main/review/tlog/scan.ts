import { DamageReport } from "../damage";
import type { Window } from "../source";
import { OffsetList } from "../struct-column";
import { TimeScout } from "../time-frame";
import { frameChecksum, type MavlinkDialect, type MavlinkMessage } from "./dialect";

const STAMP = 8;
const MAGIC_2 = 0xfd;
const MAGIC_1 = 0xfe;
const SIGNED = 0x01;
/** Longest record: stamp, MAVLink 2 header, payload, checksum, signature. */
const LONGEST = STAMP + 10 + 255 + 2 + 13;
const YEAR_US = 366 * 86_400e6;
/** 2001 to 2100: what a telemetry log's clock can plausibly show. */
const EARLIEST_US = 978e12;
const LATEST_US = 4_102e12;

/** Frames of one message from one component. Offsets point at the frame's magic byte; times are UTC seconds. */
export interface TlogStream {
  readonly message: MavlinkMessage;
  readonly system: number;
  readonly component: number;
  readonly offsets: OffsetList;
  readonly times: OffsetList;
}

/** What is looked up for every frame: the message and, mostly, the same component's stream as last time. */
interface Known {
  readonly message: MavlinkMessage | undefined;
  readonly streams: Map<number, TlogStream>;
  source: number;
  stream: TlogStream | undefined;
}

export interface TlogContent {
  readonly streams: readonly TlogStream[];
  readonly frames: number;
  readonly unknown: ReadonlyMap<number, number>;
  readonly scout: TimeScout;
  readonly damage: DamageReport;
  readonly truncated: string | null;
}

/** Times need doubles whatever the size of the file. */
const doubles = (): OffsetList => new OffsetList(Number.POSITIVE_INFINITY);

/**
 * Frames a telemetry log: records of 8 bytes big-endian UTC microseconds and one MAVLink frame. Every checksum is
 * verified. After damage, the next record whose stamp and checksum both make sense goes on; nothing after a bad
 * place is given up.
 */
export function scanTlog(window: Window, dialect: MavlinkDialect): TlogContent {
  const { size } = window;
  const known = new Map<number, Known>();
  const streams: TlogStream[] = [];
  const unknown = new Map<number, number>();
  const scout = new TimeScout();
  const damage = new DamageReport();
  let truncated: string | null = null;
  let frames = 0;
  let last_us = 0;
  let at = 0;
  let bad_from = -1;
  let last_unknown = false;

  const finishBad = (to: number): void => {
    if (bad_from < 0) return;
    damage.skipped(bad_from, to);
    bad_from = -1;
  };

  while (at < size) {
    window.load(at, Math.min(LONGEST, size - at));
    const { bytes, view, base } = window;
    const i = at - base;
    const left = size - at;
    const magic = left > STAMP ? (bytes[i + STAMP] as number) : -1;
    const header = magic === MAGIC_2 ? 10 : magic === MAGIC_1 ? 6 : 0;
    if (header === 0 || left < STAMP + header) {
      if (bad_from < 0) bad_from = at;
      at += 1;
      continue;
    }
    const frame = i + STAMP;
    const payload = bytes[frame + 1] as number;
    const flags = magic === MAGIC_2 ? (bytes[frame + 2] as number) : 0;
    const length = header + payload + 2 + (flags & SIGNED ? 13 : 0);
    const stamp_us = view.getUint32(i) * 4294967296 + view.getUint32(i + 4);
    const id =
      magic === MAGIC_2
        ? (bytes[frame + 7] as number) |
          ((bytes[frame + 8] as number) << 8) |
          ((bytes[frame + 9] as number) << 16)
        : (bytes[frame + 5] as number);
    const sane = flags <= SIGNED && stampFits(stamp_us, last_us, bad_from >= 0 || last_unknown);
    if (!sane) {
      if (bad_from < 0) bad_from = at;
      at += 1;
      continue;
    }
    if (STAMP + length > left) {
      // Only the last record may be short; a bad length in the middle must not end the log.
      if (bad_from < 0 && left < LONGEST && !laterFrame(window, at + 1, size, dialect)) {
        truncated = `cut at byte ${size}, in the middle of the frame that began at byte ${at}`;
        break;
      }
      if (bad_from < 0) bad_from = at;
      at += 1;
      continue;
    }
    let about = known.get(id);
    if (!about) {
      about = { message: dialect(id), streams: new Map(), source: -1, stream: undefined };
      known.set(id, about);
    }
    const { message } = about;
    if (message) {
      const end = frame + header + payload;
      const sum = (bytes[end] as number) | ((bytes[end + 1] as number) << 8);
      if (frameChecksum(bytes, frame + 1, end, message.crc_extra) !== sum) {
        if (bad_from < 0) bad_from = at;
        at += 1;
        continue;
      }
    } else if (bad_from >= 0 || !followed(bytes, i + STAMP + length, size - base)) {
      if (bad_from < 0) bad_from = at;
      at += 1;
      continue;
    }
    finishBad(at);
    frames += 1;
    if (message) {
      const system = bytes[frame + (magic === MAGIC_2 ? 5 : 3)] as number;
      const component = bytes[frame + (magic === MAGIC_2 ? 6 : 4)] as number;
      const key = (system << 8) | component;
      let stream = about.source === key ? about.stream : about.streams.get(key);
      if (!stream) {
        stream = { message, system, component, offsets: new OffsetList(size), times: doubles() };
        about.streams.set(key, stream);
        streams.push(stream);
      }
      about.source = key;
      about.stream = stream;
      stream.offsets.push(at + STAMP);
      stream.times.push(stamp_us / 1e6);
      scout.add(stamp_us / 1e6);
    } else unknown.set(id, (unknown.get(id) ?? 0) + 1);
    last_unknown = !message;
    if (stamp_us > EARLIEST_US && stamp_us < LATEST_US) last_us = stamp_us;
    at += STAMP + length;
  }
  if (bad_from >= 0) {
    if (size - bad_from < LONGEST)
      truncated = `cut at byte ${size}: the last ${size - bad_from} bytes are no frame`;
    else finishBad(size);
  }
  return { streams, frames, unknown, scout, damage, truncated };
}

/**
 * On the good path any stamp will do, because the checksum speaks for the record; while searching it must be a date,
 * and within a year of the last good one.
 */
function stampFits(stamp_us: number, last_us: number, searching: boolean): boolean {
  if (!searching) return true;
  if (!(stamp_us > EARLIEST_US && stamp_us < LATEST_US)) return false;
  return last_us === 0 || Math.abs(stamp_us - last_us) < YEAR_US;
}

/** A frame of an unknown message has no checksum to verify: believed when the file ends or a record follows it. */
function followed(bytes: Uint8Array, next: number, end: number): boolean {
  if (next === end) return true;
  if (next + STAMP >= Math.min(end, bytes.length)) return false;
  const magic = bytes[next + STAMP];
  return magic === MAGIC_2 || magic === MAGIC_1;
}

/** Whether a whole, verified frame begins anywhere in the last bytes of the file. */
function laterFrame(window: Window, from: number, size: number, dialect: MavlinkDialect): boolean {
  const { bytes, base } = window;
  for (let at = from; at + STAMP + 12 <= size; at++) {
    const frame = at + STAMP - base;
    if (bytes[frame] !== MAGIC_2) continue;
    const end = frame + 10 + (bytes[frame + 1] as number);
    if (end + 2 > size - base) continue;
    const id =
      (bytes[frame + 7] as number) |
      ((bytes[frame + 8] as number) << 8) |
      ((bytes[frame + 9] as number) << 16);
    const message = dialect(id);
    const sum = (bytes[end] as number) | ((bytes[end + 1] as number) << 8);
    if (message && frameChecksum(bytes, frame + 1, end, message.crc_extra) === sum) return true;
  }
  return false;
}
