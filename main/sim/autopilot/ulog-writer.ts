/**
 * Writes PX4's ULog format, version 1 (docs.px4.io, "ULog File Format"): header and flag bits, then definitions, then
 * subscriptions and data. Little-endian throughout. Grows in memory; `bytes` gives the whole file at any moment.
 */
export type UlogType =
  | "uint8_t"
  | "int8_t"
  | "uint16_t"
  | "uint32_t"
  | "int32_t"
  | "uint64_t"
  | "float"
  | "bool";

export interface UlogField {
  readonly type: UlogType;
  readonly name: string;
  /** Elements, for an array. */
  readonly count?: number;
}
export type UlogValue = number | readonly number[];

const sizes: Readonly<Record<UlogType, number>> = {
  uint8_t: 1,
  int8_t: 1,
  bool: 1,
  uint16_t: 2,
  uint32_t: 4,
  int32_t: 4,
  float: 4,
  uint64_t: 8,
};
const magic = [0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, 0x01];

interface Topic {
  readonly id: number;
  readonly fields: readonly UlogField[];
  readonly size: number;
}

export class UlogWriter {
  #buffer = new Uint8Array(1 << 16);
  #view = new DataView(this.#buffer.buffer);
  #length = 0;
  readonly #topics = new Map<string, Topic>();

  constructor(start_us: number) {
    this.#reserve(16);
    this.#buffer.set(magic, 0);
    this.#view.setBigUint64(8, BigInt(Math.round(start_us)), true);
    this.#length = 16;
    this.#message("B", 40, () => undefined);
  }

  get size(): number {
    return this.#length;
  }
  bytes(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  info(key: string, value: string): void {
    const name = ascii(`char[${String(value.length)}] ${key}`);
    const text = ascii(value);
    this.#message("I", 1 + name.length + text.length, (at) => {
      this.#view.setUint8(at, name.length);
      this.#buffer.set(name, at + 1);
      this.#buffer.set(text, at + 1 + name.length);
    });
  }

  parameter(name: string, type: "int32_t" | "float", value: number): void {
    const key = ascii(`${type} ${name}`);
    this.#message("P", 1 + key.length + 4, (at) => {
      this.#view.setUint8(at, key.length);
      this.#buffer.set(key, at + 1);
      const put = at + 1 + key.length;
      if (type === "float") this.#view.setFloat32(put, value, true);
      else this.#view.setInt32(put, value, true);
    });
  }

  /** A topic's format; the first field must be `uint64_t timestamp`. All formats come before the first subscription. */
  format(name: string, fields: readonly UlogField[]): void {
    const words = fields.map(
      (f) => `${f.type}${f.count === undefined ? "" : `[${String(f.count)}]`} ${f.name};`,
    );
    const text = ascii(`${name}:${words.join("")}`);
    this.#message("F", text.length, (at) => {
      this.#buffer.set(text, at);
    });
    const size = fields.reduce((sum, f) => sum + sizes[f.type] * (f.count ?? 1), 0);
    this.#topics.set(name, { id: this.#topics.size, fields, size });
  }

  subscribe(name: string): void {
    const topic = this.#topic(name);
    const text = ascii(name);
    this.#message("A", 3 + text.length, (at) => {
      this.#view.setUint8(at, 0);
      this.#view.setUint16(at + 1, topic.id, true);
      this.#buffer.set(text, at + 3);
    });
  }

  /** One record; values in the order of the fields. */
  data(name: string, values: readonly UlogValue[]): void {
    const topic = this.#topic(name);
    this.#message("D", 2 + topic.size, (start) => {
      this.#view.setUint16(start, topic.id, true);
      let at = start + 2;
      topic.fields.forEach((field, i) => {
        const value = values[i] ?? 0;
        for (let k = 0; k < (field.count ?? 1); k++) {
          this.#put(at, field.type, typeof value === "number" ? value : (value[k] ?? 0));
          at += sizes[field.type];
        }
      });
    });
  }

  log(severity: number, time_us: number, message: string): void {
    const text = ascii(message);
    this.#message("L", 9 + text.length, (at) => {
      this.#view.setUint8(at, 48 + severity);
      this.#view.setBigUint64(at + 1, BigInt(Math.round(time_us)), true);
      this.#buffer.set(text, at + 9);
    });
  }

  #topic(name: string): Topic {
    const topic = this.#topics.get(name);
    if (!topic) throw new Error(`Invariant: ULog topic ${name} has no format`);
    return topic;
  }

  #put(at: number, type: UlogType, value: number): void {
    switch (type) {
      case "uint8_t":
      case "bool":
        this.#view.setUint8(at, value);
        return;
      case "int8_t":
        this.#view.setInt8(at, value);
        return;
      case "uint16_t":
        this.#view.setUint16(at, value, true);
        return;
      case "uint32_t":
        this.#view.setUint32(at, value, true);
        return;
      case "int32_t":
        this.#view.setInt32(at, value, true);
        return;
      case "float":
        this.#view.setFloat32(at, value, true);
        return;
      case "uint64_t":
        this.#view.setBigUint64(at, BigInt(Math.round(value)), true);
    }
  }

  #message(type: string, size: number, fill: (at: number) => void): void {
    this.#reserve(3 + size);
    this.#view.setUint16(this.#length, size, true);
    this.#view.setUint8(this.#length + 2, type.charCodeAt(0));
    fill(this.#length + 3);
    this.#length += 3 + size;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const grown = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + more));
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const ascii = (text: string): Uint8Array =>
  Uint8Array.from(text, (c) => {
    const code = c.charCodeAt(0);
    return code < 128 ? code : 63;
  });
