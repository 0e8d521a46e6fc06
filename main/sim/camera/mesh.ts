import type { Part } from "../world/scene-file";

/** Triangles of one primitive in its own frame. Normals point outwards; corners run counter-clockwise seen from outside. */
export interface Mesh {
  /** x, y, z per vertex. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** u, v per vertex: metres along the surface for repeated textures, 0 to 1 for stretched ones. */
  readonly uvs: Float32Array;
  readonly triangles: Uint32Array;
  /** Widest extent that uv 0 to 1 covers, for choosing a texture size. */
  readonly span_m: number;
}

class Builder {
  readonly positions: number[] = [];
  readonly normals: number[] = [];
  readonly uvs: number[] = [];
  readonly triangles: number[] = [];

  vertex(p: readonly number[], n: readonly number[], u: number, v: number): number {
    this.positions.push(p[0] ?? 0, p[1] ?? 0, p[2] ?? 0);
    this.normals.push(n[0] ?? 0, n[1] ?? 0, n[2] ?? 0);
    this.uvs.push(u, v);
    return this.positions.length / 3 - 1;
  }

  quad(a: number, b: number, c: number, d: number): void {
    this.triangles.push(a, b, c, a, c, d);
  }

  done(span_m: number): Mesh {
    return {
      positions: Float32Array.from(this.positions),
      normals: Float32Array.from(this.normals),
      uvs: Float32Array.from(this.uvs),
      triangles: Uint32Array.from(this.triangles),
      span_m,
    };
  }
}

/** `metric`: texture coordinates in metres instead of 0 to 1. */
export function meshOf(part: Part, metric: boolean): Mesh {
  switch (part.kind) {
    case "box":
      return box(part.half, metric);
    case "sphere":
      return ellipsoid([part.radius, part.radius, part.radius], metric);
    case "ellipsoid":
      return ellipsoid(part.half, metric);
    case "cylinder":
      return lathe(part.radius, part.radius, part.half_height, metric, false);
    case "cone":
      return lathe(part.radius, part.top_radius, part.half_height, metric, false);
    case "vessel":
      return lathe(part.radius, part.top_radius, part.half_height, metric, true);
    case "capsule":
      return capsule(part.radius, part.half_height, metric);
  }
}

function box(half: readonly [number, number, number], metric: boolean): Mesh {
  const b = new Builder();
  // Per face: normal axis and sign, then the axes along u and v.
  const faces: readonly (readonly [0 | 1 | 2, 1 | -1, 0 | 1 | 2, 1 | -1, 0 | 1 | 2])[] = [
    [0, 1, 1, 1, 2],
    [0, -1, 1, -1, 2],
    [1, 1, 0, -1, 2],
    [1, -1, 0, 1, 2],
    [2, 1, 0, 1, 1],
    [2, -1, 0, -1, 1],
  ];
  for (const [axis, sign, uAxis, uSign, vAxis] of faces) {
    const normal = [0, 0, 0];
    normal[axis] = sign;
    const corner = (su: number, sv: number): number => {
      const p: [number, number, number] = [0, 0, 0];
      p[axis] = sign * half[axis];
      p[uAxis] = su * uSign * half[uAxis];
      p[vAxis] = sv * half[vAxis];
      const u = metric ? p[uAxis] : (su + 1) / 2;
      const v = metric ? p[vAxis] : (sv + 1) / 2;
      return b.vertex(p, normal, u, v);
    };
    const q = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)] as const;
    b.quad(q[0], q[1], q[2], q[3]);
  }
  return b.done(2 * Math.max(...half));
}

const segmentsFor = (radius_m: number): number => (radius_m > 0.15 ? 40 : radius_m > 0.02 ? 24 : 10);

function lathe(low: number, top: number, half: number, metric: boolean, open: boolean): Mesh {
  const b = new Builder();
  const n = segmentsFor(Math.max(low, top));
  const slope = (low - top) / (2 * half);
  const side = (rLow: number, rTop: number, zLow: number, zTop: number, inward: boolean): void => {
    const length = 1 / Math.sqrt(1 + slope * slope);
    for (let i = 0; i <= n; i++) {
      const a = (2 * Math.PI * i) / n;
      const [c, s] = [Math.cos(a), Math.sin(a)];
      const sign = inward ? -length : length;
      const normal = [c * sign, s * sign, slope * sign];
      const u = metric ? a * Math.max(low, top) : i / n;
      b.vertex([c * rLow, s * rLow, zLow], normal, u, metric ? zLow : 0);
      b.vertex([c * rTop, s * rTop, zTop], normal, u, metric ? zTop : 1);
    }
    const base = b.positions.length / 3 - 2 * (n + 1);
    for (let i = 0; i < n; i++) {
      const at = base + 2 * i;
      if (inward) b.quad(at, at + 1, at + 3, at + 2);
      else b.quad(at, at + 2, at + 3, at + 1);
    }
  };
  const cap = (r: number, z: number, up: boolean): void => {
    const normal = [0, 0, up ? 1 : -1];
    const centre = b.vertex([0, 0, z], normal, metric ? 0 : 0.5, metric ? 0 : 0.5);
    for (let i = 0; i <= n; i++) {
      const a = (2 * Math.PI * i) / n;
      const [c, s] = [Math.cos(a), Math.sin(a)];
      b.vertex([c * r, s * r, z], normal, metric ? c * r : 0.5 + c / 2, metric ? s * r : 0.5 + s / 2);
    }
    for (let i = 0; i < n; i++) {
      if (up) b.triangles.push(centre, centre + 1 + i, centre + 2 + i);
      else b.triangles.push(centre, centre + 2 + i, centre + 1 + i);
    }
  };
  side(low, top, -half, half, false);
  cap(low, -half, false);
  if (open) {
    const wall = Math.min(0.003, low * 0.2);
    side(low - wall, top - wall, -half + wall, half, true);
    cap(low - wall, -half + wall, true);
    ring(b, n, top, top - wall, half);
  } else {
    cap(top, half, true);
  }
  return b.done(Math.max(2 * half, 2 * Math.PI * Math.max(low, top)));
}

function ring(b: Builder, n: number, outer: number, inner: number, z: number): void {
  const base = b.positions.length / 3;
  for (let i = 0; i <= n; i++) {
    const a = (2 * Math.PI * i) / n;
    b.vertex([Math.cos(a) * outer, Math.sin(a) * outer, z], [0, 0, 1], i / n, 1);
    b.vertex([Math.cos(a) * inner, Math.sin(a) * inner, z], [0, 0, 1], i / n, 0.99);
  }
  for (let i = 0; i < n; i++) b.quad(base + 2 * i, base + 2 * i + 2, base + 2 * i + 3, base + 2 * i + 1);
}

function ellipsoid(half: readonly [number, number, number], metric: boolean): Mesh {
  const b = new Builder();
  const n = 20;
  const m = 12;
  const [rx, ry, rz] = half;
  const girth = Math.max(rx, ry);
  for (let j = 0; j <= m; j++) {
    const t = -Math.PI / 2 + (Math.PI * j) / m;
    for (let i = 0; i <= n; i++) {
      const a = (2 * Math.PI * i) / n;
      const d = [Math.cos(t) * Math.cos(a), Math.cos(t) * Math.sin(a), Math.sin(t)] as const;
      const normal = [d[0] / rx, d[1] / ry, d[2] / rz] as const;
      const l = Math.hypot(...normal);
      b.vertex(
        [rx * d[0], ry * d[1], rz * d[2]],
        normal.map((x) => x / l),
        metric ? a * girth : i / n,
        metric ? t * rz : j / m,
      );
    }
  }
  for (let j = 0; j < m; j++)
    for (let i = 0; i < n; i++) {
      const at = j * (n + 1) + i;
      b.quad(at, at + 1, at + n + 2, at + n + 1);
    }
  return b.done(2 * Math.PI * girth);
}

function capsule(radius: number, half: number, metric: boolean): Mesh {
  const b = new Builder();
  const n = radius > 0.012 ? 14 : 8;
  const rings: readonly (readonly [number, number])[] = [
    [-Math.PI / 2, -half],
    [-Math.PI / 4, -half],
    [0, -half],
    [0, half],
    [Math.PI / 4, half],
    [Math.PI / 2, half],
  ];
  const length = 2 * half + 2 * radius;
  for (const [t, z] of rings) {
    for (let i = 0; i <= n; i++) {
      const a = (2 * Math.PI * i) / n;
      const normal = [Math.cos(t) * Math.cos(a), Math.cos(t) * Math.sin(a), Math.sin(t)] as const;
      const p = [radius * normal[0], radius * normal[1], z + radius * normal[2]] as const;
      b.vertex(p, normal, metric ? a * radius : i / n, metric ? p[2] : p[2] / length + 0.5);
    }
  }
  for (let j = 0; j + 1 < rings.length; j++)
    for (let i = 0; i < n; i++) {
      const at = j * (n + 1) + i;
      b.quad(at, at + 1, at + n + 2, at + n + 1);
    }
  return b.done(length);
}
