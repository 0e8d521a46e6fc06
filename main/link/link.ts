import type { Result } from "#contract/result";
import type { LinkStatus } from "#contract/vehicle";
import type { Cancel, Clock } from "../platform/clock";
import { messageByName } from "./codec";
import { encodeFrame } from "./encode-frame";
import { type FrameView, INCOMPAT_SIGNED } from "./frame";
import { beginsWithFrame, Framer } from "./framing";
import type { Fields, LinkProblem, Transport } from "./port";
import { RateMeter } from "./rate-meter";
import { LossTracker } from "./sequence";
import type { LinkSigner } from "./signing-port";

/** A frame cut in two is given up when its rest has not come for so long; at 57,600 baud the longest takes 49 ms. */
const CUT_FRAME_ms = 150;
/** Nothing for so long: the link is silent. Well under the 3 s after which a vehicle counts as gone. */
export const SILENT_ms = 2000;
const DIAGNOSIS_BYTES = 200;
const SILENT_ADVICE_ms = 3000;
const TWIN_ms = 5000;

export interface LinkEvents {
  frame(frame: FrameView, from: string, at_ms: number): void;
  /** Every frame sent, as it left. */
  sent(bytes: Uint8Array, at_ms: number): void;
}

/** One open address: its transport, the framers of its peers, its sequence counter and what is known of its health. */
export class Link {
  readonly address: string;
  readonly loss = new LossTracker();
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #signer: LinkSigner | null;
  readonly #identity: { readonly system_id: number; readonly component_id: number };
  readonly #framers = new Map<string, { framer: Framer; last_ms: number }>();
  readonly #bytes = new RateMeter();
  readonly #frames = new RateMeter();
  readonly #versions = new Map<string, 1 | 2>();
  #cancelTick: Cancel = () => {};
  #state: "opening" | "open" | "failed" | "closed" = "opening";
  #downAdvice = "";
  #seq = 0;
  #opened_ms = 0;
  #bytesWithoutFrame = 0;
  #lastFrame_ms: number | null = null;
  #lastHeartbeat_ms: number | null = null;
  /** Heartbeat of somebody else who calls himself what we do. */
  #lastTwin_ms = Number.NEGATIVE_INFINITY;
  /** Every peer speaks MAVLink 1 only: answer in kind. */
  #onlyV1 = false;
  datagramsReceived = 0;
  datagramsSent = 0;

  constructor(
    address: string,
    transport: Transport,
    clock: Clock,
    identity: { readonly system_id: number; readonly component_id: number },
    signer: LinkSigner | null,
  ) {
    this.address = address;
    this.#transport = transport;
    this.#clock = clock;
    this.#identity = identity;
    this.#signer = signer;
  }

  async open(events: LinkEvents, onDatagram: () => void): Promise<Result<void, LinkProblem>> {
    this.#opened_ms = this.#clock.now_ms();
    const result = await this.#transport.open({
      data: (bytes, from) => {
        if (this.#state === "closed") return;
        this.#receive(bytes, from, events);
        this.datagramsReceived++;
        onDatagram();
      },
      down: (advice) => {
        this.#downAdvice = advice;
        for (const { framer } of this.#framers.values()) framer.reset();
      },
      up: () => {
        this.#downAdvice = "";
      },
    });
    if (this.#state === "closed") return result;
    this.#state = result.ok ? "open" : "failed";
    this.#downAdvice = result.ok ? this.#downAdvice : result.error.message;
    if (result.ok) {
      this.#cancelTick = this.#clock.every(CUT_FRAME_ms, () => {
        this.#tick(events);
      });
    }
    return result;
  }

  /** False when a vehicle that speaks MAVLink 1 only cannot be told this: its ids end at 255. */
  send(name: string, fields: Fields, to: string | undefined, events: LinkEvents): boolean {
    if (this.#state !== "open") return false;
    if (!this.#onlyV1) {
      this.#sendAs(2, name, fields, to, events);
      return true;
    }
    if ((messageByName(name)?.id ?? 0) > 0xff) return false;
    this.#sendAs(1, name, fields, to, events);
    // Some speak 1 until they hear 2: the heartbeat offers it.
    if (name === "HEARTBEAT") this.#sendAs(2, name, fields, to, events);
    return true;
  }

  /** Sends a frame of someone else, unchanged: forwarding. */
  forward(bytes: Uint8Array, to: string | undefined, events: LinkEvents): void {
    if (this.#state === "open") this.#write(bytes, to, events);
  }

  async close(): Promise<void> {
    this.#state = "closed";
    this.#cancelTick();
    await this.#transport.close();
  }

  get lastFrame_ms(): number | null {
    return this.#lastFrame_ms;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  status(primary: boolean): LinkStatus {
    const now_ms = this.#clock.now_ms();
    const faults: Record<string, number> = {};
    for (const { framer } of this.#framers.values()) {
      for (const [kind, count] of Object.entries(framer.faults) as [string, number][]) {
        faults[kind] = (faults[kind] ?? 0) + count;
      }
    }
    return {
      address: this.address,
      primary,
      state: this.#state === "open" && this.#isSilent(now_ms) ? "silent" : this.#state,
      advice: this.#advice(now_ms),
      bytes_per_s: this.#bytes.perSecond(now_ms),
      frames_per_s: this.#frames.perSecond(now_ms),
      loss: this.loss.loss(now_ms),
      faults,
      last_frame_at_ms: this.#lastFrame_ms,
      signing: this.#signer?.state ?? "off",
    };
  }

  #receive(bytes: Uint8Array, from: string, events: LinkEvents): void {
    const now_ms = this.#clock.now_ms();
    this.#bytes.add(bytes.length, now_ms);
    this.#bytesWithoutFrame += bytes.length;
    let peer = this.#framers.get(from);
    if (peer === undefined) {
      peer = { framer: new Framer(), last_ms: now_ms };
      this.#framers.set(from, peer);
    }
    const stale = peer.framer.pending > 0 && now_ms - peer.last_ms > CUT_FRAME_ms;
    peer.last_ms = now_ms;
    const sink = (frame: FrameView): void => {
      this.#accept(frame, from, now_ms, events);
    };
    if (stale || (this.#transport.kind === "datagram" && peer.framer.pending > 0 && beginsWithFrame(bytes))) {
      peer.framer.flush(sink);
    }
    peer.framer.push(bytes, sink);
  }

  #accept(frame: FrameView, from: string, now_ms: number, events: LinkEvents): void {
    this.#bytesWithoutFrame = 0;
    this.#lastFrame_ms = now_ms;
    this.#frames.add(1, now_ms);
    this.loss.note(frame.system_id, frame.component_id, frame.seq, now_ms);
    if (frame.id === 0) {
      this.#lastHeartbeat_ms = now_ms;
      this.#versions.set(`${from}/${String(frame.system_id)}/${String(frame.component_id)}`, frame.version);
      this.#onlyV1 = [...this.#versions.values()].every((version) => version === 1);
    }
    if (frame.system_id === this.#identity.system_id && frame.id === 0) this.#lastTwin_ms = now_ms;
    if (this.#signer !== null && !this.#signer.accept(frame)) return;
    events.frame(frame, from, now_ms);
  }

  #sendAs(version: 1 | 2, name: string, fields: Fields, to: string | undefined, events: LinkEvents): void {
    const signer = version === 2 && this.#signer?.signs === true ? this.#signer : null;
    const incompat_flags = signer === null ? 0 : INCOMPAT_SIGNED;
    const plain = encodeFrame(name, fields, { version, seq: this.#seq, ...this.#identity, incompat_flags });
    this.#write(signer === null ? plain : signer.sign(plain), to, events);
  }

  #write(bytes: Uint8Array, to: string | undefined, events: LinkEvents): void {
    this.#seq = (this.#seq + 1) & 0xff;
    this.datagramsSent += this.#transport.write(bytes, to);
    events.sent(bytes, this.#clock.now_ms());
  }

  #tick(events: LinkEvents): void {
    const now_ms = this.#clock.now_ms();
    for (const [from, { framer, last_ms }] of this.#framers) {
      if (framer.pending === 0 || now_ms - last_ms < CUT_FRAME_ms) continue;
      framer.flush((frame) => {
        this.#accept(frame, from, now_ms, events);
      });
    }
  }

  #isSilent(now_ms: number): boolean {
    return now_ms - (this.#lastFrame_ms ?? this.#opened_ms) > SILENT_ms;
  }

  #advice(now_ms: number): string {
    if (this.#downAdvice !== "" || this.#state !== "open") return this.#downAdvice;
    if (this.#bytesWithoutFrame > DIAGNOSIS_BYTES) {
      return this.address.startsWith("serial:")
        ? "bytes arrive but none is a MAVLink frame: wrong baud rate?"
        : "bytes arrive but none is a MAVLink frame: does the other end speak MAVLink?";
    }
    if (now_ms - (this.#lastFrame_ms ?? this.#opened_ms) > SILENT_ADVICE_ms) return this.#silentAdvice();
    if (now_ms - (this.#lastHeartbeat_ms ?? this.#opened_ms) > SILENT_ADVICE_ms) {
      return "messages arrive but no heartbeat: no vehicle is connected";
    }
    if (now_ms - this.#lastTwin_ms < TWIN_ms && !this.address.startsWith("replay:")) {
      return `another ground station also calls itself system ${this.#identity.system_id}: give one of the two another number`;
    }
    return this.#signer?.advice ?? "";
  }

  #silentAdvice(): string {
    if (this.address.startsWith("udpout:")) {
      return "nothing answers; a vehicle goes on answering the first port it saw: restart its link if another station was there before";
    }
    if (this.address.startsWith("serial:"))
      return "the port is silent: is the vehicle powered and the cable a data cable?";
    return "nothing arrives: is the vehicle on, and does it send to this address?";
  }
}
