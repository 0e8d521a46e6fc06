import type { ForwarderStatus } from "#contract/link-detail";
import { err, ok, type Result } from "#contract/result";
import { parseAddress } from "../../link/address";
import { type Forwarder, startForwarder } from "../../link/forwarder";
import type { LinkHub } from "../../link/port";
import { openTransport } from "../../link/transports";
import type { Clock } from "../../platform/clock";

/** Passes the vehicle's frames on to other ground stations. */
export class ForwardDesk {
  readonly #hub: LinkHub;
  readonly #clock: Clock;
  #forwarder: Forwarder | null = null;
  #address: string | null = null;
  #mayCommand = false;
  #reason = "";

  constructor(hub: LinkHub, clock: Clock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  async set(address: string | null, may_command: boolean): Promise<Result<void, string>> {
    if (this.#forwarder !== null && address === this.#address) {
      this.#mayCommand = may_command;
      this.#forwarder.mayCommand(may_command);
      return ok(undefined);
    }
    await this.close();
    this.#address = address;
    this.#mayCommand = may_command;
    this.#reason = "";
    if (address === null) return ok(undefined);
    const started = await this.#start(address);
    if (started.ok) {
      this.#forwarder = started.value;
      started.value.mayCommand(may_command);
      return ok(undefined);
    }
    this.#reason = started.error;
    return started;
  }

  status(): ForwarderStatus {
    const counts = this.#forwarder?.status ?? { to_stations_per_s: 0, held_back: 0, passed: 0 };
    return {
      address: this.#address,
      may_command: this.#mayCommand,
      state: this.#forwarder !== null ? "open" : this.#reason === "" ? "off" : "failed",
      reason: this.#reason,
      ...counts,
    };
  }

  async close(): Promise<void> {
    const forwarder = this.#forwarder;
    this.#forwarder = null;
    await forwarder?.close();
  }

  async #start(text: string): Promise<Result<Forwarder, string>> {
    const address = parseAddress(text);
    if (!address.ok) return err(address.error.message);
    if (address.value.kind === "replay") return err("Frames cannot be forwarded into a recording.");
    const started = await startForwarder(
      this.#hub,
      openTransport(address.value, text, this.#clock),
      this.#clock,
    );
    return started.ok ? started : err(started.error.message);
  }
}
