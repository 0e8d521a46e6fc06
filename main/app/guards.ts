import { app, type Session, type WebContents } from "electron";
import { originOf } from "../ipc/requests";
import type { Logger } from "../platform/logger";
import { pageOrigin } from "./page";

/** Closes every way out of our own page, for every page that ever comes into being. */
export function guardContents(logger: Logger): void {
  app.on("web-contents-created", (_event, contents) => {
    denyNavigation(contents, logger);
    contents.setWindowOpenHandler(({ url }) => {
      logger.warn(`New window denied: ${url}`);
      return { action: "deny" };
    });
    contents.on("will-attach-webview", (event) => {
      logger.warn("Webview denied");
      event.preventDefault();
    });
  });
}

function denyNavigation(contents: WebContents, logger: Logger): void {
  const deny = (event: { preventDefault(): void; readonly url: string }): void => {
    if (originOf(event.url) === pageOrigin) return;
    logger.warn(`Navigation denied: ${event.url}`);
    event.preventDefault();
  };
  contents.on("will-navigate", deny);
  contents.on("will-frame-navigate", deny);
  contents.on("will-redirect", deny);
}

/** No permission is ever granted: cameras and serial ports belong to the station, not to the page. */
export function denyPermissions(session: Session, logger: Logger): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    logger.warn(`Permission denied: ${permission}`);
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on("will-download", (event) => {
    logger.warn("Download denied");
    event.preventDefault();
  });
  session.webRequest.onBeforeRequest((details, answer) => {
    const { protocol } = new URL(details.url);
    const own = originOf(details.url) === pageOrigin || protocol === "devtools:";
    const inPage = protocol === "blob:" || protocol === "data:";
    if (!own && !inPage) logger.warn(`Request denied: ${details.url}`);
    answer({ cancel: !own && !inPage });
  });
}

/** What nobody caught is a bug: it is logged, and the flight goes on. */
export function guardProcess(logger: Logger): void {
  process.on("uncaughtException", (error) => {
    logger.error("Uncaught", error);
  });
  process.on("unhandledRejection", (error) => {
    logger.error("Unhandled rejection", error);
  });
}
