import { num } from "./fields";
import {
  judgeItem,
  judgePlan,
  missionResult,
  type PlanItem,
  type Plans,
  type PlanType,
  planTypes,
} from "./plan";
import type { Incoming, Message } from "./port";
import { nothing, type Service } from "./service";

const retry_us = 250_000;
const timeout_us = 5_000_000;
const most_items = 500;

interface Peer {
  readonly system_id: number;
  readonly component_id: number;
}
interface Upload {
  readonly from: Peer;
  readonly type: PlanType;
  readonly count: number;
  readonly items: PlanItem[];
  asked_us: number;
  heard_us: number;
}

const peerOf = (m: Incoming): Peer => ({ system_id: m.system_id, component_id: m.component_id });
const samePeer = (a: Peer, b: Peer): boolean =>
  a.system_id === b.system_id && a.component_id === b.component_id;
const planType = (m: Incoming): PlanType | null => {
  const t = num(m, "mission_type");
  return planTypes.find((p) => p === t) ?? null;
};
const to = (p: Peer): { target_system: number; target_component: number } => ({
  target_system: p.system_id,
  target_component: p.component_id,
});

/**
 * MAVLink's mission protocol as PX4 serves it, for mission, fence and rally points. The receiver of an upload asks for each
 * item and asks again after 250 ms; duplicates and late items change nothing; a plan is stored only when it is complete and
 * valid. Downloads need no state. The last acknowledgement is repeated when its loss makes the station repeat its last item.
 */
export class MissionProtocol implements Service {
  readonly #plans: Plans;
  readonly #changed: (type: PlanType) => void;
  #upload: Upload | null = null;
  #finished: {
    readonly from: Peer;
    readonly type: PlanType;
    readonly count: number;
    readonly result: number;
  } | null = null;

  constructor(plans: Plans, changed: (type: PlanType) => void) {
    this.#plans = plans;
    this.#changed = changed;
  }

  handle(m: Incoming, now_us: number): readonly Message[] {
    switch (m.name) {
      case "MISSION_COUNT":
        return this.#count(m, now_us);
      case "MISSION_ITEM_INT":
      case "MISSION_ITEM":
        return this.#item(m, now_us);
      case "MISSION_REQUEST_LIST":
        return this.#list(m);
      case "MISSION_REQUEST_INT":
      case "MISSION_REQUEST":
        return this.#request(m);
      case "MISSION_CLEAR_ALL":
        return this.#clear(m);
      case "MISSION_ACK":
        // A cancel by the station; its acknowledgement of a download needs nothing.
        if (this.#upload && samePeer(this.#upload.from, peerOf(m)) && num(m, "type") !== 0)
          this.#upload = null;
        return nothing;
      default:
        return nothing;
    }
  }

  tick(now_us: number): readonly Message[] {
    const up = this.#upload;
    if (!up) return nothing;
    if (now_us - up.heard_us > timeout_us) {
      this.#upload = null;
      return [this.#ack(up.from, up.type, missionResult.cancelled)];
    }
    return now_us - up.asked_us > retry_us ? [this.#ask(up, now_us)] : nothing;
  }

  #count(m: Incoming, now_us: number): readonly Message[] {
    const from = peerOf(m);
    const type = planType(m);
    const count = num(m, "count");
    if (type === null) return [this.#ack(from, 0, missionResult.unsupported)];
    if (count > most_items) return [this.#ack(from, type, missionResult.no_space)];
    const up = this.#upload;
    if (up && now_us - up.heard_us < timeout_us) {
      const repeated = samePeer(up.from, from) && up.type === type && up.count === count;
      if (!repeated && !samePeer(up.from, from)) return [this.#ack(from, type, missionResult.denied)];
      // A late copy of the count that began this upload: go on where we are.
      if (repeated && up.items.length > 0) return [this.#ask(up, now_us)];
    }
    if (count === 0) return this.#store(from, type, []);
    this.#upload = { from, type, count, items: [], asked_us: now_us, heard_us: now_us };
    return [this.#ask(this.#upload, now_us)];
  }

  #item(m: Incoming, now_us: number): readonly Message[] {
    const up = this.#upload;
    const from = peerOf(m);
    const type = planType(m);
    const seq = num(m, "seq");
    const done = this.#finished;
    if (!up) {
      const again = done && samePeer(done.from, from) && done.type === type && seq === done.count - 1;
      return again ? [this.#ack(from, done.type, done.result)] : nothing;
    }
    if (!samePeer(up.from, from) || up.type !== type) return nothing;
    up.heard_us = now_us;
    if (seq !== up.items.length) return nothing;
    const item = readItem(m);
    const verdict = judgeItem(up.type, item);
    if (verdict !== missionResult.accepted) return this.#finish(up, verdict);
    up.items.push(item);
    if (up.items.length < up.count) return [this.#ask(up, now_us)];
    const whole = judgePlan(up.type, up.items);
    if (whole !== missionResult.accepted) return this.#finish(up, whole);
    return this.#store(up.from, up.type, up.items);
  }

  #store(from: Peer, type: PlanType, items: readonly PlanItem[]): readonly Message[] {
    this.#plans.replace(type, items);
    this.#changed(type);
    return this.#finish({ from, type, count: items.length }, missionResult.accepted);
  }

  #finish(up: Pick<Upload, "from" | "type" | "count">, result: number): readonly Message[] {
    this.#upload = null;
    this.#finished = { from: up.from, type: up.type, count: up.count, result };
    return [this.#ack(up.from, up.type, result)];
  }

  #ask(up: Upload, now_us: number): Message {
    up.asked_us = now_us;
    return {
      name: "MISSION_REQUEST_INT",
      fields: { ...to(up.from), seq: up.items.length, mission_type: up.type },
    };
  }

  #ack(peer: Peer, type: PlanType, result: number): Message {
    return {
      name: "MISSION_ACK",
      fields: { ...to(peer), type: result, mission_type: type, opaque_id: this.#plans.id(type) },
    };
  }

  #list(m: Incoming): readonly Message[] {
    const type = planType(m);
    if (type === null) return [this.#ack(peerOf(m), 0, missionResult.unsupported)];
    return [
      {
        name: "MISSION_COUNT",
        fields: {
          ...to(peerOf(m)),
          count: this.#plans.items(type).length,
          mission_type: type,
          opaque_id: this.#plans.id(type),
        },
      },
    ];
  }

  #request(m: Incoming): readonly Message[] {
    const type = planType(m);
    const seq = num(m, "seq");
    const item = type === null ? undefined : this.#plans.items(type)[seq];
    if (type === null || !item) return [this.#ack(peerOf(m), type ?? 0, missionResult.invalid_sequence)];
    const int = m.name === "MISSION_REQUEST_INT";
    const [param1, param2, param3, param4] = item.params;
    return [
      {
        name: int ? "MISSION_ITEM_INT" : "MISSION_ITEM",
        fields: {
          ...to(peerOf(m)),
          seq,
          frame: item.frame,
          command: item.command,
          current: 0,
          autocontinue: item.autocontinue,
          param1,
          param2,
          param3,
          param4,
          x: int ? item.x : item.x / 1e7,
          y: int ? item.y : item.y / 1e7,
          z: item.z,
          mission_type: type,
        },
      },
    ];
  }

  #clear(m: Incoming): readonly Message[] {
    const all = num(m, "mission_type") === 255;
    const type = planType(m);
    if (!all && type === null) return [this.#ack(peerOf(m), 0, missionResult.unsupported)];
    for (const t of all ? planTypes : [type ?? 0]) {
      this.#plans.replace(t, []);
      this.#changed(t);
    }
    return [this.#ack(peerOf(m), type ?? 0, missionResult.accepted)];
  }
}

function readItem(m: Incoming): PlanItem {
  const unit = m.name === "MISSION_ITEM" ? 1e7 : 1;
  return {
    frame: num(m, "frame"),
    command: num(m, "command"),
    autocontinue: num(m, "autocontinue"),
    params: [num(m, "param1"), num(m, "param2"), num(m, "param3"), num(m, "param4")],
    x: Math.round(num(m, "x") * unit),
    y: Math.round(num(m, "y") * unit),
    z: num(m, "z"),
  };
}
