import { DamageReport } from "../damage";
import { OffsetList } from "../struct-column";
import { TimeScout } from "../time-frame";
import { type Layout, layoutOf } from "./format";

/** Records of one topic instance. Offsets point at the payload, behind the message id. */
export interface UlogTopic {
  readonly name: string;
  readonly instance: number;
  readonly layout: Layout;
  readonly offsets: OffsetList;
}

export interface UlogText {
  readonly at_s: number;
  readonly level: number;
  readonly tag: number | null;
  readonly text: string;
  /** Ends with a tab: the same is said by an event. */
  readonly echo: boolean;
}

export interface UlogParameter {
  readonly name: string;
  value: number;
  readonly changes: { at_s: number; value: number }[];
}

const utf8 = new TextDecoder();

/** What is kept of a scan. */
export type UlogFacts = Pick<
  UlogContent,
  | "topics"
  | "info"
  | "blobs"
  | "parameters"
  | "texts"
  | "dropouts"
  | "scout"
  | "damage"
  | "unreadable"
  | "truncated"
  | "header_us"
  | "records"
  | "short_records"
  | "unknown_records"
>;

/** Everything an ULog says, collected while it is scanned. Times are boot seconds. */
export class UlogContent {
  readonly #file_bytes: number;
  readonly formats = new Map<string, string>();
  readonly topics = new Map<string, UlogTopic>();
  /** By the id that data records carry. */
  readonly subscriptions: (UlogTopic | undefined)[] = [];
  readonly info = new Map<string, string | number>();
  readonly lists = new Map<string, string[]>();
  /** Values that are neither numbers nor texts, joined where they continue: packed event definitions. */
  readonly blobs = new Map<string, Uint8Array>();
  readonly parameters = new Map<string, UlogParameter>();
  readonly texts: UlogText[] = [];
  readonly dropouts: { at_s: number; duration_s: number }[] = [];
  readonly scout = new TimeScout();
  readonly damage = new DamageReport();
  readonly appended: number[] = [];
  readonly unreadable = new Set<string>();
  truncated: string | null = null;
  header_us = 0;
  records = 0;
  short_records = 0;
  unknown_records = 0;
  now_s = 0;
  started = false;

  constructor(file_bytes: number) {
    this.#file_bytes = file_bytes;
  }

  addFormat(body: Uint8Array): boolean {
    const text = utf8.decode(body);
    const colon = text.indexOf(":");
    if (colon <= 0 || !/^[\w-]+$/.test(text.slice(0, colon))) return false;
    this.formats.set(text.slice(0, colon), text.slice(colon + 1));
    return true;
  }

  /** Subscribes a message id to a topic; the same topic under a new id goes on in one list. */
  addSubscription(body: Uint8Array): boolean {
    if (body.length < 4) return false;
    const instance = body[0] as number;
    const id = (body[1] as number) | ((body[2] as number) << 8);
    const name = utf8.decode(body.subarray(3));
    if (!/^[\w-]+$/.test(name)) return false;
    this.started = true;
    const key = `${name}#${instance}`;
    let topic = this.topics.get(key);
    if (!topic) {
      const layout = layoutOf(name, this.formats);
      if (!layout) {
        this.unreadable.add(name);
        this.subscriptions[id] = undefined;
        return true;
      }
      topic = { name, instance, layout, offsets: new OffsetList(this.#file_bytes) };
      this.topics.set(key, topic);
    }
    this.subscriptions[id] = topic;
    return true;
  }

  /** "char[40] ver_sw" and its value: a text, a number, or the bytes of anything else. */
  #keyed(body: Uint8Array): { name: string; value: string | number | Uint8Array } | null {
    const length = body[0] ?? 0;
    if (length === 0 || 1 + length > body.length) return null;
    const match = /^([\w[\]]+) (.+)$/.exec(utf8.decode(body.subarray(1, 1 + length)));
    const [, type = "", name = ""] = match ?? [];
    if (!match || /[^\x20-\x7e]/.test(name)) return null;
    const data = body.subarray(1 + length);
    if (type.startsWith("char")) return { name, value: utf8.decode(data).replace(/\0+$/, "") };
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const read = NUMBERS[type];
    if (!read) return type.includes("[") ? { name, value: Uint8Array.from(data) } : null;
    return data.length < read.bytes ? null : { name, value: read.get(view) };
  }

  addInfo(body: Uint8Array): boolean {
    const found = this.#keyed(body);
    if (!found) return false;
    if (found.value instanceof Uint8Array) this.blobs.set(found.name, found.value);
    else this.info.set(found.name, found.value);
    return true;
  }

  addList(body: Uint8Array): boolean {
    const found = this.#keyed(body.subarray(1));
    if (!found) return false;
    if (found.value instanceof Uint8Array) {
      const before = body[0] === 1 ? this.blobs.get(found.name) : undefined;
      this.blobs.set(found.name, before ? Buffer.concat([before, found.value]) : found.value);
      return true;
    }
    const list = this.lists.get(found.name) ?? [];
    const before = body[0] === 1 ? list.pop() : undefined;
    list.push(`${before ?? ""}${found.value}`);
    this.lists.set(found.name, list);
    return true;
  }

  addParameter(body: Uint8Array): boolean {
    const found = this.#keyed(body);
    if (typeof found?.value !== "number") return false;
    const known = this.parameters.get(found.name);
    if (!known) this.parameters.set(found.name, { name: found.name, value: found.value, changes: [] });
    else if (!this.started) known.value = found.value;
    else if ((known.changes.at(-1)?.value ?? known.value) !== found.value)
      known.changes.push({ at_s: this.now_s, value: found.value });
    return true;
  }

  addText(body: Uint8Array, tagged: boolean): boolean {
    const head = tagged ? 11 : 9;
    if (body.length < head) return false;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const tag = tagged ? view.getUint16(1, true) : null;
    const at = tagged ? 3 : 1;
    const at_s = (view.getUint32(at + 4, true) * 4294967296 + view.getUint32(at, true)) / 1e6;
    // Levels are the ASCII digits 0 (emergency) to 7 (debug).
    const level = (body[0] as number) - 48;
    if (level < 0 || level > 7) return false;
    const text = utf8.decode(body.subarray(head));
    this.texts.push({ at_s, level, tag, text: text.trim(), echo: /\t\0*$/.test(text) });
    return true;
  }

  addDropout(body: Uint8Array): boolean {
    if (body.length < 2) return false;
    const duration_s = ((body[0] as number) | ((body[1] as number) << 8)) / 1000;
    this.dropouts.push({ at_s: this.now_s, duration_s });
    return true;
  }

  /** Flag bits; incompatible flags we do not know mean a log that must not be guessed at. */
  addFlags(body: Uint8Array): boolean {
    if (body.length < 40) return false;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    if ((body[8] as number) & 1)
      for (let i = 0; i < 3; i++) {
        const offset = view.getUint32(20 + i * 8, true) * 4294967296 + view.getUint32(16 + i * 8, true);
        if (offset > 0) this.appended.push(offset);
      }
    return true;
  }
}

const NUMBERS: Readonly<Record<string, { bytes: number; get: (view: DataView) => number }>> = {
  int8_t: { bytes: 1, get: (v) => v.getInt8(0) },
  uint8_t: { bytes: 1, get: (v) => v.getUint8(0) },
  bool: { bytes: 1, get: (v) => v.getUint8(0) },
  int16_t: { bytes: 2, get: (v) => v.getInt16(0, true) },
  uint16_t: { bytes: 2, get: (v) => v.getUint16(0, true) },
  int32_t: { bytes: 4, get: (v) => v.getInt32(0, true) },
  uint32_t: { bytes: 4, get: (v) => v.getUint32(0, true) },
  int64_t: { bytes: 8, get: (v) => Number(v.getBigInt64(0, true)) },
  uint64_t: { bytes: 8, get: (v) => Number(v.getBigUint64(0, true)) },
  float: { bytes: 4, get: (v) => v.getFloat32(0, true) },
  double: { bytes: 8, get: (v) => v.getFloat64(0, true) },
};
