import type { CameraFrame, CameraHello } from "#contract/camera-wire";
import type { Cancel } from "../platform/clock";

/** One exposure: colour RGB8 and depth, row-major, aligned, same size. The arrays belong to the receiver. */
export interface RgbdFrame {
  readonly header: CameraFrame;
  readonly colour: Uint8Array;
  readonly depth: Uint16Array;
}

/** An RGB-D camera, whatever is behind it. */
export interface RgbdSource {
  onHello(listener: (hello: CameraHello) => void): Cancel;
  onFrame(listener: (frame: RgbdFrame) => void): Cancel;
  /** One sentence: what happened and what it means. The source goes on trying by itself. */
  onProblem(listener: (text: string) => void): Cancel;
  close(): void;
}
