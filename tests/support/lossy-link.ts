import { ok } from "#contract/result";
import { type Faults, FaultyTransport } from "../../main/link/faulty";
import { createLinkHub } from "../../main/link/hub";
import type { LinkHub, Transport, TransportEvents } from "../../main/link/port";
import type { FakeClock } from "./fake-clock";

/** One end of a wire in memory: what is written here arrives there. */
class MemoryTransport implements Transport {
  readonly kind = "datagram";
  other: MemoryTransport | undefined;
  #events: TransportEvents | undefined;

  open(events: TransportEvents) {
    this.#events = events;
    return Promise.resolve(ok(undefined));
  }
  write(bytes: Uint8Array): number {
    this.other?.deliver(bytes.slice());
    return 1;
  }
  deliver(bytes: Uint8Array): void {
    this.#events?.data(bytes, "peer");
  }
  close(): Promise<void> {
    this.#events = undefined;
    return Promise.resolve();
  }
}

export interface LossyLink {
  /** 255/190. */
  readonly station: LinkHub;
  /** 1/1: whatever a test lets the vehicle say. */
  readonly vehicle: LinkHub;
  readonly faulty: FaultyTransport;
}

/** Two hubs over a wire with faults, on one clock; the wire is disturbed in both directions. */
export async function lossyLink(clock: FakeClock, faults: Faults = {}): Promise<LossyLink> {
  const [a, b] = [new MemoryTransport(), new MemoryTransport()];
  [a.other, b.other] = [b, a];
  const faulty = new FaultyTransport(a, faults, clock);
  const station = createLinkHub({ clock, transport: () => faulty });
  const vehicle = createLinkHub({ clock, transport: () => b, system_id: 1, component_id: 1 });
  await station.open("udpin://127.0.0.1:1");
  await vehicle.open("udpin://127.0.0.1:2");
  return { station, vehicle, faulty };
}
