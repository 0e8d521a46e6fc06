import { happenings } from "#contract/happenings";
import type { Settings } from "#contract/settings";
import { open } from "../alerts/order";
import { pressEmergency, type Stores, tell } from "../stores/stores";
import { setupSections, type Workspace, workspaces } from "../stores/ui";

/** One thing the operator can do: the same entry for the keyboard, the palette and the menus. */
export interface Action {
  readonly id: string;
  readonly section: "Emergency" | "Go to" | "Mission" | "Decision" | "Alerts" | "Appearance" | "Simulation";
  readonly title: string;
  /** As the matcher reads it; null where the key belongs to a place (see `hint`). */
  readonly chord: string | null;
  /** What is printed beside it. */
  readonly keys: string;
  run(): void;
}

const workspace_titles: Readonly<Record<Workspace, string>> = {
  fly: "Fly",
  programs: "Programs",
  review: "Review",
  evaluate: "Evaluate",
  setup: "Setup",
};
export const workspaceTitle = (workspace: Workspace): string => workspace_titles[workspace];

/** Changes one part of the settings; the station checks, stores and announces them. */
export function changeSettings(stores: Stores, change: (settings: Settings) => Settings): Promise<boolean> {
  return tell(stores, stores.bridge.request("settings.set", change(stores.settings.getState())));
}

const appearance = (stores: Stores, change: Partial<Settings["appearance"]>): void => {
  void changeSettings(stores, (settings) => ({
    ...settings,
    appearance: { ...settings.appearance, ...change },
  }));
};

function decision(stores: Stores, ask: "focus" | "edit" | "reject" | "take_over"): void {
  stores.ui.setState(({ decision: { count } }) => ({
    workspace: "fly",
    decision: { count: count + 1, ask },
  }));
}

const action = (
  section: Action["section"],
  title: string,
  chord: string | null,
  run: () => void,
  keys = chord ?? "",
): Action => ({ id: `${section}/${title}`, section, title, chord, keys, run });

export function createActions(stores: Stores): readonly Action[] {
  const { bridge, ui } = stores;
  const mute = (minutes: number): void => void tell(stores, bridge.request("alerts.mute", { minutes }));
  const acknowledge = (id: string | null): void =>
    void tell(stores, bridge.request("alerts.acknowledge", { id }));
  return [
    action("Emergency", "HOLD: stop where it is", null, () => pressEmergency(stores, "hold"), "F9, Space"),
    action("Emergency", "LAND here", null, () => pressEmergency(stores, "land"), "Shift+L"),
    action("Emergency", "KILL: lift the cover", "Shift+K", () =>
      ui.setState(({ kill_cover }) => ({ kill_cover: kill_cover + 1 })),
    ),
    ...workspaces.map((workspace, index) =>
      action("Go to", workspaceTitle(workspace), `Ctrl+${index + 1}`, () => ui.setState({ workspace })),
    ),
    ...setupSections.map(([setup_section, title]) =>
      action(
        "Go to",
        `Setup: ${title}`,
        null,
        () => ui.setState({ workspace: "setup", setup_section }),
        "Ctrl+5, arrows",
      ),
    ),
    action("Mission", "Say a mission", "Ctrl+I", () =>
      ui.setState(({ composer_focus }) => ({
        workspace: "fly",
        fly_tab: "mission",
        composer_focus: composer_focus + 1,
      })),
    ),
    action(
      "Mission",
      "Hand back and go on",
      "Ctrl+Shift+B",
      () => void tell(stores, bridge.request("mission.hand_back", {})),
    ),
    action(
      "Mission",
      "End the mission and hold",
      "Ctrl+Shift+X",
      () => void tell(stores, bridge.request("mission.cancel", {})),
    ),
    action("Decision", "Go to the decision", "Ctrl+J", () => decision(stores, "focus")),
    action("Decision", "Edit the proposal", null, () => decision(stores, "edit"), "E in the card"),
    action("Decision", "Reject with a reason", null, () => decision(stores, "reject"), "R in the card"),
    action("Decision", "Take over", null, () => decision(stores, "take_over"), "T in the card"),
    action("Alerts", "Acknowledge the first alert", "Alt+A", () => {
      const [first] = open(stores.alerts.getState().alerts);
      if (first !== undefined) acknowledge(first.id);
    }),
    action("Alerts", "Acknowledge all alerts", "Alt+Shift+A", () => acknowledge(null)),
    action("Alerts", "Mute cautions for 1 minute", "Alt+1", () => mute(1)),
    action("Alerts", "Mute cautions for 5 minutes", "Alt+5", () => mute(5)),
    action("Alerts", "Mute cautions for 15 minutes", "Alt+9", () => mute(15)),
    action("Alerts", "End the mute", "Alt+0", () => mute(0)),
    action("Appearance", "Dark theme", "Ctrl+Alt+1", () => appearance(stores, { theme: "dark" })),
    action("Appearance", "Sunlight theme", "Ctrl+Alt+2", () => appearance(stores, { theme: "sunlight" })),
    action("Appearance", "High contrast theme", "Ctrl+Alt+3", () =>
      appearance(stores, { theme: "contrast" }),
    ),
    action("Appearance", "Switch metres and feet", "Ctrl+Alt+U", () => {
      const { units } = stores.settings.getState().appearance;
      appearance(stores, { units: units === "metric" ? "feet" : "metric" });
    }),
    ...simulated(stores),
  ];
}

/** Trouble to order, where the world is the embedded vehicle's. */
function simulated(stores: Stores): readonly Action[] {
  const { simulation, pushable } = stores.station.getState();
  // No other simulator can be told to push things.
  if (!simulation || pushable.length === 0) return [];
  const { bridge } = stores;
  return [
    ...pushable.map((object) =>
      action(
        "Simulation",
        `Push ${object}`,
        null,
        () => void tell(stores, bridge.request("scene.push", { object })),
      ),
    ),
    ...happenings.map(({ id, title }) =>
      action("Simulation", title, null, () => void tell(stores, bridge.request("scene.happen", { id }))),
    ),
  ];
}

/** Entries that hold every word of the query, those that begin with it first. */
export function searchActions(actions: readonly Action[], query: string): readonly Action[] {
  const needles = query.toLowerCase().split(/\s+/).filter(Boolean);
  const starts = (action: Action): number =>
    action.title.toLowerCase().startsWith(needles[0] ?? "") ? 0 : 1;
  return actions
    .filter((action) => {
      const text = `${action.section} ${action.title}`.toLowerCase();
      return needles.every((needle) => text.includes(needle));
    })
    .map((action, index) => ({ action, index }))
    .sort((a, b) => starts(a.action) - starts(b.action) || a.index - b.index)
    .map(({ action }) => action);
}
