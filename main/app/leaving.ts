import { type BrowserWindow, dialog } from "electron";

/** The window is asked to close while the vehicle is armed: true when the operator wants to hold and leave. */
export function askToLeave(window: BrowserWindow): boolean {
  const choice = dialog.showMessageBoxSync(window, {
    type: "warning",
    title: "Vehicle is armed",
    message: "The vehicle is armed. Leaving ends supervision and recording; the vehicle is asked to hold.",
    buttons: ["Stay", "Hold and leave"],
    defaultId: 0,
    cancelId: 0,
  });
  return choice === 1;
}
