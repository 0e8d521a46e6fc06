import {
  emptyFrameView,
  type FrameVerdict,
  type FrameView,
  inspectFrame,
  isPlausible,
  STX_V1,
  STX_V2,
} from "./frame";

/** Faults by kind. A false start byte inside noise counts its noise once, as garbage bytes. */
export interface FrameFaults {
  bad_checksum: number;
  bad_length: number;
  bad_flags: number;
  unknown_message: number;
  garbage_bytes: number;
}

/** Longest MAVLink 2 frame: header 10, payload 255, checksum 2, signature 13. */
const MAX_FRAME = 280;

/**
 * Cuts one peer's bytes into MAVLink 1 and 2 frames.
 *
 * Never loses a good frame to a false start byte: a candidate that fails is given up one byte at a time, so whatever begins
 * inside it is found; one that looks wrong (unknown id, too long) and is still incomplete does not hold back a good frame
 * that lies inside it. A plausible incomplete one is waited for until `flush`, which the link calls when the peer pauses.
 *
 * An unknown message has no checksum to check: it is passed on only if no good frame begins inside it and it is followed by
 * a start byte or the end of what has arrived.
 */
export class Framer {
  readonly faults: FrameFaults = {
    bad_checksum: 0,
    bad_length: 0,
    bad_flags: 0,
    unknown_message: 0,
    garbage_bytes: 0,
  };
  readonly #frame = emptyFrameView();
  readonly #probe = emptyFrameView();
  #rest = new Uint8Array(0);

  /** Bytes held back because they may be the beginning of a frame. */
  get pending(): number {
    return this.#rest.length;
  }

  /** `sink` sees each frame before the next is looked for; the view is valid during the call only. */
  push(chunk: Uint8Array, sink: (frame: FrameView) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : concat(this.#rest, chunk);
    this.#rest = EMPTY;
    this.#scan(bytes, false, sink);
  }

  /** What is still incomplete will not be completed: look for frames inside it and drop the rest. */
  flush(sink: (frame: FrameView) => void): void {
    const bytes = this.#rest;
    this.#rest = EMPTY;
    if (bytes.length > 0) this.#scan(bytes, true, sink);
  }

  /** Forgets a cut frame, e.g. after a reconnection. */
  reset(): void {
    this.faults.garbage_bytes += this.#rest.length;
    this.#rest = EMPTY;
  }

  #scan(bytes: Uint8Array, final: boolean, sink: (frame: FrameView) => void): void {
    const frame = this.#frame;
    frame.bytes = bytes;
    frame.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const limit = bytes.length;
    let at = 0;
    while (at < limit) {
      const byte = bytes[at];
      if (byte !== STX_V2 && byte !== STX_V1) {
        at++;
        this.faults.garbage_bytes++;
        continue;
      }
      const verdict = inspectFrame(bytes, at, limit, frame);
      if (verdict === "frame") {
        const end = frame.end;
        sink(frame);
        at = end;
      } else if (verdict === "unknown" && this.#standsAlone(bytes, limit)) {
        this.faults.unknown_message++;
        const end = frame.end;
        sink(frame);
        at = end;
      } else if (verdict === "short" && !final) {
        const inside = isPlausible(frame) ? -1 : this.#goodFrameInside(bytes, at + 1, limit, limit);
        if (inside < 0) {
          this.#rest = bytes.slice(at);
          return;
        }
        this.faults.garbage_bytes += inside - at;
        at = inside;
      } else {
        this.#count(verdict);
        this.faults.garbage_bytes++;
        at++;
      }
    }
  }

  #count(verdict: FrameVerdict): void {
    if (verdict === "bad_checksum") this.faults.bad_checksum++;
    else if (verdict === "bad_length") this.faults.bad_length++;
    else if (verdict === "bad_flags") this.faults.bad_flags++;
  }

  #standsAlone(bytes: Uint8Array, limit: number): boolean {
    const { start, end } = this.#frame;
    const next = bytes[end];
    if (end < limit && next !== STX_V1 && next !== STX_V2) return false;
    return this.#goodFrameInside(bytes, start + 1, end, limit) < 0;
  }

  /** Where the first frame with a right checksum begins in [from, before), or -1. */
  #goodFrameInside(bytes: Uint8Array, from: number, before: number, limit: number): number {
    for (let at = from; at < before; at++) {
      const byte = bytes[at];
      if (byte !== STX_V1 && byte !== STX_V2) continue;
      if (inspectFrame(bytes, at, limit, this.#probe) === "frame") return at;
    }
    return -1;
  }
}

const EMPTY = new Uint8Array(0);

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

/** Whether a chunk begins with a complete good frame: then nothing before it can still be completed by it. */
export function beginsWithFrame(chunk: Uint8Array): boolean {
  const byte = chunk[0];
  if (byte !== STX_V1 && byte !== STX_V2) return false;
  return inspectFrame(chunk, 0, Math.min(chunk.length, MAX_FRAME), emptyFrameView()) === "frame";
}
