/** A decoded picture; `close` frees its pixels at once instead of at the next garbage collection. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  close(): void;
}

/**
 * Draws encoded pictures one after another with constant memory: at most one is being decoded, at most one waits, every
 * bitmap is closed after it was drawn or overtaken (dimensionalOS/dimos#1509).
 */
export class PictureDrawer<B extends Bitmap> {
  readonly #decode: (jpeg: Uint8Array) => Promise<B>;
  readonly #draw: (bitmap: B) => void;
  #waiting: { readonly jpeg: Uint8Array; readonly settle: (drawn: boolean) => void } | null = null;
  #busy = false;
  #closed = false;

  constructor(decode: (jpeg: Uint8Array) => Promise<B>, draw: (bitmap: B) => void) {
    this.#decode = decode;
    this.#draw = draw;
  }

  /** Resolves true when this picture was drawn, false when a newer one overtook it or it could not be decoded. */
  show(jpeg: Uint8Array): Promise<boolean> {
    return new Promise((settle) => {
      if (this.#closed) {
        settle(false);
        return;
      }
      this.#waiting?.settle(false);
      this.#waiting = { jpeg, settle };
      if (!this.#busy) void this.#run();
    });
  }

  close(): void {
    this.#closed = true;
    this.#waiting?.settle(false);
    this.#waiting = null;
  }

  async #run(): Promise<void> {
    this.#busy = true;
    for (let next = this.#waiting; next !== null; next = this.#waiting) {
      this.#waiting = null;
      next.settle(await this.#one(next.jpeg));
    }
    this.#busy = false;
  }

  async #one(jpeg: Uint8Array): Promise<boolean> {
    let bitmap: B;
    try {
      bitmap = await this.#decode(jpeg);
    } catch {
      return false;
    }
    if (!this.#closed) this.#draw(bitmap);
    bitmap.close();
    return !this.#closed;
  }
}

export const decodeJpeg = (jpeg: Uint8Array): Promise<ImageBitmap> =>
  createImageBitmap(new Blob([jpeg as BlobPart], { type: "image/jpeg" }));

/**
 * Gives a decoded picture to a canvas as it is: nothing is copied or drawn, the picture before is freed, and the page never
 * waits for the graphics process, as it would with a 2D context while the twin is busy.
 */
export function handOver(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
}
