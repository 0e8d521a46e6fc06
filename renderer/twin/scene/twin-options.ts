import type { Enu } from "#contract/frames";
import type { PageTime } from "../../bridge/time";
import type { Palette } from "./palette";
import type { ViewName } from "./views";

export interface TwinOptions {
  readonly time: Pick<PageTime, "monotonic_ms" | "after">;
  readonly palette: Palette;
  readonly label_class: string;
  /** No camera glides and no damping when the operator asked for reduced motion. */
  readonly still: boolean;
  /** Direct poses (replay) are drawn as given; live ones are smoothed between samples. */
  readonly live: boolean;
  readonly onView: (view: ViewName) => void;
  readonly onPick: (pick: { readonly object: string | null; readonly point: Enu } | null) => void;
  readonly onContext: (state: "drawn" | "lost") => void;
  /** After every picture, for page elements that stand at points of the scene: pixels from the host's corner, null out of sight. */
  readonly onDrawn?: (project: Project) => void;
}

export type Project = (point: Enu) => { readonly x: number; readonly y: number } | null;
