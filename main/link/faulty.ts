import type { Result } from "#contract/result";
import type { Clock } from "../platform/clock";
import type { LinkProblem, Transport, TransportEvents } from "./port";

/** Shares are 0 to 1, per datagram and direction. */
export interface Faults {
  readonly loss?: number;
  readonly duplicate?: number;
  /** Share that is held back so long that others overtake it. */
  readonly reorder?: number;
  /** Added to every datagram, each way. */
  readonly delay_ms?: number;
  /** Chance per byte that one of its bits is flipped. */
  readonly flip?: number;
  readonly seed?: number;
}

const OVERTAKE_ms = 60;

/** A link that loses, repeats, reorders, delays and corrupts, the same way for the same seed; and that can be cut. */
export class FaultyTransport implements Transport {
  readonly kind;
  faults: Faults;
  /** Nothing passes. */
  cut = false;
  /** Half open: what is sent vanishes while the other direction works, or the other way round. */
  deaf = false;
  mute = false;
  /** Appended to the peer's name: the vehicle now sends from another port. */
  peerSuffix = "";
  readonly #inner: Transport;
  readonly #clock: Clock;
  #state: number;

  constructor(inner: Transport, faults: Faults, clock: Clock) {
    this.#inner = inner;
    this.kind = inner.kind;
    this.faults = faults;
    this.#clock = clock;
    this.#state = (faults.seed ?? 1) >>> 0;
  }

  open(events: TransportEvents): Promise<Result<void, LinkProblem>> {
    return this.#inner.open({
      ...events,
      data: (bytes, from) => {
        if (this.cut || this.deaf) return;
        this.#disturb(bytes, (disturbed) => {
          if (!this.cut && !this.deaf) events.data(disturbed, from + this.peerSuffix);
        });
      },
    });
  }

  write(bytes: Uint8Array, to: string | undefined): number {
    if (this.cut || this.mute) return 1;
    const peer = to?.endsWith(this.peerSuffix) ? to.slice(0, to.length - this.peerSuffix.length) : to;
    this.#disturb(bytes, (disturbed) => {
      if (!this.cut && !this.mute) this.#inner.write(disturbed, peer);
    });
    return 1;
  }

  close(): Promise<void> {
    this.cut = true;
    return this.#inner.close();
  }

  #disturb(bytes: Uint8Array, pass: (bytes: Uint8Array) => void): void {
    const { loss = 0, duplicate = 0, reorder = 0, delay_ms = 0, flip = 0 } = this.faults;
    if (this.#random() < loss) return;
    const copies = this.#random() < duplicate ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const disturbed = flip > 0 ? this.#flipped(bytes, flip) : bytes;
      const late_ms = this.#random() < reorder ? OVERTAKE_ms * (1 + this.#random()) : 0;
      this.#clock.after(delay_ms + late_ms, () => pass(disturbed));
    }
  }

  #flipped(bytes: Uint8Array, chance: number): Uint8Array {
    const copy = bytes.slice();
    for (let i = 0; i < copy.length; i++) {
      if (this.#random() < chance) copy[i] = (copy[i] ?? 0) ^ (1 << Math.floor(this.#random() * 8));
    }
    return copy;
  }

  /** Mulberry32: small, seeded, good enough to lose packets by. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
}
