/** Numbers, texts and flags inside decoded messages, addressed by path: `position_enu_m[2]`, `battery.remaining`. */
export type Leaf = number | string | boolean | bigint | null;

/** Longer arrays are data (point clouds, pictures), not fields. */
const MAX_ARRAY = 32;
const MAX_DEPTH = 8;

/** Calls `visit` for every leaf of `value`. Bytes and long arrays are left out. */
export function visitLeaves(
  value: unknown,
  visit: (path: string, leaf: Leaf) => void,
  path = "",
  depth = 0,
): void {
  if (value === null || typeof value !== "object") {
    if (typeof value === "undefined" || typeof value === "function" || typeof value === "symbol") return;
    if (path !== "") visit(path, value as Leaf);
    return;
  }
  if (depth >= MAX_DEPTH || value instanceof Uint8Array) return;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const items = value as unknown as ArrayLike<unknown>;
    if (items.length > MAX_ARRAY) return;
    for (let i = 0; i < items.length; i++) visitLeaves(items[i], visit, `${path}[${i}]`, depth + 1);
    return;
  }
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    visitLeaves(member, visit, path === "" ? key : `${path}.${key}`, depth + 1);
  }
}

export const leafNumber = (leaf: Leaf): number =>
  typeof leaf === "number"
    ? leaf
    : typeof leaf === "boolean"
      ? Number(leaf)
      : typeof leaf === "bigint"
        ? Number(leaf)
        : Number.NaN;

/** What is known of a topic's fields after looking at some of its messages. */
export class FieldSurvey {
  readonly #kinds = new Map<string, "number" | "text" | "null">();

  add(message: unknown): void {
    visitLeaves(message, (path, leaf) => {
      const kind = leaf === null ? "null" : typeof leaf === "string" ? "text" : "number";
      const known = this.#kinds.get(path);
      if (known === undefined || known === "null" || (kind === "number" && known === "text"))
        this.#kinds.set(path, kind);
    });
  }

  /** In order of appearance. A field that was always null is taken for a number: it plots as empty. */
  fields(): { path: string; numeric: boolean; unit: string }[] {
    return [...this.#kinds].map(([path, kind]) => ({
      path,
      numeric: kind !== "text",
      unit: unitOf(path),
    }));
  }
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_enu_m_s2|_m_s2/, "m/s²"],
  [/_m_s(\[|$)/, "m/s"],
  [/_rad_s(\[|$)/, "rad/s"],
  [/_rad(\[|$)/, "rad"],
  [/_m(\[|$)/, "m"],
  [/_ms(\[|$)/, "ms"],
  [/_s(\[|$)/, "s"],
  [/_v(\[|$)/, "V"],
  [/_a(\[|$)/, "A"],
  [/_hz(\[|$)/, "Hz"],
  [/_wh(\[|$)/, "Wh"],
  [/_deg(\[|$)/, "deg"],
  [/_px(\[|$)/, "px"],
];

/** The unit a name carries by our own convention; empty when it carries none. */
export function unitOf(path: string): string {
  const leaf = path.slice(path.lastIndexOf(".") + 1);
  for (const [pattern, unit] of UNITS) if (pattern.test(leaf)) return unit;
  return "";
}
