import { spectatorPortMessage } from "#contract/channels";

interface Messages {
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

/** Hears of the port that carries ground truth, each time one is opened for this page. */
export function onSpectatorPort(window: Messages, listener: (port: MessagePort) => void): () => void {
  const hear = (event: MessageEvent): void => {
    const data: unknown = event.data;
    const port = event.ports[0];
    if (typeof data !== "object" || data === null || !("type" in data)) return;
    if (data.type === spectatorPortMessage && port !== undefined) listener(port);
  };
  window.addEventListener("message", hear);
  return () => {
    window.removeEventListener("message", hear);
  };
}
