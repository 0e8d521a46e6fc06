import type { LinkHub, Received } from "../../main/link/port";
import {
  itemFields,
  itemFrom,
  type MissionItem,
  type PlanKind,
} from "../../main/link/protocols/mission-item";
import type { FakeClock } from "./fake-clock";

const kinds: readonly PlanKind[] = ["mission", "fence", "rally"];
const station = { target_system: 255, target_component: 190 };

/** A vehicle's end of the mission protocol: asks for items one after the other and repeats itself over a bad link. */
export class FakeMission {
  readonly stored: Record<PlanKind, MissionItem[]> = { mission: [], fence: [], rally: [] };
  /** Keeps only so many items although it acknowledges them all (mavlink/MAVSDK#1745). */
  truncate = Number.POSITIVE_INFINITY;
  refuse: number | null = null;
  /** Complains once about the sequence in the middle of a transfer. */
  complainAt: number | null = null;
  uploads = 0;
  readonly #hub: LinkHub;
  readonly #clock: FakeClock;
  #incoming: { kind: PlanKind; count: number; items: MissionItem[] } | null = null;
  #cancel: () => void = () => {};

  constructor(hub: LinkHub, clock: FakeClock) {
    this.#hub = hub;
    this.#clock = clock;
    hub.onMessage((message) => this.#on(message));
  }

  #on({ name, fields }: Received): void {
    const kind = kinds[fields["mission_type"] as number] ?? "mission";
    const mission_type = fields["mission_type"];
    const list = this.stored[kind];
    if (name === "MISSION_COUNT") {
      if (this.refuse !== null) {
        this.#ack(kind, this.refuse);
        return;
      }
      if (this.#incoming?.items.length) return;
      this.#incoming = { kind, count: fields["count"] as number, items: [] };
      this.#ask();
    } else if (name === "MISSION_ITEM_INT") this.#item(fields, kind);
    else if (name === "MISSION_CLEAR_ALL") {
      this.stored[kind] = [];
      this.#ack(kind, 0);
    } else if (name === "MISSION_REQUEST_LIST") {
      this.#hub.send("MISSION_COUNT", { ...station, count: list.length, mission_type });
    } else if (name === "MISSION_REQUEST_INT") {
      const seq = fields["seq"] as number;
      const item = list[seq];
      if (item) this.#hub.send("MISSION_ITEM_INT", { ...station, ...itemFields(item, seq, kind) });
    }
  }

  #item(fields: Received["fields"], kind: PlanKind): void {
    const incoming = this.#incoming;
    const item = itemFrom(fields);
    if (incoming === null || item === null) {
      if (this.uploads > 0) this.#ack(kind, 0);
      return;
    }
    if (fields["seq"] !== incoming.items.length) {
      this.#ask();
      return;
    }
    incoming.items.push(item);
    if (incoming.items.length === this.complainAt) {
      this.complainAt = null;
      this.#ack(kind, 13);
    }
    if (incoming.items.length < incoming.count) this.#ask();
    else {
      this.#cancel();
      this.#incoming = null;
      this.uploads++;
      this.stored[incoming.kind] = incoming.items.slice(0, this.truncate);
      this.#ack(incoming.kind, 0);
    }
  }

  #ask(): void {
    const incoming = this.#incoming;
    if (incoming === null) return;
    this.#cancel();
    this.#cancel = this.#clock.after(900, () => this.#ask());
    const mission_type = kinds.indexOf(incoming.kind);
    this.#hub.send("MISSION_REQUEST_INT", { ...station, seq: incoming.items.length, mission_type });
  }

  #ack(kind: PlanKind, type: number): void {
    this.#hub.send("MISSION_ACK", { ...station, type, mission_type: kinds.indexOf(kind) });
  }
}
