import { err, ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../../platform/clock";
import type { Received } from "../port";
import {
  bitsFromValue,
  isParameterType,
  type ParameterEncoding,
  type ParameterType,
  sameValue,
  valueFromBits,
} from "./parameter-value";
import { listen, type ServiceTarget, type ServiceWire, to } from "./service";

export interface Parameter {
  readonly name: string;
  readonly value: number;
  readonly type: ParameterType;
  readonly index: number;
}

/** What has come so far. `count` is the vehicle's own word; it may differ between boots. */
export interface ParameterProgress {
  readonly received: number;
  readonly count: number | null;
}

export interface ParameterList {
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly count: number;
  /** Indices that never came although they were asked for again and again. */
  readonly missing: readonly number[];
}

export type WriteFailure =
  | { readonly kind: "unknown"; readonly text: string }
  | { readonly kind: "out_of_range"; readonly text: string }
  /** The vehicle kept or chose another value. */
  | { readonly kind: "different"; readonly value: number; readonly text: string }
  | { readonly kind: "unanswered"; readonly text: string };

/** Silence after which missing ones are asked for. */
const QUIET_ms = 700;
/** How many are asked for at once; more would swamp a slow radio. */
const BATCH = 25;
/** Rounds without a single new one, then the rest counts as missing. */
const ROUNDS = 12;
const LIST_TRIES = 12;
const WRITE_TRIES = 5;
const WRITE_TIMEOUT_ms = 800;
/** PX4 gives its hash an index that no parameter has. */
const NO_INDEX = 0xffff;

/**
 * All parameters of one vehicle: listed with gaps filled, read, written with the answer compared
 * (https://mavlink.io/en/services/parameter.html).
 */
export class ParameterService {
  readonly #wire: ServiceWire;
  readonly #clock: Clock;
  readonly #target: ServiceTarget;
  readonly #encoding: () => ParameterEncoding;
  readonly #byName = new Map<string, Parameter>();
  readonly #indices = new Set<number>();
  readonly #listeners = new Set<(parameter: Parameter) => void>();
  readonly #progress = new Set<(progress: ParameterProgress) => void>();
  readonly #unhear: Cancel;
  #count: number | null = null;
  #lastNews_ms = 0;
  #listing: Promise<Result<ParameterList, "unanswered">> | undefined;

  constructor(wire: ServiceWire, clock: Clock, target: ServiceTarget, encoding: () => ParameterEncoding) {
    this.#wire = wire;
    this.#clock = clock;
    this.#target = target;
    this.#encoding = encoding;
    this.#unhear = listen(wire, target, ["PARAM_VALUE"], (received) => {
      this.#onValue(received);
    });
  }

  get(name: string): Parameter | undefined {
    return this.#byName.get(name);
  }

  get all(): ReadonlyMap<string, Parameter> {
    return this.#byName;
  }

  get progress(): ParameterProgress {
    return { received: this.#indices.size, count: this.#count };
  }

  onProgress(listener: (progress: ParameterProgress) => void): Cancel {
    this.#progress.add(listener);
    return () => this.#progress.delete(listener);
  }

  /** Every value that arrives, asked for or changed by someone else. */
  onParameter(listener: (parameter: Parameter) => void): Cancel {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes over what is known from an earlier connection, after the vehicle's hash has been found to be the same. */
  restore(parameters: Iterable<Parameter>): void {
    for (const parameter of parameters) {
      this.#byName.set(parameter.name, parameter);
      this.#indices.add(parameter.index);
    }
    this.#count = this.#indices.size;
    this.#announce();
  }

  /** Downloads all. One download at a time: a second call joins the first. */
  list(): Promise<Result<ParameterList, "unanswered">> {
    this.#listing ??= this.#download().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Reads one by name; it need not be part of the list (PX4's _HASH_CHECK is not). */
  async read(name: string): Promise<Result<Parameter, "unanswered">> {
    for (let attempt = 0; attempt < WRITE_TRIES; attempt++) {
      const answer = this.#nextValue(name);
      this.#wire.send("PARAM_REQUEST_READ", { ...to(this.#target), param_id: name, param_index: -1 });
      const parameter = await answer;
      if (parameter !== null) return ok(parameter);
    }
    return err("unanswered");
  }

  /** Writes one and believes only what the vehicle then says its value is. */
  async write(name: string, value: number): Promise<Result<Parameter, WriteFailure>> {
    const known = this.#byName.get(name) ?? (await this.#known(name));
    if (known === undefined) {
      return err({ kind: "unknown", text: `the vehicle has no parameter ${name}` });
    }
    const bits = bitsFromValue(value, known.type, this.#encoding());
    if (!bits.ok) return err({ kind: "out_of_range", text: `${name}: ${bits.error}` });
    for (let attempt = 0; attempt < WRITE_TRIES; attempt++) {
      const answer = this.#nextValue(name);
      this.#wire.send("PARAM_SET", {
        ...to(this.#target),
        param_id: name,
        param_value: 0,
        param_value_bits: bits.value,
        param_type: known.type,
      });
      const parameter = await answer;
      if (parameter === null) continue;
      if (sameValue(parameter.value, value, known.type)) return ok(parameter);
      // A late answer to an earlier reading looks like a refusal: ask once more before saying so.
      const again = await this.read(name);
      if (again.ok && sameValue(again.value.value, value, known.type)) return again;
      if (again.ok && attempt > 0) {
        const text = `${name} stays at ${again.value.value}: the vehicle did not take ${value}`;
        return err({ kind: "different", value: again.value.value, text });
      }
    }
    return err({ kind: "unanswered", text: `${name}: no answer; it may or may not be ${value} now` });
  }

  close(): void {
    this.#unhear();
  }

  async #known(name: string): Promise<Parameter | undefined> {
    const read = await this.read(name);
    return read.ok ? read.value : undefined;
  }

  /** The next PARAM_VALUE of that name, or null after a while. */
  #nextValue(name: string): Promise<Parameter | null> {
    return new Promise((settle) => {
      const finish = (parameter: Parameter | null): void => {
        stop();
        cancel();
        settle(parameter);
      };
      const stop = this.onParameter((parameter) => {
        if (parameter.name === name) finish(parameter);
      });
      const cancel = this.#clock.after(WRITE_TIMEOUT_ms, () => finish(null));
    });
  }

  async #download(): Promise<Result<ParameterList, "unanswered">> {
    this.#forget();
    for (let attempt = 0; attempt < LIST_TRIES && this.progress.count === null; attempt++) {
      this.#lastNews_ms = this.#clock.now_ms();
      this.#wire.send("PARAM_REQUEST_LIST", to(this.#target));
      await this.#quiet();
    }
    if (this.progress.count === null) return err("unanswered");
    let fruitless = 0;
    while (this.#missing().length > 0 && fruitless < ROUNDS) {
      const before = this.#indices.size;
      for (const param_index of this.#missing().slice(0, BATCH)) {
        this.#wire.send("PARAM_REQUEST_READ", { ...to(this.#target), param_id: "", param_index });
      }
      this.#lastNews_ms = this.#clock.now_ms();
      await this.#quiet();
      fruitless = this.#indices.size > before ? 0 : fruitless + 1;
    }
    return ok({ parameters: this.#byName, count: this.progress.count, missing: this.#missing() });
  }

  #forget(): void {
    this.#indices.clear();
    this.#count = null;
  }

  #missing(): number[] {
    const missing: number[] = [];
    for (let index = 0; index < (this.#count ?? 0); index++) {
      if (!this.#indices.has(index)) missing.push(index);
    }
    return missing;
  }

  /** Resolves when nothing new has come for a while, or nothing is missing any more. */
  #quiet(): Promise<void> {
    return new Promise((done) => {
      const look = (): void => {
        const idle_ms = this.#clock.now_ms() - this.#lastNews_ms;
        const complete = this.#count !== null && this.#missing().length === 0;
        if (complete || idle_ms >= QUIET_ms) done();
        else this.#clock.after(Math.min(50, QUIET_ms - idle_ms), look);
      };
      look();
    });
  }

  #onValue(received: Received): void {
    const { param_id, param_value_bits, param_type, param_index, param_count } = received.fields;
    if (typeof param_id !== "string" || typeof param_value_bits !== "number") return;
    if (typeof param_index !== "number" || typeof param_count !== "number" || !isParameterType(param_type))
      return;
    const value = valueFromBits(param_value_bits, param_type, this.#encoding());
    // An answer to a reading by name may carry no index: keep the one that the list gave.
    const index = param_index === NO_INDEX ? (this.#byName.get(param_id)?.index ?? NO_INDEX) : param_index;
    const parameter: Parameter = { name: param_id, value, type: param_type, index };
    if (index !== NO_INDEX) {
      this.#byName.set(param_id, parameter);
      if (!this.#indices.has(index)) this.#lastNews_ms = this.#clock.now_ms();
      this.#indices.add(index);
      this.#count = param_count;
    }
    for (const listener of [...this.#listeners]) listener(parameter);
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#progress) listener(this.progress);
  }
}
