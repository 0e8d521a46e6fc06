import type { LinkStatus } from "#contract/vehicle";
import type { FrameView } from "./frame";

/** What a link asks of message signing. Without one, frames go unsigned and every good frame is accepted. */
export interface LinkSigner {
  /** Whether outgoing frames are to be signed. */
  readonly signs: boolean;
  readonly state: LinkStatus["signing"];
  /** One line when something is wrong, else "". */
  readonly advice: string;
  /** Appends the signature to a frame that announces one. */
  sign(frame: Uint8Array): Uint8Array;
  accept(frame: FrameView): boolean;
}
