import { distanceXY, type Layout } from "./layout";
import type { PlacedPart } from "./placed";
import { Random } from "./random";

type XY = readonly [number, number];

/** Where a person goes: along the points at a steady pace, with one stop on the way. */
export interface Walk {
  readonly points: readonly XY[];
  /** The point at which the person stands for a while, looking at the aircraft. */
  readonly stop: number;
  readonly pad: XY;
}

const cell_m = 0.15;
/** Half a shoulder's width and a hand. */
const clear_m = 0.32;
const tall_m = 1.8;
/** Nobody steps under the propellers. */
const padClear_m = 1.3;
const stand_m = [1.5, 2.7] as const;

interface Grid {
  readonly nx: number;
  readonly ny: number;
  readonly free: readonly boolean[];
  readonly at: (i: number) => XY;
}

/**
 * A walk through what is free of furniture and objects: in by a door where there is one, up to a place from which the pad is
 * seen, and out somewhere else. Null where a person cannot get in. `visit` counts the visits of one flight.
 */
export function planWalk(layout: Layout, visit: number): Walk | null {
  const random = new Random(layout.seed, `person ${visit}`);
  const grid = gridOf(layout);
  const edge = grid.free.flatMap((free, i) => (free && atEdge(grid, i) ? [i] : []));
  if (edge.length === 0) return null;
  const door = layout.structures.find((s) => /^(door|gate)/.test(s.id))?.parts[0];
  const entrance = door === undefined ? random.pick(edge) : nearest(grid, edge, [door.at[0], door.at[1]]);
  const from = reach(grid, entrance);
  const [px, py] = layout.scene.pad.at;
  const viewpoints = [...from.keys()].filter((i) => {
    const [x, y] = grid.at(i);
    const d = Math.hypot(x - px, y - py);
    return d >= stand_m[0] && d <= stand_m[1];
  });
  if (viewpoints.length === 0) return null;
  const middle = random.pick(viewpoints);
  const ways = edge.filter((i) => from.has(i));
  const exit = random.pick(ways);
  const there = straighten(grid, trace(from, middle));
  const back = straighten(grid, trace(reach(grid, middle), exit));
  return {
    points: [...there, ...back.slice(1)].map(grid.at),
    stop: there.length - 1,
    pad: [px, py],
  };
}

function gridOf(layout: Layout): Grid {
  const { room, pad, fence_margin_m: margin } = layout.scene;
  // In the open a person comes from beyond the fence's edge, not from the horizon.
  const inset = room.walls === null ? margin : 0;
  const x0 = room.min[0] + inset;
  const y0 = room.min[1] + inset;
  const nx = Math.floor((room.max[0] - inset - x0) / cell_m);
  const ny = Math.floor((room.max[1] - inset - y0) / cell_m);
  const at = (i: number): XY => [x0 + ((i % nx) + 0.5) * cell_m, y0 + (Math.floor(i / nx) + 0.5) * cell_m];
  const solids = layout.structures
    .filter((s) => s.role === "furniture" || s.role === "wall")
    .flatMap((s) => s.parts.filter((p) => inTheWay(p, room.min[2])));
  const round = [
    ...layout.bodies.map((b) => ({ x: b.at[0], y: b.at[1], r: b.asset.footprint_radius_m })),
    ...layout.movers.map((m) => ({ x: m.at[0], y: m.at[1], r: 0.3 })),
    { x: pad.at[0], y: pad.at[1], r: padClear_m - clear_m },
  ];
  const free = Array.from({ length: nx * ny }, (_, i) => {
    const [x, y] = at(i);
    return (
      round.every((o) => Math.hypot(o.x - x, o.y - y) > o.r + clear_m) &&
      solids.every((p) => distanceXY(p, x, y) > clear_m)
    );
  });
  return { nx, ny, free, at };
}

/** Something solid between the ankles and the top of the head. */
function inTheWay({ part, at }: PlacedPart, floor_m: number): boolean {
  if (!part.collides) return false;
  const half = "half_height" in part ? part.half_height : "half" in part ? part.half[2] : part.radius;
  return at[2] - half < floor_m + tall_m && at[2] + half > floor_m + 0.05;
}

/** On the outermost free ring of a row or column. */
function atEdge({ nx, ny, free }: Grid, i: number): boolean {
  const [x, y] = [i % nx, Math.floor(i / nx)];
  const band = Math.ceil(clear_m / cell_m) + 1;
  return free[i] === true && (x < band || y < band || x >= nx - band || y >= ny - band);
}

function nearest(grid: Grid, cells: readonly number[], to: XY): number {
  const far = (i: number): number => Math.hypot(grid.at(i)[0] - to[0], grid.at(i)[1] - to[1]);
  return cells.reduce((a, b) => (far(b) < far(a) ? b : a));
}

/** Breadth first: every cell that can be reached, with the one it is reached from. */
function reach({ nx, ny, free }: Grid, start: number): Map<number, number> {
  const from = new Map([[start, start]]);
  const queue = [start];
  for (const i of queue) {
    const [x, y] = [i % nx, Math.floor(i / nx)];
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      if (x + dx < 0 || x + dx >= nx || y + dy < 0 || y + dy >= ny) continue;
      const j = i + dx + dy * nx;
      if (free[j] !== true || from.has(j)) continue;
      from.set(j, i);
      queue.push(j);
    }
  }
  return from;
}

function trace(from: ReadonlyMap<number, number>, to: number): number[] {
  const path = [to];
  for (let i = to; ; ) {
    const before = from.get(i);
    if (before === undefined || before === i) return path.reverse();
    path.push(before);
    i = before;
  }
}

/** Leaves out the corners that need not be gone to. */
function straighten(grid: Grid, path: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = 0; i < path.length; ) {
    out.push(path[i] as number);
    let next = i + 1;
    for (let k = path.length - 1; k > i + 1; k--)
      if (straight(grid, path[i] as number, path[k] as number)) {
        next = k;
        break;
      }
    i = next;
  }
  return out;
}

/** Every cell that the line from middle to middle comes near to is free. */
function straight({ nx, free }: Grid, a: number, b: number): boolean {
  const [ax, ay, bx, by] = [a % nx, Math.floor(a / nx), b % nx, Math.floor(b / nx)];
  const n = 3 * Math.max(Math.abs(bx - ax), Math.abs(by - ay));
  for (let k = 0; k <= n; k++) {
    const x = ax + ((bx - ax) * k) / n;
    const y = ay + ((by - ay) * k) / n;
    for (const i of [Math.floor(x), Math.ceil(x)])
      for (const j of [Math.floor(y), Math.ceil(y)]) if (free[i + j * nx] !== true) return false;
  }
  return true;
}
