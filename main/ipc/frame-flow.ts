import type { CameraPicture } from "#contract/ipc";

/**
 * Flow control of one camera towards the window: one picture in flight, the newest waits, everything between is
 * dropped. A hung window costs one picture of memory, and a slow one sees fewer pictures, never older ones.
 */
export interface FrameFlow {
  offer(picture: CameraPicture): void;
  acknowledge(seq: number): void;
}

export function createFrameFlow(post: (picture: CameraPicture) => void): FrameFlow {
  let inFlight: number | null = null;
  let newest: CameraPicture | null = null;
  const dispatch = (picture: CameraPicture): void => {
    inFlight = picture.seq;
    newest = null;
    post(picture);
  };
  return {
    offer: (picture) => {
      if (inFlight === null) dispatch(picture);
      else newest = picture;
    },
    acknowledge: (seq) => {
      if (seq !== inFlight) return;
      inFlight = null;
      if (newest !== null) dispatch(newest);
    },
  };
}
