import * as electron from "electron";
import { contextBridge, ipcRenderer } from "electron";
import { cameraPortMessage, eventNames, requestNames, spectatorPortMessage } from "#contract/channels";
import type { Bridge } from "#contract/ipc";

const bridge: Bridge = {
  request: (name, input) => {
    if (!requestNames.includes(name)) throw new Error(`Unknown request ${name}`);
    return ipcRenderer.invoke(name, input);
  },
  on: (name, listener) => {
    if (!eventNames.includes(name)) throw new Error(`Unknown event ${name}`);
    const forward = (_event: unknown, value: Parameters<typeof listener>[0]): void => {
      listener(value);
    };
    ipcRenderer.on(name, forward);
    return () => {
      ipcRenderer.off(name, forward);
    };
  },
  pathOf: pathOfFile,
};
/** Newer Electron asks `webUtils`; older put the path on the file itself. */
function pathOfFile(file: unknown): string {
  if (!(file instanceof File)) return "";
  if ("webUtils" in electron) return electron.webUtils.getPathForFile(file);
  return "path" in file && typeof file.path === "string" ? file.path : "";
}
contextBridge.exposeInMainWorld("kingfisher", bridge);

ipcRenderer.on(cameraPortMessage, (event, { camera }: { camera: string }) => {
  window.postMessage({ type: cameraPortMessage, camera }, window.location.origin, [...event.ports]);
});

ipcRenderer.on(spectatorPortMessage, (event) => {
  window.postMessage({ type: spectatorPortMessage }, window.location.origin, [...event.ports]);
});

// Read by the main process, which catches single-letter shortcuts before the page does.
const reportTyping = (): void => {
  const typing = document.activeElement?.matches("input, textarea, select, [contenteditable]") ?? false;
  void ipcRenderer.invoke("ui.typing", { typing });
};
window.addEventListener("focusin", reportTyping);
window.addEventListener("focusout", () => queueMicrotask(reportTyping));
