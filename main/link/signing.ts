import { createHash } from "node:crypto";
import type { LinkStatus } from "#contract/vehicle";
import type { FrameView } from "./frame";
import { SIGNATURE_LENGTH } from "./frame";
import type { LinkSigner } from "./signing-port";

/** The key of a passphrase, as Mission Planner and MAVProxy make it. */
export function keyFromPassphrase(passphrase: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(passphrase, "utf8").digest());
}

/** Signing time counts units of 10 microseconds from here (https://mavlink.io/en/guide/message_signing.html#timestamp). */
const EPOCH_ms = Date.UTC(2015, 0, 1);
const UNITS_PER_MS = 100;
/** A stream that is new to us may be this far behind; one minute, as the specification says. */
const LATE = 60_000 * UNITS_PER_MS;
const TIMESTAMP_AT = 1;
const HASH_AT = 7;
const RADIO_STATUS = 109;

export function signingTime(utc_ms: number): number {
  return Math.round((utc_ms - EPOCH_ms) * UNITS_PER_MS);
}

/** First six bytes of SHA-256 over key, frame, link id and time stamp. */
function signatureOf(key: Uint8Array, signed: Uint8Array): Uint8Array {
  return createHash("sha256").update(key).update(signed).digest().subarray(0, 6);
}

export type SignatureCheck = "ok" | "unsigned" | "replayed" | "wrong_key" | "no_key";

export interface SigningOptions {
  /** Null: nothing can be signed or checked. */
  readonly key: Uint8Array | null;
  /** One per link, so that two links of one station do not replay each other. */
  readonly link_id: number;
  readonly utc_ms: () => number;
  /** Takes unsigned and unverifiable frames as well, while it goes on telling that they are: for setting up. */
  readonly accept_unsigned: boolean;
  /** Highest time stamp used before, kept across restarts. */
  readonly last_timestamp?: number;
}

/**
 * MAVLink 2 message signing of one link (https://mavlink.io/en/guide/message_signing.html). Time stamps rise strictly, also
 * within one unit and when the clock is set back. What arrives is one of four things besides being right: unsigned, a replay,
 * signed with another key, or signed while we have none; the state is that of the newest frame.
 */
export class Signing implements LinkSigner {
  readonly counts: Record<SignatureCheck, number> = {
    ok: 0,
    unsigned: 0,
    replayed: 0,
    wrong_key: 0,
    no_key: 0,
  };
  readonly #options: SigningOptions;
  /** Newest time stamp per system, component and link id. */
  readonly #streams = new Map<string, number>();
  #last: number;
  #state: SignatureCheck | "off" = "off";

  constructor(options: SigningOptions) {
    this.#options = options;
    this.#last = options.last_timestamp ?? 0;
  }

  /** Another key: what was heard under the old one says nothing any more. */
  restart(): void {
    this.#streams.clear();
    this.#state = "off";
  }

  get signs(): boolean {
    return this.#options.key !== null;
  }

  /** To be kept for the next start: a time stamp used twice is a replay to the vehicle. */
  get last_timestamp(): number {
    return this.#last;
  }

  get state(): LinkStatus["signing"] {
    return this.#state;
  }

  get advice(): string {
    switch (this.#state) {
      case "unsigned":
        return "the vehicle does not sign its messages: set the key up on it, or do not ask for signing";
      case "replayed":
        return "messages with old time stamps arrive: someone replays them, or the vehicle's clock was set back";
      case "wrong_key":
        return "the vehicle signs with another key: enter its passphrase";
      case "no_key":
        return "the vehicle signs its messages and this station has no key: enter its passphrase";
      default:
        return "";
    }
  }

  sign(frame: Uint8Array): Uint8Array {
    const { key, link_id, utc_ms } = this.#options;
    if (key === null) return frame;
    this.#last = Math.max(this.#last + 1, signingTime(utc_ms()));
    const signed = new Uint8Array(frame.length + SIGNATURE_LENGTH);
    signed.set(frame);
    signed[frame.length] = link_id;
    writeUint48(signed, frame.length + TIMESTAMP_AT, this.#last);
    signed.set(signatureOf(key, signed.subarray(0, frame.length + HASH_AT)), frame.length + HASH_AT);
    return signed;
  }

  accept(frame: FrameView): boolean {
    // A telemetry radio's own report is never signed.
    if (frame.id === RADIO_STATUS) return true;
    const check = this.check(frame);
    this.counts[check]++;
    this.#state = this.#options.key === null && check === "unsigned" ? "off" : check;
    if (check === "ok") return true;
    if (check === "replayed" || check === "wrong_key") return false;
    return this.#options.key === null || this.#options.accept_unsigned;
  }

  /** What one frame is; a good one becomes the newest of its stream. */
  check(frame: FrameView): SignatureCheck {
    if (!frame.signed) return "unsigned";
    const { key, utc_ms } = this.#options;
    if (key === null) return "no_key";
    const start = frame.end - SIGNATURE_LENGTH;
    const signed = frame.bytes.subarray(frame.start, start + HASH_AT);
    const expected = signatureOf(key, signed);
    const given = frame.bytes.subarray(start + HASH_AT, frame.end);
    if (!expected.every((byte, i) => byte === given[i])) return "wrong_key";
    const timestamp = readUint48(frame.bytes, start + TIMESTAMP_AT);
    const stream = `${frame.system_id}/${frame.component_id}/${frame.bytes[start] ?? 0}`;
    const newest = this.#streams.get(stream);
    const oldest = newest === undefined ? signingTime(utc_ms()) - LATE : newest + 1;
    // A vehicle without a clock begins at zero or at the time it was set up with: its first message starts its stream.
    if (timestamp < oldest && newest !== undefined) return "replayed";
    if (timestamp < oldest && timestamp > CLOCKLESS) return "replayed";
    this.#streams.set(stream, timestamp);
    if (timestamp > this.#last) this.#last = timestamp;
    return "ok";
  }
}

/** One day: what a vehicle counts that has never been told the time. */
const CLOCKLESS = 86_400_000 * UNITS_PER_MS;

function writeUint48(bytes: Uint8Array, at: number, value: number): void {
  let rest = value;
  for (let i = 0; i < 6; i++) {
    bytes[at + i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

function readUint48(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = 5; i >= 0; i--) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

/**
 * Fields of SETUP_SIGNING, which hands the key to the vehicle; a null key switches signing off. It is sent in the clear: only
 * over a cable. It has no answer, so it is sent several times.
 */
export function setupSigningFields(
  target: { readonly system_id: number; readonly component_id: number },
  key: Uint8Array | null,
  utc_ms: number,
): Readonly<Record<string, unknown>> {
  return {
    target_system: target.system_id,
    target_component: target.component_id,
    secret_key: [...(key ?? new Uint8Array(32))],
    initial_timestamp: key === null ? 0 : signingTime(utc_ms),
  };
}
