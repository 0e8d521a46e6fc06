import { DamageReport } from "../damage";
import { MessageIndex } from "../message-index";
import { OffsetList } from "../struct-column";
import { type TimeFrame, TimeScout } from "../time-frame";

/** Stands for an object of one of review's own classes among plain data. */
const TAG = "kingfisher:class";

/**
 * Plain data of an index: the few classes in it become what they hold. Objects that are shared stay shared, and typed
 * arrays are not copied.
 */
export function pack(value: unknown): unknown {
  const seen = new Map<object, unknown>();
  const walk = (of: unknown): unknown => {
    if (of === null || typeof of !== "object" || ArrayBuffer.isView(of)) return of;
    const known = seen.get(of);
    if (known !== undefined) return known;
    const tagged = tag(of);
    if (tagged) {
      seen.set(of, tagged);
      return tagged;
    }
    if (of instanceof Set) return of;
    if (of instanceof Map) {
      const out = new Map<unknown, unknown>();
      seen.set(of, out);
      for (const [key, item] of of) out.set(key, walk(item));
      return out;
    }
    if (Array.isArray(of)) {
      const out: unknown[] = [];
      seen.set(of, out);
      for (const item of of as readonly unknown[]) out.push(walk(item));
      return out;
    }
    const out: Record<string, unknown> = {};
    seen.set(of, out);
    for (const [key, item] of Object.entries(of)) if (typeof item !== "function") out[key] = walk(item);
    return out;
  };
  return walk(value);
}

function tag(of: object): Record<string, unknown> | null {
  if (of instanceof OffsetList) return { [TAG]: "offsets", values: of.values };
  if (of instanceof MessageIndex) return { [TAG]: "messages", ...of.arrays() };
  if (of instanceof TimeScout) return { [TAG]: "scout", frame: of.frame() };
  if (of instanceof DamageReport) return { [TAG]: "damage", notes: of.notes };
  return null;
}

/** Undoes `pack`, in place. Throws when a class is not known. */
export function unpack(value: unknown): unknown {
  const seen = new Map<object, unknown>();
  const walk = (of: unknown): unknown => {
    if (of === null || typeof of !== "object" || ArrayBuffer.isView(of) || of instanceof Set) return of;
    const known = seen.get(of);
    if (known !== undefined) return known;
    if (TAG in of) {
      const restored = untag(of);
      seen.set(of, restored);
      return restored;
    }
    seen.set(of, of);
    if (of instanceof Map) for (const [key, item] of of) of.set(key, walk(item));
    else if (Array.isArray(of)) for (let i = 0; i < of.length; i++) of[i] = walk(of[i]);
    else for (const [key, item] of Object.entries(of)) (of as Record<string, unknown>)[key] = walk(item);
    return of;
  };
  return walk(value);
}

function untag(of: Record<string, unknown>): object {
  switch (of[TAG]) {
    case "offsets":
      return OffsetList.of(of["values"] as Uint32Array | Float64Array);
    case "messages":
      return MessageIndex.of(of as unknown as ReturnType<MessageIndex["arrays"]>);
    case "scout":
      return TimeScout.of(of["frame"] as TimeFrame);
    case "damage":
      return DamageReport.of(of["notes"] as readonly string[]);
    default:
      throw new Error("not an index");
  }
}
