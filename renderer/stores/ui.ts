import { createStore, type StoreApi } from "zustand/vanilla";

export const workspaces = ["fly", "programs", "review", "evaluate", "setup"] as const;
export type Workspace = (typeof workspaces)[number];
export const isWorkspace = (name: string): name is Workspace => workspaces.some((w) => w === name);

/** The sections of Setup, in the order of their list. */
export const setupSections = [
  ["links", "Links"],
  ["checks", "Arming checks"],
  ["parameters", "Parameters"],
  ["plan", "Plan and fence"],
  ["logs", "Logs and files"],
  ["position", "External position"],
  ["inspector", "Inspector"],
  ["limits", "Limits"],
  ["appearance", "Appearance"],
  ["alerts", "Alerts"],
  ["operator", "Operator"],
  ["about", "About"],
] as const;
export type SetupSection = (typeof setupSections)[number][0];

/** A short word from the station about something the operator just asked for (a refusal, a saved setting). */
export interface Notice {
  readonly id: number;
  readonly tone: "neutral" | "caution";
  readonly text: string;
}

/** What only this window knows. Nothing here may matter to the flight. */
export interface UiState {
  readonly workspace: Workspace;
  /** Whether the first snapshot of the station has arrived, or why it has not. */
  readonly snapshot: { readonly state: "waiting" | "ready" } | { readonly state: "failed"; reason: string };
  readonly palette_open: boolean;
  readonly notices: readonly Notice[];
  /** Object picked in the twin, a feed or a list (`ObjectDisplacement.id`, `TrackedObject.id`). */
  readonly selected_object: string | null;
  /** A file that Review is asked to open; Review sets it to null when it has taken it. */
  readonly review_path: string | null;
  /** Counts up when the composer should take the keyboard focus. */
  readonly composer_focus: number;
  /** Counts up when a key asks for the cover of KILL to be lifted. */
  readonly kill_cover: number;
  /** Counts up when the decision should take the focus, or one of its fields be opened. */
  readonly decision: { readonly count: number; readonly ask: "focus" | "edit" | "reject" | "take_over" };
  /** Which Fly panel is shown where there is room for only one. */
  readonly fly_tab: "feeds" | "twin" | "reasoning" | "mission";
  readonly setup_section: SetupSection;
}

const initial: UiState = {
  workspace: "fly",
  snapshot: { state: "waiting" },
  palette_open: false,
  notices: [],
  selected_object: null,
  review_path: null,
  composer_focus: 0,
  kill_cover: 0,
  decision: { count: 0, ask: "focus" },
  fly_tab: "twin",
  setup_section: "links",
};

export type UiStore = StoreApi<UiState>;
export const createUiStore = (over: Partial<UiState> = {}): UiStore =>
  createStore<UiState>(() => ({ ...initial, ...over }));

/** At most three at once: the oldest leaves. Equal text is not repeated. */
export function withNotice(state: UiState, tone: Notice["tone"], text: string): Pick<UiState, "notices"> {
  const others = state.notices.filter((notice) => notice.text !== text);
  const id = 1 + Math.max(0, ...state.notices.map((notice) => notice.id));
  return { notices: [...others, { id, tone, text }].slice(-3) };
}

export const withoutNotice = (state: UiState, id: number): Pick<UiState, "notices"> => ({
  notices: state.notices.filter((notice) => notice.id !== id),
});
