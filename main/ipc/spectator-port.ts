import { MessageChannelMain, type WebContents } from "electron";
import { spectatorPortMessage } from "#contract/channels";

export interface SpectatorPort {
  /** False while the page has not drawn what it was given before: a page slower than the world misses some. */
  readonly ready: boolean;
  /** `waits`: the page answers when it has drawn this. */
  send(message: unknown, waits: boolean): void;
  close(): void;
}

/** A port of its own into the page for the ground truth, so that nothing else of the window ever carries it. */
export function openSpectatorPort(page: WebContents): SpectatorPort {
  const { port1, port2 } = new MessageChannelMain();
  let ready = true;
  port1.on("message", () => {
    ready = true;
  });
  port1.start();
  page.postMessage(spectatorPortMessage, null, [port2]);
  return {
    get ready() {
      return ready;
    },
    send: (message, waits) => {
      if (waits) ready = false;
      port1.postMessage(message);
    },
    close: () => {
      port1.close();
    },
  };
}
