import { num, text } from "./fields";
import type { Parameter } from "./parameter-defaults";
import type { Parameters } from "./parameters";
import type { Incoming, Message } from "./port";
import { nothing, type Service } from "./service";

/** Of a running list: a thousand a second at an exchange every 10 ms. */
const per_tick = 10;

/** PARAM_VALUE fields carry the value itself; the codec packs integers into the float field bit by bit, as PX4 does. */
function value(parameters: Parameters, p: Parameter, index: number): Message {
  return {
    name: "PARAM_VALUE",
    fields: {
      param_id: p.name,
      param_value: p.value,
      param_type: p.type,
      param_count: parameters.count,
      param_index: index,
    },
  };
}

function hash(parameters: Parameters): Message {
  return {
    name: "PARAM_VALUE",
    fields: {
      param_id: "_HASH_CHECK",
      param_value: parameters.hash(),
      param_type: 5,
      param_count: parameters.count,
      param_index: 65535,
    },
  };
}

/** PX4's parameter protocol: a list streamed a few per tick, single reads by name or index, writes answered with the value. */
export class ParameterProtocol implements Service {
  readonly #p: Parameters;
  readonly #changed: (name: string) => void;
  #next: number | null = null;

  constructor(parameters: Parameters, changed: (name: string) => void) {
    this.#p = parameters;
    this.#changed = changed;
  }

  handle(message: Incoming): readonly Message[] {
    switch (message.name) {
      case "PARAM_REQUEST_LIST":
        this.#next = 0;
        return [hash(this.#p)];
      case "PARAM_REQUEST_READ":
        return this.#read(message);
      case "PARAM_SET":
        return this.#set(message);
      default:
        return nothing;
    }
  }

  /** The next part of a running list. */
  tick(): readonly Message[] {
    if (this.#next === null) return nothing;
    const out: Message[] = [];
    while (out.length < per_tick && this.#next < this.#p.count) {
      const p = this.#p.at(this.#next);
      if (p) out.push(value(this.#p, p, this.#next));
      this.#next++;
    }
    if (this.#next >= this.#p.count) this.#next = null;
    return out;
  }

  #read(message: Incoming): Message[] {
    const index = num(message, "param_index");
    const id = text(message, "param_id");
    if (index < 0 && id === "_HASH_CHECK") return [hash(this.#p)];
    const p = index >= 0 ? this.#p.at(index) : this.#p.find(id);
    return p ? [value(this.#p, p, this.#p.indexOf(p.name))] : [];
  }

  #set(message: Incoming): Message[] {
    const id = text(message, "param_id");
    const before = this.#p.find(id);
    if (!before) return [];
    // A type that does not fit changes nothing; the answer shows the value that holds.
    if (num(message, "param_type") === before.type && this.#p.set(id, num(message, "param_value"))) {
      this.#changed(id);
    }
    const after = this.#p.find(id) ?? before;
    return [value(this.#p, after, this.#p.indexOf(id))];
  }
}
