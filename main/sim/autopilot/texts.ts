import type { Message } from "./port";

const chunk_bytes = 50;
const stale_us = 5_000_000;

interface Text {
  readonly severity: number;
  readonly text: string;
  readonly at_us: number;
}

/**
 * STATUSTEXT as PX4 sends it: only while a ground station's heartbeat is seen, never older than 5 s, texts over 50 bytes in
 * numbered chunks under an id that is not 0.
 */
export class Texts {
  #queue: Text[] = [];
  #id = 0;

  say(severity: number, text: string, now_us: number): void {
    this.#queue.push({ severity, text, at_us: now_us });
  }

  take(ground_station: boolean, now_us: number): Message[] {
    this.#queue = this.#queue.filter((t) => now_us - t.at_us < stale_us);
    if (!ground_station) return [];
    const out = this.#queue.flatMap((t) => this.#encode(t));
    this.#queue = [];
    return out;
  }

  #encode({ severity, text }: Text): Message[] {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length <= chunk_bytes)
      return [{ name: "STATUSTEXT", fields: { severity, text, id: 0, chunk_seq: 0 } }];
    this.#id = (this.#id % 65535) + 1;
    const out: Message[] = [];
    for (let seq = 0; seq * chunk_bytes < bytes.length; seq++) {
      const part = bytes.slice(seq * chunk_bytes, (seq + 1) * chunk_bytes);
      out.push({
        name: "STATUSTEXT",
        fields: { severity, text: latin(part), id: this.#id, chunk_seq: seq },
      });
    }
    // A last chunk that is full needs an empty one after it, so that the reader sees the end.
    if (bytes.length % chunk_bytes === 0) {
      const seq = bytes.length / chunk_bytes;
      out.push({ name: "STATUSTEXT", fields: { severity, text: "", id: this.#id, chunk_seq: seq } });
    }
    return out;
  }
}

/** One character per byte: the texts are ASCII, and a cut through a wider character must not change the length. */
const latin = (bytes: Uint8Array): string => Array.from(bytes, (b) => String.fromCharCode(b)).join("");
