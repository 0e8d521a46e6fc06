import { createStore, type StoreApi } from "zustand/vanilla";
import type { Stores } from "../../stores/stores";
import { changed, dragCancelled, dragged, dropped, type History, historyOf, redone, undone } from "./history";
import {
  emptyFence,
  type FenceDraft,
  fewest_corners,
  type Handle,
  handlesOf,
  type Point,
  withCircle,
  withHandleAt,
  withoutCorner,
  withoutZone,
  withPolygon,
  type Zone,
  zoneOf,
} from "./zones";

/** What a click in the picture means. */
export type Tool =
  | { readonly kind: "select" }
  | { readonly kind: "polygon"; readonly keep: Zone["keep"]; readonly corners: readonly Point[] }
  | { readonly kind: "circle"; readonly keep: Zone["keep"]; readonly centre: Point | null };

export interface FenceEditorState {
  readonly history: History<FenceDraft>;
  readonly selected: { readonly zone: string; readonly index: number | null } | null;
  readonly tool: Tool;
}
type FenceEditorStore = StoreApi<FenceEditorState>;

const select: Tool = { kind: "select" };
const editors = new WeakMap<Stores, FenceEditorStore>();

/** The fence being drawn. It outlives its panel: looking at another section must not lose work. */
export function fenceEditorOf(stores: Stores): FenceEditorStore {
  const known = editors.get(stores);
  if (known !== undefined) return known;
  const store = createStore<FenceEditorState>(() => ({
    history: historyOf(emptyFence),
    selected: null,
    tool: select,
  }));
  editors.set(stores, store);
  return store;
}

/** Everything that can be done to the draft, so that mouse, keyboard and number fields do the same. */
export interface FenceActs {
  change(next: FenceDraft): void;
  /** Replaces the draft by one from a file or the vehicle; the old one can be had back with undo. */
  load(next: FenceDraft): void;
  drag(handle: Handle, to: Point): void;
  drop(): void;
  cancel(): void;
  undo(): void;
  redo(): void;
  select(selected: FenceEditorState["selected"]): void;
  begin(kind: "polygon" | "circle", keep: Zone["keep"]): void;
  /** A click on the ground while a tool is out. */
  click(at: Point): void;
  /** Ends a polygon that has corners enough; false when it has not. */
  finish(): boolean;
  /** The tool's shape without drawing it: a square or circle of this half size about a point. */
  place(centre: Point, half_m: number): void;
  /** Takes away the selected corner, or the selected zone. */
  remove(): void;
}

export function fenceActs(store: FenceEditorStore): FenceActs {
  const set = (part: Partial<FenceEditorState>): void => store.setState(part);
  const draft = (): FenceDraft => store.getState().history.present;
  const change = (next: FenceDraft): void => set({ history: changed(store.getState().history, next) });
  const added = (next: FenceDraft): void => {
    change(next);
    set({ tool: select, selected: { zone: next.zones.at(-1)?.id ?? "", index: null } });
  };
  // What is still there stays selected.
  const moved = (history: History<FenceDraft>): void => {
    const { selected } = store.getState();
    const zone = zoneOf(history.present, selected?.zone ?? null);
    const index = selected?.index ?? null;
    const there = index !== null && zone !== undefined && index < handlesOf(zone).length;
    set({ history, selected: zone === undefined ? null : { zone: zone.id, index: there ? index : null } });
  };
  return {
    change,
    load: (next) => {
      change(next);
      set({ selected: null, tool: select });
    },
    drag: (handle, to) =>
      set({ history: dragged(store.getState().history, withHandleAt(draft(), handle, to)) }),
    drop: () => set({ history: dropped(store.getState().history) }),
    cancel: () => set({ history: dragCancelled(store.getState().history), tool: select }),
    undo: () => moved(undone(store.getState().history)),
    redo: () => moved(redone(store.getState().history)),
    select: (selected) => set({ selected }),
    begin: (kind, keep) =>
      set({
        tool: kind === "polygon" ? { kind, keep, corners: [] } : { kind, keep, centre: null },
        selected: null,
      }),
    click: (at) => {
      const { tool } = store.getState();
      if (tool.kind === "polygon") set({ tool: { ...tool, corners: [...tool.corners, at] } });
      if (tool.kind !== "circle") return;
      if (tool.centre === null) set({ tool: { ...tool, centre: at } });
      else {
        const radius_m = Math.hypot(at[0] - tool.centre[0], at[1] - tool.centre[1]);
        added(withCircle(draft(), tool.keep, tool.centre, radius_m));
      }
    },
    finish: () => {
      const { tool } = store.getState();
      if (tool.kind !== "polygon" || tool.corners.length < fewest_corners) return false;
      added(withPolygon(draft(), tool.keep, tool.corners));
      return true;
    },
    place: ([east, north], half_m) => {
      const { tool } = store.getState();
      if (tool.kind === "circle") added(withCircle(draft(), tool.keep, [east, north], half_m));
      if (tool.kind !== "polygon") return;
      const corners: readonly Point[] = [
        [east - half_m, north - half_m],
        [east + half_m, north - half_m],
        [east + half_m, north + half_m],
        [east - half_m, north + half_m],
      ];
      added(withPolygon(draft(), tool.keep, corners));
    },
    remove: () => {
      const { selected } = store.getState();
      if (selected === null) return;
      const zone = zoneOf(draft(), selected.zone);
      if (selected.index !== null && zone?.kind === "polygon") {
        change(withoutCorner(draft(), { zone: selected.zone, index: selected.index }));
        set({ selected: { zone: selected.zone, index: null } });
      } else {
        change(withoutZone(draft(), selected.zone));
        set({ selected: null });
      }
    },
  };
}
