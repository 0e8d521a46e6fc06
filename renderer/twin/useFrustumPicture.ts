import { type RefObject, useEffect } from "react";
import { useStores } from "../stores/context";
import type { TwinView } from "./scene/twin-view";

const width_px = 320;
const pause_ms = 90;

/** Live colour pictures on the far plane of the view volume: small, at most eleven a second, one canvas for all. */
export function useFrustumPicture(view: RefObject<TwinView | null>, wanted: boolean): void {
  const stores = useStores();
  useEffect(() => {
    if (!wanted) return;
    const canvas = document.createElement("canvas");
    // Drawn by the processor: a canvas of the graphics process would make the page wait for the twin's own pictures.
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    let last_ms = Number.NEGATIVE_INFINITY;
    const cancel = stores.cameras.onPicture(async (picture) => {
      const now_ms = stores.time.monotonic_ms();
      if (now_ms - last_ms < pause_ms) return;
      last_ms = now_ms;
      const blob = new Blob([picture.colour_jpeg as BlobPart], { type: "image/jpeg" });
      const bitmap = await createImageBitmap(blob, { resizeWidth: width_px, resizeQuality: "low" });
      if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
        canvas.width = bitmap.width;
        canvas.height = bitmap.height;
        view.current?.setPicture(null);
      }
      pen?.drawImage(bitmap, 0, 0);
      bitmap.close();
      view.current?.setPicture(canvas);
    });
    return () => {
      cancel();
      view.current?.setPicture(null);
    };
  }, [stores, view, wanted]);
}
