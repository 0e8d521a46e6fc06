import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { CameraPicture } from "#contract/ipc";
import { useStores } from "../stores/context";
import { decodeJpeg, handOver, PictureDrawer } from "./decoder";

export interface Shown {
  readonly width: number;
  readonly height: number;
  /** Exposure of the picture on the screen, station clock. Changes with every picture without rendering anything. */
  readonly captured_at_ms: RefObject<number>;
}

export type Stream = "colour" | "depth";

/** Draws one stream of a camera into a canvas; null until the first picture is there. */
export function usePicture(
  canvas: RefObject<HTMLCanvasElement | null>,
  camera: string,
  stream: Stream,
): Shown | null {
  const stores = useStores();
  const captured_at_ms = useRef(Number.NaN);
  const [size, setSize] = useState("");
  useEffect(() => {
    const drawer = new PictureDrawer(decodeJpeg, (bitmap) => {
      const target = canvas.current;
      if (target === null) return;
      setSize(`${bitmap.width}×${bitmap.height}`);
      handOver(target, bitmap);
    });
    const show = async (picture: CameraPicture): Promise<void> => {
      if (picture.camera !== camera) return;
      const jpeg = stream === "colour" ? picture.colour_jpeg : picture.depth_jpeg;
      if (jpeg.length > 0 && (await drawer.show(jpeg))) captured_at_ms.current = picture.captured_at_ms;
    };
    const newest = stores.cameras.latest(camera);
    if (newest !== null) void show(newest);
    const cancel = stores.cameras.onPicture(show);
    return () => {
      cancel();
      drawer.close();
    };
  }, [stores, canvas, camera, stream]);
  return useMemo(() => {
    const [width = 0, height = 0] = size.split("×").map(Number);
    return size === "" ? null : { width, height, captured_at_ms };
  }, [size]);
}
