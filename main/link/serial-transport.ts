import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";
import type { LinkProblem, Transport, TransportEvents } from "./port";
import { serialProblem } from "./serial-problems";

export interface SerialPortInfo {
  readonly path: string;
  readonly serial_number: string | null;
  readonly vendor_id: string | null;
  readonly product_id: string | null;
  readonly manufacturer: string | null;
}

export interface SerialHandle {
  write(bytes: Uint8Array): void;
  close(): Promise<void>;
}

/** The serial ports of a computer. */
export interface SerialPorts {
  list(): Promise<readonly SerialPortInfo[]>;
  /** Rejects with the system's error. */
  open(
    path: string,
    baud: number,
    events: { data(bytes: Uint8Array): void; closed(): void },
  ): Promise<SerialHandle>;
}

export interface SerialOptions {
  readonly address: string;
  readonly path: string;
  readonly baud: number;
}

const RETRY_ms = 1000;
/** An unplugged port need not say so; a port that has spoken and falls silent for so long is opened afresh. */
const WATCHDOG_ms = 5000;

/**
 * One autopilot on a serial port. Unplugged and plugged in again it may have another name: it is found by its USB serial
 * number, and only without one by its path.
 */
export class SerialTransport implements Transport {
  readonly kind = "stream";
  readonly #options: SerialOptions;
  readonly #ports: SerialPorts;
  readonly #clock: Clock;
  #serialNumber: string | null = null;
  #handle: SerialHandle | undefined;
  #lastData_ms = 0;
  #spoke = false;
  #closed = false;
  #generation = 0;
  #cancelTimer: Cancel = () => {};

  constructor(options: SerialOptions, ports: SerialPorts, clock: Clock) {
    this.#options = options;
    this.#ports = ports;
    this.#clock = clock;
  }

  async open(events: TransportEvents): Promise<Result<void, LinkProblem>> {
    try {
      await this.#connect(this.#options.path, events);
    } catch (error) {
      return err(serialProblem(error, this.#options.path));
    }
    const known = (await this.#list()).find((port) => port.path === this.#options.path);
    this.#serialNumber = known?.serial_number ?? null;
    this.#watch(events);
    return ok(undefined);
  }

  write(bytes: Uint8Array): number {
    if (this.#handle === undefined) return 0;
    this.#handle.write(bytes);
    return 1;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer();
    await this.#drop();
  }

  async #connect(path: string, events: TransportEvents): Promise<void> {
    const generation = ++this.#generation;
    const handle = await this.#ports.open(path, this.#options.baud, {
      data: (bytes) => {
        if (generation !== this.#generation) return;
        this.#lastData_ms = this.#clock.now_ms();
        this.#spoke = true;
        events.data(bytes, "");
      },
      closed: () => {
        if (generation === this.#generation && !this.#closed) this.#lost("unplugged", events);
      },
    });
    if (this.#closed) {
      await handle.close();
      return;
    }
    this.#handle = handle;
    this.#lastData_ms = this.#clock.now_ms();
    events.up();
  }

  #watch(events: TransportEvents): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.every(RETRY_ms, () => {
      if (this.#spoke && this.#clock.now_ms() - this.#lastData_ms > WATCHDOG_ms) {
        this.#lost("silent", events);
      }
    });
  }

  #lost(how: "unplugged" | "silent", events: TransportEvents): void {
    this.#cancelTimer();
    this.#spoke = false;
    void this.#drop();
    events.down(
      how === "unplugged"
        ? `${this.#options.path} was unplugged; plug it in again, under any name`
        : `${this.#options.path} fell silent; opening it again`,
    );
    this.#retry(events);
  }

  #retry(events: TransportEvents): void {
    if (this.#closed) return;
    this.#cancelTimer = this.#clock.after(RETRY_ms, () => {
      void this.#reconnect(events);
    });
  }

  async #reconnect(events: TransportEvents): Promise<void> {
    const ports = await this.#list();
    const again =
      this.#serialNumber === null
        ? this.#options.path
        : ports.find((port) => port.serial_number === this.#serialNumber)?.path;
    try {
      if (again === undefined) throw new Error("not plugged in");
      await this.#connect(again, events);
      this.#watch(events);
    } catch {
      this.#retry(events);
    }
  }

  async #list(): Promise<readonly SerialPortInfo[]> {
    try {
      return await this.#ports.list();
    } catch {
      return [];
    }
  }

  async #drop(): Promise<void> {
    this.#generation++;
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      await handle?.close();
    } catch {
      // It is gone already.
    }
  }
}
