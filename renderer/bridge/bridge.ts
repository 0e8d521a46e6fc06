import { cameraPortMessage } from "#contract/channels";
import type { Bridge, CameraPicture } from "#contract/ipc";

declare global {
  interface Window {
    readonly kingfisher?: Bridge;
  }
}

/** What preload put on the window. Null means that the page was opened outside the application. */
export const windowBridge = (): Bridge | null => window.kingfisher ?? null;

/** Returns when the picture has been drawn; the next one is asked for only then. */
export type PictureListener = (picture: CameraPicture) => Promise<void> | void;

/**
 * Camera pictures, which travel beside the bridge over one MessagePort per camera. One picture is in flight for each camera:
 * the acknowledgement goes back when every listener has drawn it, so a slow page gets fewer pictures, never a backlog.
 */
export interface CameraHub {
  /** Every camera's pictures; `picture.camera` says whose. */
  onPicture(listener: PictureListener): () => void;
  /** The newest picture of a camera, for a panel that has just been opened. */
  latest(camera: string): CameraPicture | null;
  cameras(): readonly string[];
}

interface PortEvent {
  readonly data: unknown;
  readonly ports: readonly MessagePort[];
}
/** The part of `window` that ports arrive at. */
interface PortSource {
  addEventListener(type: "message", listener: (event: PortEvent) => void): void;
}

export function createCameraHub(source: PortSource): CameraHub {
  const listeners = new Set<PictureListener>();
  const newest = new Map<string, CameraPicture>();
  const ports = new Map<string, MessagePort>();

  async function draw(picture: CameraPicture, port: MessagePort): Promise<void> {
    newest.set(picture.camera, picture);
    // A listener that fails must not stop the camera for the others.
    await Promise.allSettled([...listeners].map(async (listener) => listener(picture)));
    port.postMessage(picture.seq);
  }

  source.addEventListener("message", ({ data, ports: [port] }) => {
    if (!isPortMessage(data) || port === undefined) return;
    ports.get(data.camera)?.close();
    ports.set(data.camera, port);
    port.onmessage = (event: MessageEvent<unknown>) => {
      if (isPicture(event.data)) void draw(event.data, port);
    };
  });

  return {
    onPicture(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    latest: (camera) => newest.get(camera) ?? null,
    cameras: () => [...newest.keys()],
  };
}

function isPortMessage(data: unknown): data is { readonly type: string; readonly camera: string } {
  if (typeof data !== "object" || data === null) return false;
  return (
    "type" in data && data.type === cameraPortMessage && "camera" in data && typeof data.camera === "string"
  );
}

function isPicture(data: unknown): data is CameraPicture {
  if (typeof data !== "object" || data === null) return false;
  return "seq" in data && typeof data.seq === "number" && "camera" in data && "colour_jpeg" in data;
}
