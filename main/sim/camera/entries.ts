import type { Exposure } from "./exposure";
import type { VisibilityBuffer } from "./raster";

/**
 * What there is to shade in a picture: one entry for a pixel whose four samples see the same triangle, else one for each
 * triangle with its share. The sample that gives a pixel its depth (the last one) is always its last entry.
 */
export class Entries {
  id = new Int32Array(0);
  pixel = new Int32Array(0);
  /** Sample within the pixel 0 to 3, or 4 for its middle; times 8 plus the number of samples it stands for. */
  kind = new Uint8Array(0);
  count = 0;

  /** Also clears the exposure's depth, which the shader fills. */
  list(buffer: VisibilityBuffer, into: Exposure): void {
    const { width, height, depth_m, loss, facing } = into;
    if (this.id.length !== width * height * 4) {
      this.id = new Int32Array(width * height * 4);
      this.pixel = new Int32Array(width * height * 4);
      this.kind = new Uint8Array(width * height * 4);
    }
    depth_m.fill(0);
    loss.fill(0);
    facing.fill(1);
    const wide = buffer.width;
    const ids = buffer.triangle;
    const { id, pixel, kind } = this;
    let n = 0;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const i = y * width + x;
        const s = 2 * y * wide + 2 * x;
        const a = ids[s] as number;
        const b = ids[s + 1] as number;
        const c = ids[s + wide] as number;
        const d = ids[s + wide + 1] as number;
        if (a === b && a === c && a === d) {
          if (a === 0) continue;
          id[n] = a;
          pixel[n] = i;
          kind[n++] = 36;
          continue;
        }
        if (a !== 0 && a !== d) {
          id[n] = a;
          pixel[n] = i;
          kind[n++] = 1 + (b === a ? 1 : 0) + (c === a ? 1 : 0);
        }
        if (b !== 0 && b !== a && b !== d) {
          id[n] = b;
          pixel[n] = i;
          kind[n++] = 8 + 1 + (c === b ? 1 : 0);
        }
        if (c !== 0 && c !== a && c !== b && c !== d) {
          id[n] = c;
          pixel[n] = i;
          kind[n++] = 16 + 1;
        }
        if (d !== 0) {
          id[n] = d;
          pixel[n] = i;
          kind[n++] = 24 + 1 + (a === d ? 1 : 0) + (b === d ? 1 : 0) + (c === d ? 1 : 0);
        }
      }
    }
    this.count = n;
  }
}
