import { list } from "./fields";
import type { Incoming, Message } from "./port";
import { nothing, type Service } from "./service";
import type { VehicleFiles } from "./vehicle-files";

const op = {
  terminate: 1,
  reset: 2,
  list: 3,
  open_read: 4,
  read: 5,
  create: 6,
  write: 7,
  remove: 8,
  make_directory: 9,
  remove_directory: 10,
  open_write: 11,
  truncate: 12,
  rename: 13,
  crc32: 14,
  burst: 15,
  ack: 128,
  nak: 129,
} as const;
const error = {
  fail: 1,
  size: 3,
  session: 4,
  none_free: 5,
  end_of_file: 6,
  unknown: 7,
  exists: 8,
  protected: 9,
  not_found: 10,
} as const;

const data_bytes = 239;
const packets_per_tick = 14;
const packets_per_burst = 60;
const sessions = 4;
/** For this long the same request, bit for bit, is a repetition. */
const memory_us = 3_000_000;

interface Request {
  readonly sequence: number;
  readonly session: number;
  readonly opcode: number;
  readonly size: number;
  readonly offset: number;
  readonly data: Uint8Array;
  readonly from: Incoming;
}
interface Session {
  readonly path: string;
  readonly bytes: Uint8Array | null;
}
interface Burst {
  readonly request: Request;
  readonly bytes: Uint8Array;
  readonly size: number;
  sequence: number;
  at: number;
  sent: number;
}
type Answer =
  | { readonly data: Uint8Array; readonly session?: number; readonly offset?: number }
  | { readonly error: number };

/**
 * MAVLink's file transfer as PX4 serves it: directories, reading with bursts, CRC32, writing below /fs/microsd. A repeated
 * request (bit for bit, number included, from the same station) gets the same answer and is not carried out again.
 */
export class FileTransfer implements Service {
  readonly #files: VehicleFiles;
  readonly #sessions = new Map<number, Session>();
  #burst: Burst | null = null;
  readonly #answered = new Map<string, { readonly at_us: number; readonly answer: Message }>();

  constructor(files: VehicleFiles) {
    this.#files = files;
  }

  handle(m: Incoming, now_us: number): readonly Message[] {
    if (m.name !== "FILE_TRANSFER_PROTOCOL") return nothing;
    const request = read(m);
    if (request.opcode === op.burst) return this.#startBurst(request);
    for (const [key, { at_us }] of this.#answered) if (now_us - at_us > memory_us) this.#answered.delete(key);
    const key = `${String(m.system_id)}/${String(m.component_id)}/${list(m, "payload").join()}`;
    const before = this.#answered.get(key);
    if (before) return [before.answer];
    const result = this.#answer(request);
    const answer =
      "error" in result
        ? reply(request, op.nak, Uint8Array.of(result.error), {})
        : reply(request, op.ack, result.data, result);
    this.#answered.set(key, { at_us: now_us, answer });
    return [answer];
  }

  tick(): readonly Message[] {
    const b = this.#burst;
    if (!b) return nothing;
    const out: Message[] = [];
    while (this.#burst && out.length < packets_per_tick) {
      if (b.at >= b.bytes.length) {
        this.#burst = null;
        out.push(
          reply(b.request, op.nak, Uint8Array.of(error.end_of_file), { sequence: b.sequence, offset: b.at }),
        );
        break;
      }
      const data = b.bytes.subarray(b.at, b.at + b.size);
      b.sent++;
      const complete = b.sent >= packets_per_burst;
      out.push(reply(b.request, op.ack, data, { sequence: b.sequence, offset: b.at, complete }));
      b.at += data.length;
      b.sequence = (b.sequence + 1) & 0xffff;
      if (complete) this.#burst = null;
    }
    return out;
  }

  #startBurst(request: Request): readonly Message[] {
    const bytes = this.#sessions.get(request.session)?.bytes;
    if (!bytes) return [reply(request, op.nak, Uint8Array.of(error.session), {})];
    this.#burst = {
      request,
      bytes,
      size: request.size > 0 ? Math.min(request.size, data_bytes) : data_bytes,
      sequence: (request.sequence + 1) & 0xffff,
      at: request.offset,
      sent: 0,
    };
    return nothing;
  }

  #answer(r: Request): Answer {
    const path = pathOf(r.data);
    const done: Answer = { data: new Uint8Array() };
    const result = (ok: boolean, why: number): Answer => (ok ? done : { error: why });
    switch (r.opcode) {
      case op.terminate:
        this.#burst = null;
        return result(this.#sessions.delete(r.session), error.session);
      case op.reset:
        this.#burst = null;
        this.#sessions.clear();
        return done;
      case op.list:
        return this.#list(path, r.offset);
      case op.open_read: {
        const bytes = this.#files.read(path);
        return bytes ? this.#open({ path, bytes }, bytes.length) : { error: error.not_found };
      }
      case op.read: {
        const bytes = this.#sessions.get(r.session)?.bytes;
        if (!bytes) return { error: error.session };
        if (r.offset >= bytes.length) return { error: error.end_of_file };
        return { data: bytes.subarray(r.offset, r.offset + Math.min(r.size || data_bytes, data_bytes)) };
      }
      case op.create:
      case op.open_write:
        if (!this.#files.write(path, 0, new Uint8Array(), r.opcode === op.create))
          return { error: error.protected };
        return this.#open({ path, bytes: null }, this.#files.read(path)?.length ?? 0);
      case op.write: {
        const session = this.#sessions.get(r.session);
        if (!session || session.bytes) return { error: error.session };
        return result(this.#files.write(session.path, r.offset, r.data.slice(0, r.size), false), error.fail);
      }
      case op.remove:
        if (!this.#files.read(path)) return { error: error.not_found };
        return result(this.#files.remove(path), error.protected);
      case op.crc32: {
        const bytes = this.#files.read(path);
        return bytes ? { data: u32(crc32(bytes)) } : { error: error.not_found };
      }
      default:
        return { error: error.unknown };
    }
  }

  #open(session: Session, size: number): Answer {
    for (let id = 0; id < sessions; id++) {
      if (this.#sessions.has(id)) continue;
      this.#sessions.set(id, session);
      return { data: u32(size), session: id };
    }
    return { error: error.none_free };
  }

  /** Entries from number `offset` on, as many as fit: "D" name or "F" name, tab, size; each ended by a zero. */
  #list(path: string, offset: number): Answer {
    const entries = this.#files.list(path);
    if (!entries) return { error: error.not_found };
    if (offset >= entries.length) return { error: error.end_of_file };
    const out: number[] = [];
    for (const entry of entries.slice(offset)) {
      const text = entry.size === null ? `D${entry.name}` : `F${entry.name}\t${String(entry.size)}`;
      if (out.length + text.length + 1 > data_bytes) break;
      out.push(...Array.from(text, (c) => c.charCodeAt(0)), 0);
    }
    return { data: Uint8Array.from(out) };
  }
}

/** CRC-32 as PX4 and MAVLink stations use it for files: reflected 0xEDB88320, starting at 0, not inverted. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0;
  for (const b of bytes) {
    crc ^= b;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return crc >>> 0;
}

const u32 = (value: number): Uint8Array => Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);

function pathOf(data: Uint8Array): string {
  const end = data.indexOf(0);
  return String.fromCharCode(...(end < 0 ? data : data.subarray(0, end)));
}

function read(m: Incoming): Request {
  const p = Uint8Array.from(list(m, "payload"));
  const view = new DataView(p.buffer);
  const size = p[4] ?? 0;
  return {
    sequence: p.length > 1 ? view.getUint16(0, true) : 0,
    session: p[2] ?? 0,
    opcode: p[3] ?? 0,
    size,
    offset: p.length > 11 ? view.getUint32(8, true) : 0,
    data: p.subarray(12, 12 + Math.min(size, data_bytes)),
    from: m,
  };
}

function reply(
  r: Request,
  opcode: number,
  data: Uint8Array,
  also: {
    readonly session?: number;
    readonly offset?: number;
    readonly sequence?: number;
    readonly complete?: boolean;
  },
): Message {
  const p = new Uint8Array(251);
  const view = new DataView(p.buffer);
  view.setUint16(0, also.sequence ?? (r.sequence + 1) & 0xffff, true);
  p[2] = also.session ?? r.session;
  p[3] = opcode;
  p[4] = data.length;
  p[5] = r.opcode;
  p[6] = also.complete === true ? 1 : 0;
  view.setUint32(8, also.offset ?? r.offset, true);
  p.set(data, 12);
  return {
    name: "FILE_TRANSFER_PROTOCOL",
    fields: {
      target_network: 0,
      target_system: r.from.system_id,
      target_component: r.from.component_id,
      payload: Array.from(p),
    },
  };
}
