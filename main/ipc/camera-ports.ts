import { MessageChannelMain, type MessagePortMain, type WebContents } from "electron";
import { cameraPortMessage } from "#contract/channels";
import type { CameraPicture } from "#contract/ipc";
import { createFrameFlow, type FrameFlow } from "./frame-flow";

export interface CameraPorts {
  show(picture: CameraPicture): void;
  /** Call when the page has (re)loaded: ports of the page before are gone with it. */
  reset(): void;
}

/** One MessagePort per camera, made when its first picture comes, so that pictures never queue behind telemetry. */
export function createCameraPorts(contents: () => WebContents | null): CameraPorts {
  const open = new Map<string, { readonly port: MessagePortMain; readonly flow: FrameFlow }>();
  const connect = (camera: string, page: WebContents): FrameFlow => {
    const { port1, port2 } = new MessageChannelMain();
    const flow = createFrameFlow((picture) => {
      port1.postMessage(picture);
    });
    port1.on("message", ({ data }: { data: unknown }) => {
      if (typeof data === "number") flow.acknowledge(data);
    });
    port1.start();
    open.set(camera, { port: port1, flow });
    page.postMessage(cameraPortMessage, { camera }, [port2]);
    return flow;
  };
  return {
    show: (picture) => {
      const page = contents();
      if (page === null) return;
      const flow = open.get(picture.camera)?.flow ?? connect(picture.camera, page);
      flow.offer(picture);
    },
    reset: () => {
      for (const { port } of open.values()) port.close();
      open.clear();
    },
  };
}
