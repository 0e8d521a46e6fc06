import { type RefObject, useEffect, useState } from "react";
import type { CameraPicture } from "#contract/ipc";
import { useStores } from "../stores/context";
import { decodeJpeg, PictureDrawer } from "./decoder";

export interface Shown {
  readonly seq: number;
  readonly captured_at_ms: number;
  readonly width: number;
  readonly height: number;
}

export type Stream = "colour" | "depth";

/** Draws one stream of a camera into a canvas; what is shown is told back at most five times a second. */
export function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  camera: string,
  stream: Stream,
): Shown | null {
  const stores = useStores();
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let told_ms = Number.NEGATIVE_INFINITY;
    let size = { width: 0, height: 0 };
    const drawer = new PictureDrawer(decodeJpeg, (bitmap) => {
      const target = canvas.current;
      if (target === null) return;
      size = { width: bitmap.width, height: bitmap.height };
      if (target.width !== bitmap.width || target.height !== bitmap.height) Object.assign(target, size);
      target.getContext("2d", { alpha: false })?.drawImage(bitmap, 0, 0);
    });
    const show = async (picture: CameraPicture): Promise<void> => {
      if (picture.camera !== camera) return;
      const jpeg = stream === "colour" ? picture.colour_jpeg : picture.depth_jpeg;
      if (jpeg.length === 0 || !(await drawer.show(jpeg))) return;
      const now_ms = stores.time.monotonic_ms();
      if (now_ms - told_ms < 200) return;
      told_ms = now_ms;
      setShown({ seq: picture.seq, captured_at_ms: picture.captured_at_ms, ...size });
    };
    const newest = stores.cameras.latest(camera);
    if (newest !== null) void show(newest);
    const cancel = stores.cameras.onPicture(show);
    return () => {
      cancel();
      drawer.close();
    };
  }, [stores, canvas, camera, stream]);
  return shown;
}
