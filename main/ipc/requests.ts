import { type IpcMainInvokeEvent, ipcMain } from "electron";
import { type RequestName, requestNames } from "#contract/channels";
import { type Handlers, type Input, requests } from "#contract/ipc";
import type { Logger } from "../platform/logger";

export type Trust = (event: IpcMainInvokeEvent) => boolean;

/**
 * Binds every contract request to its handler. An untrusted sender or a malformed input reaches none; an answer
 * that does not fit the contract never leaves. What is thrown here is a bug: it is logged once and the page sees
 * a short sentence.
 */
export function registerRequests(handlers: Handlers, isTrusted: Trust, logger: Logger): void {
  const bind = <C extends RequestName>(name: C, handle: Handlers[C]): void => {
    const { input, output } = requests[name];
    ipcMain.handle(name, async (event, raw: unknown) => {
      if (!isTrusted(event)) {
        logger.warn(`Refused ${name}: untrusted sender ${event.senderFrame?.url ?? ""}`);
        throw new Error(`Refused ${name}: untrusted sender`);
      }
      try {
        return output.parse(await handle(input.parse(raw) as Input<C>));
      } catch (error) {
        logger.error(`Request ${name} failed`, error);
        throw new Error(`${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    });
  };
  for (const name of requestNames) bind(name, handlers[name]);
}

/** Only the main frame of a window that shows our own page is listened to. */
export function trustOrigin(origin: string): Trust {
  return (event) => {
    const frame = event.senderFrame;
    if (frame === null || frame.parent !== null) return false;
    return originOf(frame.url) === origin;
  };
}

/** `scheme://host` of an address. URL.origin says "null" for schemes it does not know. */
export function originOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return "";
  }
}
