/**
 * Visibility by homogeneous rasterisation (Olano and Greer 1997): for a triangle with camera-space corners as the columns of
 * M, the rows of M's inverse, dotted with a pixel's ray (x, y, 1), are the barycentric weights divided by depth. All three
 * not negative means inside; their sum is 1/z. Nothing has to be clipped, and shading gets its weights from the same rows.
 */
export class VisibilityBuffer {
  readonly width: number;
  readonly height: number;
  /** 1/z per sample; 0 where nothing was drawn. */
  readonly inverse_z: Float32Array;
  /** Index into `rows` (divided by 9) per sample, plus one; 0 is nothing. */
  readonly triangle: Int32Array;
  /** Nine per triangle: for each corner, the factors of X, Y and 1 in samples. */
  rows: Float64Array;
  /** The drawing's triangle for each entry of `rows`. */
  source: Int32Array;
  count = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.inverse_z = new Float32Array(width * height);
    this.triangle = new Int32Array(width * height);
    this.rows = new Float64Array(9 * 4096);
    this.source = new Int32Array(4096);
  }

  clear(): void {
    this.inverse_z.fill(0);
    this.triangle.fill(0);
    this.count = 0;
  }

  /**
   * Draws triangle `source` with camera-space corners a, b, c at offsets into `p` (x right, y down, z forward) when it
   * faces the camera. Focal lengths and principal point are in samples.
   */
  draw(
    p: Float32Array,
    a: number,
    b: number,
    c: number,
    source: number,
    focal: number,
    cx: number,
    cy: number,
    near: number,
  ): void {
    const ax = p[a] as number;
    const ay = p[a + 1] as number;
    const az = p[a + 2] as number;
    const bx = p[b] as number;
    const by = p[b + 1] as number;
    const bz = p[b + 2] as number;
    const gx = p[c] as number;
    const gy = p[c + 1] as number;
    const gz = p[c + 2] as number;
    if (az < near && bz < near && gz < near) return;
    // Rows of the adjugate; the determinant's sign tells front from back.
    const r0x = by * gz - bz * gy;
    const r0y = bz * gx - bx * gz;
    const r0z = bx * gy - by * gx;
    const det = ax * r0x + ay * r0y + az * r0z;
    if (det >= -1e-14) return;
    const k = 1 / det;
    const kf = k / focal;
    const e0x = r0x * kf;
    const e0y = r0y * kf;
    const r1x = (gy * az - gz * ay) * kf;
    const r1y = (gz * ax - gx * az) * kf;
    const r2x = (ay * bz - az * by) * kf;
    const r2y = (az * bx - ax * bz) * kf;
    const e0c = r0z * k - e0x * cx - e0y * cy;
    const e1c = (gx * ay - gy * ax) * k - r1x * cx - r1y * cy;
    const e2c = (ax * by - ay * bx) * k - r2x * cx - r2y * cy;

    let yLow = 0;
    let yHigh = this.height - 1;
    if (az > near && bz > near && gz > near) {
      const ya = (ay / az) * focal + cy;
      const yb = (by / bz) * focal + cy;
      const yc = (gy / gz) * focal + cy;
      yLow = Math.max(0, Math.ceil(Math.min(ya, yb, yc)));
      yHigh = Math.min(yHigh, Math.floor(Math.max(ya, yb, yc)));
      if (yLow > yHigh) return;
      const xa = (ax / az) * focal + cx;
      const xb = (bx / bz) * focal + cx;
      const xc = (gx / gz) * focal + cx;
      if (Math.max(xa, xb, xc) < 0 || Math.min(xa, xb, xc) > this.width - 1) return;
    }
    const index = this.#store(source);
    const rows = this.rows;
    const at = index * 9;
    rows[at] = e0x;
    rows[at + 1] = e0y;
    rows[at + 2] = e0c;
    rows[at + 3] = r1x;
    rows[at + 4] = r1y;
    rows[at + 5] = e1c;
    rows[at + 6] = r2x;
    rows[at + 7] = r2y;
    rows[at + 8] = e2c;
    this.#fill(index + 1, e0x, e0y, e0c, r1x, r1y, e1c, r2x, r2y, e2c, yLow, yHigh, 1 / near);
  }

  #fill(
    id: number,
    ax: number,
    ay: number,
    ac: number,
    bx: number,
    by: number,
    bc: number,
    cx: number,
    cy: number,
    cc: number,
    yLow: number,
    yHigh: number,
    most: number,
  ): void {
    const { width, inverse_z, triangle } = this;
    const dz = ax + bx + cx;
    for (let y = yLow; y <= yHigh; y++) {
      let low = 0;
      let high = width - 1;
      const a = ay * y + ac;
      const b = by * y + bc;
      const c = cy * y + cc;
      if (ax > 0) low = Math.max(low, -a / ax);
      else if (ax < 0) high = Math.min(high, -a / ax);
      else if (a < 0) continue;
      if (bx > 0) low = Math.max(low, -b / bx);
      else if (bx < 0) high = Math.min(high, -b / bx);
      else if (b < 0) continue;
      if (cx > 0) low = Math.max(low, -c / cx);
      else if (cx < 0) high = Math.min(high, -c / cx);
      else if (c < 0) continue;
      const from = Math.ceil(low);
      const to = Math.floor(high);
      let iz = dz * from + a + b + c;
      const line = y * width;
      for (let i = line + from; i <= line + to; i++) {
        if (iz > (inverse_z[i] as number) && iz < most) {
          inverse_z[i] = iz;
          triangle[i] = id;
        }
        iz += dz;
      }
    }
  }

  #store(source: number): number {
    const index = this.count++;
    if (index >= this.source.length) {
      const rows = new Float64Array(this.rows.length * 2);
      rows.set(this.rows);
      this.rows = rows;
      const sources = new Int32Array(this.source.length * 2);
      sources.set(this.source);
      this.source = sources;
    }
    this.source[index] = source;
    return index;
  }
}
