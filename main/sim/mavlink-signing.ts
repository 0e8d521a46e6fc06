import { createHash } from "node:crypto";

/** Signature of a MAVLink 2 frame: link id, time stamp, hash (https://mavlink.io/en/guide/message_signing.html). */
export const signatureLength = 13;
const hashAt = 7;
const keyLength = 32;
/** A stream not heard before may be one minute behind; the time stamp's unit is 10 microseconds. */
const late = 6_000_000;
const unitsPerMs = 100;

/**
 * Message signing of the vehicle's link as PX4 1.18 and ArduPilot do it: off until SETUP_SIGNING brings a key; from then on every
 * frame is signed, what arrives unsigned, under another key or out of order is ignored, and a signed zero key ends it.
 */
export class VehicleSigning {
  readonly #link_id: number;
  #key: Buffer | null = null;
  #timestamp = 0;
  #now_ms = 0;
  readonly #streams = new Map<string, number>();

  constructor(link_id = 0) {
    this.#link_id = link_id;
  }

  get on(): boolean {
    return this.#key !== null;
  }

  /** The vehicle's clock; only its differences count. */
  tick(now_ms: number): void {
    this.#timestamp += Math.max(0, Math.round((now_ms - this.#now_ms) * unitsPerMs));
    this.#now_ms = now_ms;
  }

  /** SETUP_SIGNING; to be called with accepted frames only. */
  setup(secret_key: readonly number[], initial_timestamp: number): void {
    const key = Buffer.from(Array.from({ length: keyLength }, (_, i) => secret_key[i] ?? 0));
    this.#streams.clear();
    this.#key = key.every((byte) => byte === 0) ? null : key;
    this.#timestamp = Math.max(this.#timestamp, initial_timestamp);
  }

  /** Appends the signature to a frame whose header says that it has one and whose checksum is made. */
  sign(frame: Buffer): Buffer {
    const key = this.#key;
    if (key === null) return frame;
    const tail = Buffer.alloc(signatureLength);
    tail[0] = this.#link_id;
    tail.writeUIntLE(++this.#timestamp, 1, 6);
    const signed = Buffer.concat([frame, tail]);
    hash(key, signed.subarray(0, frame.length + hashAt)).copy(signed, frame.length + hashAt);
    return signed;
  }

  /** Whether a frame may be listened to. `signed` is null for one without a signature. */
  accepts(signed: Buffer | null, sender: string): boolean {
    const key = this.#key;
    if (key === null) return true;
    if (signed === null) return false;
    const tail = signed.length - signatureLength;
    if (!hash(key, signed.subarray(0, tail + hashAt)).equals(signed.subarray(tail + hashAt))) return false;
    const timestamp = signed.readUIntLE(tail + 1, 6);
    const stream = `${sender}/${String(signed[tail] ?? 0)}`;
    const newest = this.#streams.get(stream);
    if (newest === undefined ? timestamp < this.#timestamp - late : timestamp <= newest) return false;
    this.#streams.set(stream, timestamp);
    this.#timestamp = Math.max(this.#timestamp, timestamp);
    return true;
  }
}

const hash = (key: Buffer, signed: Uint8Array): Buffer =>
  createHash("sha256").update(key).update(signed).digest().subarray(0, 6);
