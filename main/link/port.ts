import type { Result } from "#contract/result";
import type { LinkStatus } from "#contract/vehicle";
import type { Cancel } from "../platform/clock";

/** Values of one message by their MAVLink names (snake_case, as in the XML): numbers, bigint beyond 2^53, strings, arrays of numbers. */
export type Fields = Readonly<Record<string, unknown>>;

/** One message that passed framing, checksum and routing. */
export interface Received {
  /** MAVLink name, e.g. "HEARTBEAT". */
  readonly name: string;
  readonly id: number;
  readonly system_id: number;
  readonly component_id: number;
  /** Address of the link it came over, as it was opened. */
  readonly link: string;
  /** Arrival on the station's clock. */
  readonly at_ms: number;
  readonly fields: Fields;
  /** Length of the frame on the wire. */
  readonly bytes?: number;
}

/** Over which links one system is heard. */
export interface SystemLinks {
  readonly system_id: number;
  /** Link whose messages are used and that its commands take. */
  readonly primary: string;
  /** The primary is an operator's choice. */
  readonly chosen: boolean;
  readonly links: readonly { readonly address: string; readonly last_at_ms: number }[];
}

/** What the sequence numbers of one sender say since the link was opened. */
export interface SenderLoss {
  readonly system_id: number;
  readonly component_id: number;
  readonly frames: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly restarts: number;
}

/** One frame as it was on the wire, for the tlog. `bytes` is the receiver's to keep. */
export interface RawFrame {
  readonly bytes: Uint8Array;
  readonly at_ms: number;
  readonly link: string;
  readonly direction: "in" | "out";
}

export type LinkProblemKind =
  | "bad_address"
  | "busy"
  | "permission"
  | "missing"
  | "not_a_device"
  | "unreachable"
  | "failed";

/** Why a link could not be opened: one sentence that says what is wrong and what to do. */
export interface LinkProblem {
  readonly kind: LinkProblemKind;
  readonly message: string;
}

/**
 * All links of the station. Messages of one system come from its primary link alone; when that falls silent, the next
 * live one takes over.
 */
export interface LinkHub {
  /** Opens one more link; resolves when it listens, connects or has failed. */
  open(address: string): Promise<Result<void, LinkProblem>>;
  /** Closes one link and leaves the others. */
  closeLink(address: string): Promise<void>;
  onMessage(listener: (received: Received) => void): Cancel;
  onRaw(listener: (frame: RawFrame) => void): Cancel;
  /**
   * Sends one message as the station: to the system named in `target_system` over its link, or to everyone.
   * Fields that do not fit are a bug of the caller and throw.
   */
  send(name: string, fields: Fields): void;
  /** Sends another station's frame, unchanged, to the system that it names, or to everyone. */
  forward(frame: Uint8Array): void;
  status(): readonly LinkStatus[];
  systems(): readonly SystemLinks[];
  /** Makes one link the primary of a system, or with null leaves the choice to what is heard; false when it is not heard there. */
  choosePrimary(system_id: number, address: string | null): boolean;
  senders(): readonly SenderLoss[];
  /** Datagrams (or chunks of a stream) handled so far, over all links; `received` counts after its listeners ran. */
  datagrams(): { readonly received: number; readonly sent: number };
  /** Resolves when `datagrams().received` has reached `total`; the clock barrier waits for it. */
  whenReceived(total: number): Promise<void>;
  close(): Promise<void>;
}

/** Bytes in and out of one address. Knows nothing of MAVLink. */
export interface Transport {
  /** Datagrams begin with a frame; streams may cut one anywhere. */
  readonly kind: "datagram" | "stream";
  open(events: TransportEvents): Promise<Result<void, LinkProblem>>;
  /** `to` is a peer that `data` named, or undefined for all of them. Nobody to send to is not an error. Returns datagrams sent. */
  write(bytes: Uint8Array, to: string | undefined): number;
  close(): Promise<void>;
}

export interface TransportEvents {
  /** `from` names the peer; "" where there is only one. `at_ms` is given by a replay, else the moment of the call counts. */
  data(bytes: Uint8Array, from: string): void;
  /** The other end went away or came back; a stream in the middle of a frame starts afresh. `advice` is one line. */
  down(advice: string): void;
  up(): void;
}
