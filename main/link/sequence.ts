import type { SenderLoss } from "./port";

/** How far a frame may come late and still not count as lost; PX4 swaps neighbours when it answers from its receiver thread. */
const WINDOW = 32;
/** A jump further than this (either way) is a restart or another sender, not loss. */
const MAX_GAP = 100;
const BUCKET_ms = 1000;
const BUCKETS = 10;

interface Sender {
  /** Highest sequence number seen, unwrapped. */
  head: number;
  /** Bit n: head - n has arrived. */
  seen: Uint8Array;
  started: number;
  readonly totals: { frames: number; lost: number; duplicates: number; restarts: number };
}

/**
 * Counts lost frames of one link from the sequence numbers of its senders. A number counts as lost only when it has not
 * come by the time 32 later ones have: sent out of order is not lost, and a repeat is not a frame.
 */
export class LossTracker {
  readonly #senders = new Map<number, Sender>();
  readonly #received = new Float64Array(BUCKETS);
  readonly #lost = new Float64Array(BUCKETS);
  #bucket = -1;
  duplicates = 0;
  restarts = 0;

  /** False when this frame has been seen before: a repeat by the network or by a second path. */
  note(system_id: number, component_id: number, seq: number, now_ms: number): boolean {
    this.#advance(now_ms);
    const key = system_id * 256 + component_id;
    const sender = this.#senders.get(key);
    if (sender === undefined) {
      this.#senders.set(key, freshSender(seq));
      this.#count(this.#received, 1);
      return true;
    }
    const { totals } = sender;
    const step = ((seq - sender.head + 128) & 0xff) - 128;
    if (step > MAX_GAP || step < -WINDOW + 1) {
      this.restarts++;
      totals.restarts++;
      totals.frames++;
      this.#senders.set(key, { ...freshSender(seq), totals });
      this.#count(this.#received, 1);
      return true;
    }
    if (step > 0) {
      totals.frames++;
      this.#slide(sender, step);
      this.#count(this.#received, 1);
      return true;
    }
    const index = mod(sender.head + step, WINDOW);
    if (sender.seen[index] === 1) {
      this.duplicates++;
      totals.duplicates++;
      return false;
    }
    sender.seen[index] = 1;
    totals.frames++;
    this.#count(this.#received, 1);
    return true;
  }

  /** Per sender, since the beginning. */
  senders(): readonly SenderLoss[] {
    return [...this.#senders].map(([key, { totals }]) => ({
      system_id: Math.floor(key / 256),
      component_id: key % 256,
      ...totals,
    }));
  }

  /** Share of frames lost over the last ten seconds, 0 to 1. */
  loss(now_ms: number): number {
    this.#advance(now_ms);
    const lost = this.#lost.reduce((a, b) => a + b, 0);
    const received = this.#received.reduce((a, b) => a + b, 0);
    return lost + received === 0 ? 0 : lost / (lost + received);
  }

  #slide(sender: Sender, step: number): void {
    for (let i = 1; i <= step; i++) {
      sender.head++;
      const index = mod(sender.head, WINDOW);
      if (sender.seen[index] === 0 && sender.head - WINDOW >= sender.started) {
        sender.totals.lost++;
        this.#count(this.#lost, 1);
      }
      sender.seen[index] = i === step ? 1 : 0;
    }
  }

  #count(buckets: Float64Array, by: number): void {
    const index = mod(this.#bucket, BUCKETS);
    buckets[index] = (buckets[index] ?? 0) + by;
  }

  #advance(now_ms: number): void {
    const bucket = Math.floor(now_ms / BUCKET_ms);
    const from = Math.max(this.#bucket + 1, bucket - BUCKETS + 1);
    for (let b = from; b <= bucket; b++) {
      this.#received[mod(b, BUCKETS)] = 0;
      this.#lost[mod(b, BUCKETS)] = 0;
    }
    if (bucket > this.#bucket) this.#bucket = bucket;
  }
}

function freshSender(seq: number): Sender {
  const seen = new Uint8Array(WINDOW);
  seen[mod(seq, WINDOW)] = 1;
  return {
    head: seq,
    seen,
    started: seq,
    totals: { frames: 1, lost: 0, duplicates: 0, restarts: 0 },
  };
}

const mod = (value: number, by: number): number => ((value % by) + by) % by;
