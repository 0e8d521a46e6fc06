import { err, type Result } from "#contract/result";
import type { LinkStatus } from "#contract/vehicle";
import type { Cancel, Clock } from "../platform/clock";
import { type Address, parseAddress } from "./address";
import { decodePayload } from "./codec";
import { emptyFrameView, type FrameView, inspectFrame } from "./frame";
import { Link, type LinkEvents } from "./link";
import type {
  Fields,
  LinkHub,
  LinkProblem,
  RawFrame,
  Received,
  SenderLoss,
  SystemLinks,
  Transport,
} from "./port";
import { Routes } from "./routes";
import type { LinkSigner } from "./signing-port";
import { openTransport } from "./transports";

export interface LinkHubOptions {
  readonly clock: Clock;
  /** How the station names itself; ground stations use 255 and 190. */
  readonly system_id?: number;
  readonly component_id?: number;
  /** Puts another transport under an address, e.g. one that disturbs it; undefined: the usual one. */
  readonly transport?: (address: Address, text: string) => Transport | undefined;
  readonly signer?: (address: string) => LinkSigner | null;
}

export function createLinkHub(options: LinkHubOptions): LinkHub {
  return new Hub(options);
}

class Hub implements LinkHub {
  readonly #options: LinkHubOptions;
  readonly #identity: { readonly system_id: number; readonly component_id: number };
  readonly #links = new Map<string, Link>();
  readonly #routes = new Routes();
  readonly #messageListeners = new Set<(received: Received) => void>();
  readonly #rawListeners = new Set<(frame: RawFrame) => void>();
  #waiters: { readonly total: number; readonly done: () => void }[] = [];
  /** Of links that are closed by now. */
  #past = { received: 0, sent: 0 };

  constructor(options: LinkHubOptions) {
    this.#options = options;
    this.#identity = { system_id: options.system_id ?? 255, component_id: options.component_id ?? 190 };
  }

  async open(address: string): Promise<Result<void, LinkProblem>> {
    const parsed = parseAddress(address);
    if (!parsed.ok) return parsed;
    if (this.#links.has(address)) return err({ kind: "busy", message: `${address} is already open` });
    const { clock } = this.#options;
    const transport =
      this.#options.transport?.(parsed.value, address) ?? openTransport(parsed.value, address, clock);
    const signer = this.#options.signer?.(address) ?? null;
    const link = new Link(address, transport, clock, this.#identity, signer);
    this.#links.set(address, link);
    const result = await link.open(this.#eventsOf(link), () => {
      this.#release();
    });
    if (!result.ok && this.#links.get(address) === link) {
      this.#links.delete(address);
      await link.close();
    }
    return result;
  }

  async closeLink(address: string): Promise<void> {
    const link = this.#links.get(address);
    if (link === undefined) return;
    this.#links.delete(address);
    this.#routes.forget(address);
    this.#past.received += link.datagramsReceived;
    this.#past.sent += link.datagramsSent;
    await link.close();
  }

  onMessage(listener: (received: Received) => void): Cancel {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }

  onRaw(listener: (frame: RawFrame) => void): Cancel {
    this.#rawListeners.add(listener);
    return () => this.#rawListeners.delete(listener);
  }

  send(name: string, fields: Fields): void {
    const target = fields["target_system"];
    const route =
      typeof target === "number" && target > 0
        ? this.#routes.to(target, fields["target_component"], this.#options.clock.now_ms())
        : undefined;
    const one = route === undefined ? undefined : this.#links.get(route.link);
    const links = one === undefined ? [...this.#links.values()] : [one];
    for (const link of links) {
      link.send(name, fields, one === undefined ? undefined : route?.from, this.#eventsOf(link));
    }
  }

  forward(bytes: Uint8Array): void {
    const target = targetOf(bytes);
    const route =
      target === null ? undefined : this.#routes.to(target, undefined, this.#options.clock.now_ms());
    for (const link of this.#links.values()) {
      if (route === undefined || route.link === link.address) {
        link.forward(bytes, route?.from, this.#eventsOf(link));
      }
    }
  }

  status(): readonly LinkStatus[] {
    const primary = this.#routes.primaryLinks();
    return [...this.#links.values()].map((link) => link.status(primary.has(link.address)));
  }

  systems(): readonly SystemLinks[] {
    return this.#routes.systems();
  }

  choosePrimary(system_id: number, address: string | null): boolean {
    return this.#routes.choose(system_id, address);
  }

  senders(): readonly SenderLoss[] {
    return [...this.#links.values()].flatMap((link) => link.loss.senders());
  }

  datagrams(): { readonly received: number; readonly sent: number } {
    const total = { ...this.#past };
    for (const link of this.#links.values()) {
      total.received += link.datagramsReceived;
      total.sent += link.datagramsSent;
    }
    return total;
  }

  whenReceived(total: number): Promise<void> {
    if (this.datagrams().received >= total) return Promise.resolve();
    return new Promise((done) => {
      this.#waiters.push({ total, done });
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#links.keys()].map((address) => this.closeLink(address)));
    for (const waiter of this.#waiters) waiter.done();
    this.#waiters = [];
  }

  #release(): void {
    if (this.#waiters.length === 0) return;
    const { received } = this.datagrams();
    const due = this.#waiters.filter((waiter) => waiter.total <= received);
    this.#waiters = this.#waiters.filter((waiter) => waiter.total > received);
    for (const waiter of due) waiter.done();
  }

  #eventsOf(link: Link): LinkEvents {
    return {
      frame: (frame, from, at_ms) => {
        this.#receive(frame, link, from, at_ms);
      },
      sent: (bytes, at_ms) => {
        for (const listener of this.#rawListeners) {
          listener({ bytes, at_ms, link: link.address, direction: "out" });
        }
      },
    };
  }

  #receive(frame: FrameView, link: Link, from: string, at_ms: number): void {
    if (this.#rawListeners.size > 0) {
      const bytes = frame.bytes.slice(frame.start, frame.end);
      for (const listener of this.#rawListeners) {
        listener({ bytes, at_ms, link: link.address, direction: "in" });
      }
    }
    const { def, system_id, component_id } = frame;
    if (def === undefined) return;
    if (!this.#routes.note(system_id, component_id, link.address, from, at_ms)) return;
    const received: Received = {
      name: def.name,
      id: def.id,
      system_id,
      component_id,
      link: link.address,
      at_ms,
      bytes: frame.end - frame.start,
      fields: decodePayload(def, frame.bytes, frame.view, frame.payload_start, frame.payload_length),
    };
    for (const listener of this.#messageListeners) listener(received);
  }
}

/** The system that a frame is meant for; null for everyone. */
function targetOf(bytes: Uint8Array): number | null {
  const frame = emptyFrameView();
  if (inspectFrame(bytes, 0, bytes.length, frame) !== "frame") return null;
  const field = frame.def?.fields.find((f) => f.name === "target_system");
  if (field === undefined || field.offset >= frame.payload_length) return null;
  return bytes[frame.payload_start + field.offset] || null;
}
