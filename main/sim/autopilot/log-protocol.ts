import { num } from "./fields";
import type { FlightLog } from "./flight-log";
import type { Incoming, Message } from "./port";
import { nothing, type Service } from "./service";

const chunk_bytes = 90;
/** About 330 kB/s at an exchange every 10 ms, what a real one gives. */
const chunks_per_tick = 36;

/** MAVLink's log protocol over the logs of the onboard logger: list, data in 90-byte pieces, erase. */
export class LogProtocol implements Service {
  readonly #log: FlightLog;
  #sending: { readonly id: number; at: number; readonly until: number } | null = null;

  constructor(log: FlightLog) {
    this.#log = log;
  }

  handle(m: Incoming): readonly Message[] {
    switch (m.name) {
      case "LOG_REQUEST_LIST":
        return this.#list(num(m, "start"), num(m, "end"));
      case "LOG_REQUEST_DATA": {
        const id = num(m, "id");
        const log = this.#log.logs.find((l) => l.id === id);
        if (!log) return nothing;
        const at = num(m, "ofs");
        this.#sending = { id, at, until: Math.min(log.bytes.length, at + num(m, "count")) };
        // A request at or past the end is answered with an empty piece, which says so.
        return at >= log.bytes.length ? [piece(id, at, new Uint8Array())] : nothing;
      }
      case "LOG_REQUEST_END":
        this.#sending = null;
        return nothing;
      case "LOG_ERASE":
        this.#sending = null;
        this.#log.erase();
        return nothing;
      default:
        return nothing;
    }
  }

  tick(): readonly Message[] {
    const s = this.#sending;
    const log = s && this.#log.logs.find((l) => l.id === s.id);
    if (!s || !log) return nothing;
    const out: Message[] = [];
    while (s.at < s.until && out.length < chunks_per_tick) {
      const end = Math.min(s.until, s.at + chunk_bytes);
      out.push(piece(s.id, s.at, log.bytes.subarray(s.at, end)));
      s.at = end;
    }
    if (s.at >= s.until) this.#sending = null;
    return out;
  }

  #list(start: number, end: number): readonly Message[] {
    const logs = this.#log.logs;
    const last = logs.at(-1)?.id ?? 0;
    const entry = (id: number, size: number): Message => ({
      name: "LOG_ENTRY",
      fields: { id, num_logs: logs.length, last_log_num: last, time_utc: 0, size },
    });
    if (logs.length === 0) return [entry(0, 0)];
    return logs.filter((l) => l.id >= start && l.id <= end).map((l) => entry(l.id, l.bytes.length));
  }
}

const piece = (id: number, ofs: number, bytes: Uint8Array): Message => ({
  name: "LOG_DATA",
  fields: { id, ofs, count: bytes.length, data: Array.from(bytes) },
});
