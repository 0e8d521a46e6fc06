/** Numbers, texts and flags inside decoded messages, addressed by path: `position_enu_m[2]`, `battery.remaining`. */
type Leaf = number | string | boolean | bigint | null;

/** Longer arrays are data (point clouds, pictures), not fields. */
const MAX_ARRAY = 32;
const MAX_DEPTH = 8;

/** Calls `visit` for every leaf of `value`. Bytes and long arrays are left out. */
function visitLeaves(value: unknown, visit: (path: string, leaf: Leaf) => void, path = "", depth = 0): void {
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

interface Node {
  readonly path: string;
  readonly key: string | number;
  readonly children: Map<string | number, Node>;
  /** Children in the order they came last: the next message most likely has the same. */
  readonly order: Node[];
  column: Float64Array | null;
}

/**
 * Collects the numbers of many messages of one shape into columns. Paths are built once a field, not once a message:
 * the tree of fields is walked beside each message.
 */
export class ColumnTree {
  readonly #length: number;
  readonly #only: string | null;
  readonly #root: Node = { path: "", key: "", children: new Map(), order: [], column: null };
  readonly columns = new Map<string, Float64Array>();

  /** `only` limits it to one path. */
  constructor(length: number, only: string | null) {
    this.#length = length;
    this.#only = only;
  }

  add(i: number, message: unknown): void {
    this.#visit(i, message, this.#root, 0);
  }

  /** The column at `path`, made when it is first needed; null when it is not wanted. */
  column(path: string): Float64Array | null {
    if (this.#only !== null && this.#only !== path) return null;
    let column = this.columns.get(path);
    if (!column) {
      column = new Float64Array(this.#length).fill(Number.NaN);
      this.columns.set(path, column);
    }
    return column;
  }

  #visit(i: number, value: unknown, node: Node, depth: number): void {
    if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") {
      node.column ??= this.column(node.path);
      if (node.column) node.column[i] = Number(value);
      return;
    }
    if (value === null) {
      if (node.path !== "") node.column ??= this.column(node.path);
      return;
    }
    if (typeof value !== "object" || depth >= MAX_DEPTH || value instanceof Uint8Array) return;
    if (Array.isArray(value) || ArrayBuffer.isView(value)) {
      const items = value as unknown as ArrayLike<unknown>;
      if (items.length > MAX_ARRAY) return;
      for (let k = 0; k < items.length; k++) this.#visit(i, items[k], this.#child(node, k, k), depth + 1);
      return;
    }
    let k = 0;
    for (const key in value) {
      const member = (value as Record<string, unknown>)[key];
      const child = this.#child(node, key, k++);
      if (typeof member !== "string") this.#visit(i, member, child, depth + 1);
    }
  }

  #child(node: Node, key: string | number, k: number): Node {
    const likely = node.order[k];
    if (likely?.key === key) return likely;
    const child = this.#find(node, key);
    node.order[k] = child;
    return child;
  }

  #find(node: Node, key: string | number): Node {
    let child = node.children.get(key);
    if (!child) {
      const name = typeof key === "number" ? `[${key}]` : node.path === "" ? key : `.${key}`;
      child = { path: node.path + name, key, children: new Map(), order: [], column: null };
      node.children.set(key, child);
    }
    return child;
  }
}

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
