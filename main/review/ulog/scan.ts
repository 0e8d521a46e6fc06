import type { Window } from "../source";
import { UlogContent } from "./content";

export const ULOG_MAGIC = Uint8Array.of(0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35);
const HEADER_BYTES = 16;
const HEAD = 3;
const LONGEST = HEAD + 65_535;
/** Records that must follow each other before a place after damage is believed. */
const CHAIN = 4;
const SYNC = Uint8Array.of(0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12);

const code = (letter: string): number => letter.charCodeAt(0);
const T = {
  flags: code("B"),
  format: code("F"),
  info: code("I"),
  list: code("M"),
  parameter: code("P"),
  defaults: code("Q"),
  subscribe: code("A"),
  unsubscribe: code("R"),
  data: code("D"),
  text: code("L"),
  tagged: code("C"),
  sync: code("S"),
  dropout: code("O"),
} as const;
const KNOWN = new Uint8Array(256);
for (const type of Object.values(T)) KNOWN[type] = 1;

export const isUlog = (head: Uint8Array): boolean => ULOG_MAGIC.every((byte, i) => head[i] === byte);

/**
 * Indexes an ULog (https://docs.px4.io/main/en/dev_log/ulog_file_format): where each topic's records lie, and
 * everything else it says. One pass; data records are not decoded, only their time is looked at. After damage the
 * next chain of records that makes sense goes on.
 */
export function scanUlog(window: Window): UlogContent {
  const content = new UlogContent(window.size);
  const { size } = window;
  if (size < HEADER_BYTES) {
    content.truncated = `cut at byte ${size}, inside the header`;
    return content;
  }
  window.load(0, HEADER_BYTES);
  content.header_us = window.view.getUint32(12, true) * 4294967296 + window.view.getUint32(8, true);
  let at = HEADER_BYTES;
  let previous = at;
  /** Where appended data begins, if the log has any: a record before it may have been cut there. */
  let limit = size;
  let day_s = Number.NaN;

  while (at < size) {
    if (at + HEAD > limit || !window.load(at, HEAD)) {
      if (limit < size) {
        at = limit;
        limit = nextLimit(content, at, size);
        continue;
      }
      content.truncated = `cut at byte ${size}: the last ${size - at} bytes are no record`;
      break;
    }
    const { bytes, view, base, end } = window;
    const i = at - base;
    const length = (bytes[i] as number) | ((bytes[i + 1] as number) << 8);
    const type = bytes[i + 2] as number;
    const next = at + HEAD + length;
    let good = false;
    if (next > limit) {
      if (limit < size) {
        at = limit;
        limit = nextLimit(content, at, size);
        continue;
      }
      if (KNOWN[type] && size - at <= LONGEST && resync(window, content, at + 1, size) < 0) {
        content.truncated = `cut at byte ${size}, in the middle of the record that began at byte ${at}`;
        break;
      }
    } else if (type === T.data) {
      if (next > end && !window.load(at, HEAD + length)) break;
      if (next > end) continue;
      const id = length >= 2 ? (bytes[i + 3] as number) | ((bytes[i + 4] as number) << 8) : -1;
      const topic = content.subscriptions[id];
      if (topic) {
        const { layout } = topic;
        const payload = length - 2;
        if (payload <= layout.bytes && payload >= layout.bytes - layout.padding) {
          good = true;
          const { time_offset } = layout;
          if (time_offset >= 0) {
            const t = i + 5 + time_offset;
            const t_us = view.getUint32(t + 4, true) * 4294967296 + view.getUint32(t, true);
            // Topics that were never stamped carry 0: they count as the log's start.
            if (t_us > 0) {
              const t_s = t_us / 1e6;
              content.scout.add(t_s);
              if (!(Math.abs(t_s - day_s) > 86_400)) content.now_s = t_s;
              day_s = t_s;
            }
          }
          topic.offsets.push(at + HEAD + 2);
          content.records += 1;
        } else if (plausible(window, content, next, size)) {
          content.short_records += 1;
          good = true;
        }
      } else if (id >= 0 && plausible(window, content, next, size)) {
        content.unknown_records += 1;
        good = true;
      }
    } else if (KNOWN[type]) {
      good = window.load(at, HEAD + length);
      if (good) {
        const start = at + HEAD - window.base;
        good = record(content, type, window.bytes.subarray(start, start + length));
        if (type === T.flags) limit = nextLimit(content, at, size);
      }
    }
    if (good) {
      previous = at;
      at = next;
      continue;
    }
    if (KNOWN[type] && type !== T.data && next <= limit && chained(window, content, next, size)) {
      content.damage.skipped(at, next, "hold a record that cannot be read");
      at = next;
      continue;
    }
    // A damaged length may have led past good records: search from behind the last record that proves itself.
    const from = Math.max(previous + 1, at === HEADER_BYTES ? at + 1 : Math.min(at + 1, previous + HEAD + 1));
    const found = resync(window, content, isSolid(window, content, previous) ? at + 1 : from, size);
    if (found < 0) {
      content.damage.skipped(at, size);
      break;
    }
    content.damage.skipped(Math.min(at, found), found);
    at = found;
    previous = found;
  }
  return content;
}

/** The next start of appended data after `at`, or the end of the file. */
function nextLimit(content: UlogContent, at: number, size: number): number {
  for (const offset of content.appended) if (offset > at && offset < size) return offset;
  return size;
}

function record(content: UlogContent, type: number, body: Uint8Array): boolean {
  switch (type) {
    case T.format:
      return content.addFormat(body);
    case T.subscribe:
      return content.addSubscription(body);
    case T.info:
      return content.addInfo(body);
    case T.list:
      return content.addList(body);
    case T.parameter:
      return content.addParameter(body);
    case T.text:
      return content.addText(body, false);
    case T.tagged:
      return content.addText(body, true);
    case T.dropout:
      return content.addDropout(body);
    case T.flags:
      return content.addFlags(body);
    case T.sync:
      return body.length === SYNC.length && SYNC.every((byte, i) => body[i] === byte);
    default:
      return type === T.defaults || type === T.unsubscribe;
  }
}

/** A data record of exactly its topic's size, or a synchronisation mark, cannot be there by chance. */
function isSolid(window: Window, content: UlogContent, at: number): boolean {
  if (!window.load(at, HEAD + 8)) return false;
  const i = at - window.base;
  const type = window.bytes[i + 2] as number;
  if (type === T.sync) return SYNC.every((byte, k) => window.bytes[i + HEAD + k] === byte);
  if (type !== T.data) return false;
  const topic = content.subscriptions[window.view.getUint16(i + HEAD, true)];
  return topic !== undefined;
}

/** Whether the bytes at `at` could begin a record: its end, or the type and size of a known one. */
function plausible(window: Window, content: UlogContent, at: number, size: number): boolean {
  if (at === size) return true;
  if (!window.load(at, Math.min(HEAD + 2, size - at)) || at + HEAD > size) return false;
  const i = at - window.base;
  const type = window.bytes[i + 2] as number;
  const length = window.view.getUint16(i, true);
  if (!KNOWN[type] || at + HEAD + length > size) return false;
  if (type !== T.data) return length > 0 && length < 8192;
  if (length < 2) return false;
  const topic = content.subscriptions[window.view.getUint16(i + HEAD, true)];
  if (!topic) return false;
  const payload = length - 2;
  return payload <= topic.layout.bytes && payload >= topic.layout.bytes - topic.layout.padding;
}

/** The first offset from `from` on where a chain of records makes sense, or -1. */
function resync(window: Window, content: UlogContent, from: number, size: number): number {
  for (let at = from; at + HEAD <= size; at++) {
    if (at < size && chained(window, content, at, size)) return at;
  }
  return -1;
}

/** Whether several records that make sense follow each other from `at` on, or the file ends after them. */
function chained(window: Window, content: UlogContent, at: number, size: number): boolean {
  let next = at;
  let seen = 0;
  while (seen < CHAIN && next < size && plausible(window, content, next, size)) {
    window.load(next, HEAD);
    next += HEAD + window.view.getUint16(next - window.base, true);
    seen += 1;
  }
  return seen === CHAIN || next === size;
}
