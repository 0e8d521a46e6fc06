import { num } from "./fields";
import type { Incoming, Message } from "./port";
import { nothing, type Service } from "./service";

const ping_us = 10_000_000;

/** TIMESYNC requests answered with boot time in nanoseconds; PING answered, and sent every ten seconds. */
export class TimeService implements Service {
  #next_us = 2_000_000;
  #sequence = 0;

  handle(m: Incoming, now_us: number): readonly Message[] {
    const back = { target_system: m.system_id, target_component: m.component_id };
    if (m.name === "TIMESYNC" && num(m, "tc1") === 0) {
      const tc1 = BigInt(Math.round(now_us)) * 1000n;
      return [{ name: "TIMESYNC", fields: { tc1, ts1: m.fields["ts1"] ?? 0, ...back } }];
    }
    if (m.name === "PING" && num(m, "target_system") === 0 && num(m, "target_component") === 0) {
      const { time_usec = 0, seq = 0 } = m.fields;
      return [{ name: "PING", fields: { time_usec, seq, ...back } }];
    }
    return nothing;
  }

  tick(now_us: number): readonly Message[] {
    if (now_us < this.#next_us) return nothing;
    this.#next_us = now_us + ping_us;
    return [{ name: "PING", fields: { time_usec: now_us, seq: this.#sequence++ } }];
  }
}
