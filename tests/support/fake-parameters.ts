import type { LinkHub, Received } from "../../main/link/port";
import {
  bitsFromValue,
  type ParameterEncoding,
  type ParameterType,
  valueFromBits,
} from "../../main/link/protocols/parameter-value";
import type { Cancel } from "../../main/platform/clock";
import type { FakeClock } from "./fake-clock";

export interface FakeParameter {
  readonly name: string;
  value: number;
  readonly type: ParameterType;
}

/** A vehicle's end of the parameter protocol, with the ways it can misbehave. */
export class FakeParameters {
  readonly parameters: FakeParameter[];
  /** Indices that it never sends. */
  readonly hidden = new Set<number>();
  /** Says nothing until then. */
  silentUntil_ms = 0;
  /** Keeps its own value whatever is written. */
  readonly stubborn = new Set<string>();
  writes = 0;
  readonly #hub: LinkHub;
  readonly #clock: FakeClock;
  readonly #encoding: ParameterEncoding;
  readonly #cancels: Cancel[] = [];

  constructor(hub: LinkHub, clock: FakeClock, parameters: FakeParameter[], encoding: ParameterEncoding) {
    this.#hub = hub;
    this.#clock = clock;
    this.parameters = parameters;
    this.#encoding = encoding;
    this.#cancels.push(hub.onMessage((message) => this.#on(message)));
  }

  #on({ name, fields }: Received): void {
    if (this.#clock.now_ms() < this.silentUntil_ms) return;
    if (name === "PARAM_REQUEST_LIST") {
      this.parameters.forEach((_, index) => {
        this.#clock.after(index * 1, () => this.#send(index));
      });
    } else if (name === "PARAM_REQUEST_READ") {
      const index = fields["param_index"] as number;
      this.#send(index >= 0 ? index : this.parameters.findIndex((p) => p.name === fields["param_id"]));
    } else if (name === "PARAM_SET") {
      const index = this.parameters.findIndex((p) => p.name === fields["param_id"]);
      const parameter = this.parameters[index];
      if (parameter === undefined) return;
      this.writes++;
      if (!this.stubborn.has(parameter.name)) {
        parameter.value = valueFromBits(fields["param_value_bits"] as number, parameter.type, this.#encoding);
      }
      this.#send(index);
    }
  }

  #send(index: number): void {
    const parameter = this.parameters[index];
    if (parameter === undefined || this.hidden.has(index) || this.#clock.now_ms() < this.silentUntil_ms)
      return;
    const bits = bitsFromValue(parameter.value, parameter.type, this.#encoding);
    this.#hub.send("PARAM_VALUE", {
      param_id: parameter.name,
      param_value: 0,
      param_value_bits: bits.ok ? bits.value : 0,
      param_type: parameter.type,
      param_count: this.parameters.length,
      param_index: index,
    });
  }
}
