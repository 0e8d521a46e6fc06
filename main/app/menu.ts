import type { MenuItemConstructorOptions } from "electron";
import type { EmergencyAction } from "#contract/station";

export interface MenuActions {
  emergency(action: EmergencyAction, source: string): void;
  /** Sends the window a `menu` event. */
  show(action: string): void;
  openFile(): void;
  restartWindow(): void;
  quit(): void;
}

const workspaces = ["Fly", "Programs", "Review", "Evaluate", "Setup"] as const;

/**
 * The application menu. HOLD's accelerator is the road that remains when the window's process has crashed.
 * Shift+L is only registered here then: a menu accelerator fires while text is being typed.
 */
export function menuTemplate(actions: MenuActions, windowLost: boolean): MenuItemConstructorOptions[] {
  return [
    {
      label: "&File",
      submenu: [
        { label: "Open Recording…", accelerator: "CmdOrCtrl+O", click: () => actions.openFile() },
        { type: "separator" },
        { label: "Quit", accelerator: "CmdOrCtrl+Q", click: () => actions.quit() },
      ],
    },
    { role: "editMenu" },
    {
      label: "&View",
      submenu: [
        ...workspaces.map((name, index) => ({
          label: name,
          accelerator: `CmdOrCtrl+${index + 1}`,
          click: () => actions.show(name.toLowerCase()),
        })),
        { type: "separator" },
        { label: "Command Palette", accelerator: "CmdOrCtrl+K", click: () => actions.show("palette") },
        { type: "separator" },
        { role: "resetZoom" },
        { role: "zoomIn" },
        { role: "zoomOut" },
        { role: "togglefullscreen" },
        { role: "toggleDevTools" },
        { label: "Restart Window", click: () => actions.restartWindow() },
      ],
    },
    {
      label: "F&light",
      submenu: [
        { label: "HOLD", accelerator: "F9", click: () => actions.emergency("hold", "menu") },
        {
          label: "LAND",
          accelerator: "Shift+L",
          registerAccelerator: windowLost,
          click: () => actions.emergency("land", "menu"),
        },
      ],
    },
    {
      label: "&Help",
      submenu: [{ label: "About Kingfisher", click: () => actions.show("about") }],
    },
  ];
}
