import type { CameraPicture } from "#contract/ipc";
import type { CameraHub } from "../bridge/bridge";

/** Pictures kept while no proposal has asked for them: at 10 a second, the last six seconds. */
const recent_count = 60;
/** Pictures kept for proposals. Older ones are in the recording. */
const kept_count = 60;

type Picture = Pick<CameraPicture, "seq" | "colour_jpeg">;

/**
 * The pictures that policies saw, by proposal. Both lists are bounded: pictures at camera rate fill the memory within the hour
 * otherwise (dimensionalOS/dimos#1509).
 */
export interface Observed {
  /** The picture of a proposal, once known; null when it passed before this window was there. */
  imageOf(proposal_id: string, camera_seq: number | null): Uint8Array | null;
}

export function createObserved(cameras: Pick<CameraHub, "onPicture">): Observed {
  const recent: Picture[] = [];
  const kept = new Map<string, Uint8Array>();
  cameras.onPicture(({ seq, colour_jpeg }) => {
    recent.push({ seq, colour_jpeg });
    if (recent.length > recent_count) recent.shift();
  });
  return {
    imageOf(id, camera_seq) {
      const known = kept.get(id);
      if (known !== undefined) return known;
      const picture = camera_seq === null ? null : nearest(recent, camera_seq);
      if (picture === null) return null;
      kept.set(id, picture.colour_jpeg);
      const [oldest] = kept.keys();
      if (kept.size > kept_count && oldest !== undefined) kept.delete(oldest);
      return picture.colour_jpeg;
    },
  };
}

/** The window gets only some frames; one within this many of the frame asked for shows the same scene. */
const near_enough = 5;

export function nearest(pictures: readonly Picture[], seq: number): Picture | null {
  let best: Picture | null = null;
  for (const picture of pictures) {
    const off = Math.abs(picture.seq - seq);
    if (off <= near_enough && (best === null || off < Math.abs(best.seq - seq))) best = picture;
  }
  return best;
}
