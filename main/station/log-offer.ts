import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import type { LogOffer } from "#contract/review";
import type { VehicleState } from "#contract/vehicle";
import type { LogEntry, LogService } from "../link/protocols/logs";
import type { Cancel, Clock } from "../platform/clock";
import { fileProblem } from "../review/workspace/files";

export interface LogOfferPorts {
  readonly clock: Clock;
  /** Logs of the connected vehicle; null while there is none. */
  readonly logs: () => Pick<LogService, "list" | "download"> | null;
  readonly onChange: (offer: LogOffer | null) => void;
}

/** The vehicle closes its log after disarming; asked sooner it would offer one that still grows. */
const CLOSING_MS = 4000;
const COMPANION =
  "A companion computer's own logs cannot be fetched over MAVLink's log protocol; copy them into the flight's folder.";
type Answer = { readonly ok: true; readonly value: { readonly path: string } } | Refusal;
type Refusal = { readonly ok: false; readonly reason: string };
const refuse = (reason: string): Refusal => ({ ok: false, reason });

interface Flight {
  readonly folder: string;
  readonly autopilot: VehicleState["autopilot"];
  readonly vehicle: string;
}

/**
 * After landing: asks the vehicle what logs it holds and offers to lay the flight's beside its recording. A fetch that
 * was stopped keeps what came and goes on from there; the finished file appears whole or not at all.
 */
export class LogOffers {
  readonly #ports: LogOfferPorts;
  #offer: LogOffer | null = null;
  #flight: Flight | null = null;
  #entries: readonly LogEntry[] = [];
  #armed = false;
  #asking: Cancel = () => {};
  #abort: AbortController | null = null;
  #next = 1;

  constructor(ports: LogOfferPorts) {
    this.#ports = ports;
  }

  get offer(): LogOffer | null {
    return this.#offer;
  }

  /** Called with every vehicle state and the folder of the running recording. */
  onVehicle(vehicle: VehicleState, folder: string | null): void {
    const landed = this.#armed && !vehicle.armed;
    if (vehicle.armed && !this.#armed) {
      // Fetching would take the link away from the flight.
      this.#abort?.abort();
      this.#asking();
      if (this.#offer?.state !== "fetching") this.#set(null);
    }
    this.#armed = vehicle.armed;
    if (!landed || folder === null) return;
    this.#flight = {
      folder,
      autopilot: vehicle.autopilot,
      vehicle: `${vehicle.autopilot} ${vehicle.type}`,
    };
    this.#asking();
    this.#asking = this.#ports.clock.after(CLOSING_MS, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    const flight = this.#flight;
    const logs = this.#ports.logs();
    if (flight === null || logs === null || this.#armed) return;
    const listed = await logs.list();
    if (!listed.ok || listed.value.length === 0 || !this.#landedWith(flight)) return;
    this.#entries = [...listed.value].sort((a, b) => (b.utc_s ?? 0) - (a.utc_s ?? 0) || b.id - a.id);
    this.#set({
      id: `offer-${this.#next++}`,
      vehicle: flight.vehicle,
      flight: basename(flight.folder),
      logs: this.#entries.map(({ id, size, utc_s }) => ({
        id,
        size_bytes: size,
        utc_ms: utc_s === null ? null : utc_s * 1000,
      })),
      state: "offered",
      received_bytes: 0,
      detail: "",
      companion: COMPANION,
    });
  }

  /** Asked after every wait: the next flight may have begun. */
  #landedWith(flight: Flight): boolean {
    return this.#flight === flight && !this.#armed;
  }

  async fetch(offer: string, log: number): Promise<Answer> {
    const current = this.#offer;
    const flight = this.#flight;
    if (current?.id !== offer || flight === null) return refuse("This offer is gone already.");
    if (current.state === "fetching") return refuse("This log is being fetched already.");
    const entry = this.#entries.find(({ id }) => id === log);
    if (entry === undefined) return refuse(`The vehicle offered no log ${log}.`);
    const logs = this.#ports.logs();
    if (logs === null)
      return refuse("The vehicle is no longer connected; connect it again to fetch its log.");
    const target = join(
      flight.folder,
      `vehicle-log-${entry.id}.${flight.autopilot === "ardupilot" ? "bin" : "ulg"}`,
    );
    const abort = new AbortController();
    this.#abort = abort;
    const answer = await this.#download(logs, entry, target, abort.signal);
    this.#abort = null;
    const now = this.#offer;
    if (now?.id === offer)
      this.#set({
        ...now,
        state: answer.ok ? "stored" : abort.signal.aborted ? "offered" : "failed",
        detail: answer.ok ? answer.value.path : answer.reason,
      });
    return answer;
  }

  /** Ends a fetch, or takes the offer away. */
  dismiss(offer: string): boolean {
    if (this.#offer?.id !== offer) return false;
    if (this.#abort !== null) this.#abort.abort();
    else this.#set(null);
    return true;
  }

  close(): void {
    this.#abort?.abort();
    this.#asking();
  }

  async #download(
    logs: Pick<LogService, "download">,
    entry: LogEntry,
    target: string,
    signal: AbortSignal,
  ): Promise<Answer> {
    if (existsSync(target)) {
      if (statSync(target).size === entry.size) return { ok: true, value: { path: target } };
      return refuse(`${target} exists already and is another log; move it away first.`);
    }
    const part = `${target}.part`;
    let file: number | null = null;
    const disk: { problem: string | null } = { problem: null };
    try {
      const have = existsSync(part) ? Math.min(statSync(part).size, entry.size) : 0;
      file = openSync(part, have > 0 ? "r+" : "w");
      const open = file;
      const stop = new AbortController();
      const onAbort = (): void => {
        stop.abort();
      };
      signal.addEventListener("abort", onAbort);
      const sink = {
        write: (offset: number, bytes: Uint8Array): void => {
          if (disk.problem !== null) return;
          try {
            writeSync(open, bytes, 0, bytes.length, offset);
          } catch (error) {
            disk.problem = fileProblem("Storing the log as", target, error);
            stop.abort();
          }
        },
      };
      const result = await logs.download(entry, sink, {
        from: have,
        signal: stop.signal,
        onProgress: (received) => {
          this.#progress(received);
        },
      });
      signal.removeEventListener("abort", onAbort);
      if (!result.ok) ftruncateSync(open, result.error.have);
      closeSync(open);
      file = null;
      if (disk.problem !== null) {
        rmSync(part, { force: true });
        return refuse(disk.problem);
      }
      if (!result.ok)
        return refuse(
          result.error.kind === "cancelled"
            ? "Stopped; what came is kept, the next fetch goes on from there."
            : `${result.error.text}; what came is kept, the next fetch goes on from there.`,
        );
      renameSync(part, target);
      return { ok: true, value: { path: target } };
    } catch (error) {
      if (file !== null) closeSync(file);
      return refuse(fileProblem("Storing the log as", target, error));
    }
  }

  #progress(received_bytes: number): void {
    if (this.#offer !== null) this.#set({ ...this.#offer, state: "fetching", received_bytes });
  }

  #set(offer: LogOffer | null): void {
    this.#offer = offer;
    this.#ports.onChange(offer);
  }
}
