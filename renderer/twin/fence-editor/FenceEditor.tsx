import { Redo2, Undo2 } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Pose } from "#contract/geometry";
import { useSettingsStore, useStationStore, useStores } from "../../stores/context";
import { Button } from "../../ui/Button";
import { prefersStill, readToken } from "../environment";
import type { DrawnZone } from "../scene/fence-editor-model";
import { paletteFrom } from "../scene/palette";
import { emptyTwinState } from "../scene/twin-state";
import { type Project, TwinView } from "../scene/twin-view";
import type { ViewName } from "../scene/views";
import twin from "../TwinPanel.module.css";
import css from "./FenceEditor.module.css";
import { Handles } from "./Handles";
import { contains, judgeFence } from "./judge";
import { PenBar } from "./PenBar";
import { type FenceEditorState, fenceActs, fenceEditorOf } from "./store";
import { type FenceDraft, outlineOf, type Point, snapped, type Zone } from "./zones";

interface EditorProps {
  /** The fence that the vehicle keeps, drawn beside the draft; null while it is not known. */
  readonly kept: FenceDraft | null;
  readonly path_enu_m: readonly (readonly [number, number, number])[];
  readonly rally_enu_m: readonly (readonly [number, number, number])[];
}

const click_px = 5;
const views = ["top", "side", "free"] as const satisfies readonly ViewName[];
const viewWords = { top: "Top", side: "Side", free: "Free" } as const;

/** The twin as a drawing board: corners are clicked, dragged and moved by keys; nothing here reaches the vehicle. */
export function FenceEditor({ kept, path_enu_m, rally_enu_m }: EditorProps) {
  const stores = useStores();
  const store = fenceEditorOf(stores);
  const acts = useMemo(() => fenceActs(store), [store]);
  const { history, selected, tool } = useStore(store);
  const draft = history.present;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<TwinView | null>(null);
  const project = useRef<Project>(() => null);
  const onDrawn = useRef<(project: Project) => void>(() => undefined);
  const down = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const [view_name, setViewName] = useState<ViewName>("top");
  const theme = useSettingsStore((settings) => settings.appearance.theme);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const limit_ceiling_m = useSettingsStore((settings) => settings.limits.ceiling_m);
  const site = useStationStore((station) => station.site);

  useEffect(() => {
    if (host.current === null) return;
    const created = new TwinView(host.current, {
      time: stores.time,
      palette: paletteFrom(readToken),
      label_class: twin.labels ?? "",
      still: prefersStill(),
      live: true,
      onView: setViewName,
      onPick: () => undefined,
      onContext: () => undefined,
      onDrawn: (next) => {
        project.current = next;
        onDrawn.current(next);
      },
    });
    view.current = created;
    created.setView("top");
    let shown: Pose | null = null;
    const showPose = (v: ReturnType<typeof stores.vehicle.getState>): void => {
      const { position_enu_m, quat_flu_enu } = v;
      if (position_enu_m === null || quat_flu_enu === null) return;
      if (shown !== null && !movedVisibly(shown, { position_enu_m, quat_flu_enu })) return;
      shown = { position_enu_m, quat_flu_enu };
      created.pushPose({ at_ms: Math.max(v.position_at_ms ?? 0, v.attitude_at_ms ?? 0), ...shown });
    };
    showPose(stores.vehicle.getState());
    const cancel = stores.vehicle.subscribe(showPose);
    return () => {
      cancel();
      created.dispose();
      view.current = null;
    };
  }, [stores]);

  const first_theme = useRef(theme);
  useEffect(() => {
    if (first_theme.current === theme) return;
    first_theme.current = theme;
    const frame = requestAnimationFrame(() => view.current?.setPalette(paletteFrom(readToken)));
    return () => cancelAnimationFrame(frame);
  }, [theme]);
  useEffect(() => {
    view.current?.set({ site, units, layers: { ...emptyTwinState.layers, camera: false, trail: false } });
  }, [site, units]);
  useEffect(() => {
    const ceiling_m = draft.ceiling_m ?? limit_ceiling_m;
    const pen = tool.kind === "polygon" ? tool.corners : [];
    view.current?.set({
      editing: {
        zones: drawnZones(draft, kept, selected, limit_ceiling_m),
        pen,
        path_enu_m,
        rally_enu_m,
        ceiling_m,
        walls: view_name !== "top",
      },
    });
  }, [draft, kept, selected, tool, path_enu_m, rally_enu_m, limit_ceiling_m, view_name]);

  const ground = (client_x: number, client_y: number): Point | null => {
    const at = view.current?.ground(client_x, client_y) ?? null;
    return at === null ? null : [snapped(at[0]), snapped(at[1])];
  };
  const released = (event: PointerEvent): void => {
    const from = down.current;
    down.current = null;
    if (from === null || event.button !== 0) return;
    if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > click_px) return;
    const at = ground(event.clientX, event.clientY);
    if (at === null) return;
    if (tool.kind !== "select") acts.click(at);
    else {
      const zone = smallestUnder(draft, at);
      acts.select(zone === undefined ? null : { zone: zone.id, index: null });
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (editorKey(event, acts)) {
      event.preventDefault();
      return;
    }
    const turn = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.12], ArrowDown: [0, -0.12] }[
      event.key
    ];
    const zoom = event.key === "+" || event.key === "=" ? 0.85 : event.key === "-" ? 1.18 : 1;
    if (event.target !== host.current || (turn === undefined && zoom === 1)) return;
    event.preventDefault();
    view.current?.nudge(turn?.[0] ?? 0, turn?.[1] ?? 0, zoom);
  };

  return (
    <section className={css.editor} aria-label="Fence editor" onKeyDown={onKeyDown}>
      <div
        ref={host}
        className={twin.host}
        data-measuring={tool.kind !== "select"}
        role="application"
        tabIndex={0}
        aria-label="Drawing board. Click the ground to place corners; Enter ends a polygon, Escape gives it up. Arrow keys turn the view, plus and minus zoom."
        onPointerDown={(event) => {
          down.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerUp={released}
      />
      <Handles store={store} acts={acts} ground={ground} project={project} onDrawn={onDrawn} />
      <PenBar acts={acts} tool={tool} />
      <div className={css.tools}>
        <div className={css.views} role="group" aria-label="View">
          {views.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view_name === name}
              onClick={() => view.current?.setView(name)}
            >
              {viewWords[name]}
            </button>
          ))}
        </div>
        <Button
          size="small"
          aria-label="Undo"
          title="Undo (Ctrl+Z)"
          aria-disabled={history.past.length === 0}
          onClick={() => acts.undo()}
        >
          <Undo2 size={15} aria-hidden />
        </Button>
        <Button
          size="small"
          aria-label="Redo"
          title="Redo (Ctrl+Shift+Z)"
          aria-disabled={history.future.length === 0}
          onClick={() => acts.redo()}
        >
          <Redo2 size={15} aria-hidden />
        </Button>
      </div>
      <ul className={css.legend} aria-label="What the lines mean">
        <li data-line="in">keep in, drawn here</li>
        <li data-line="out">keep out, drawn here</li>
        {kept !== null && kept.zones.length > 0 && <li data-line="kept">on the vehicle</li>}
        {path_enu_m.length > 1 && <li data-line="path">mission</li>}
        <li data-line="site">bounds of the site</li>
      </ul>
    </section>
  );
}

/** On a board of metres the noise of an estimate is no movement: a picture a second costs everyone else time. */
function movedVisibly(from: Pose, to: Pose): boolean {
  const [a, b] = [from.position_enu_m, to.position_enu_m];
  const turn = Math.abs(from.quat_flu_enu.reduce((sum, q, i) => sum + q * (to.quat_flu_enu[i] ?? 0), 0));
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) > 0.02 || turn < 0.9995;
}

/** Of the zones under a point, the one with the least extent: a small one inside a large one can be reached. */
function smallestUnder(draft: FenceDraft, at: Point): Zone | undefined {
  const extent = (zone: Zone): number => {
    const east = outlineOf(zone, 16).map(([x]) => x);
    const north = outlineOf(zone, 16).map(([, y]) => y);
    return (Math.max(...east) - Math.min(...east)) * (Math.max(...north) - Math.min(...north));
  };
  return draft.zones.filter((zone) => contains(zone, at)).sort((a, b) => extent(a) - extent(b))[0];
}

function drawnZones(
  draft: FenceDraft,
  kept: FenceDraft | null,
  selected: FenceEditorState["selected"],
  limit_ceiling_m: number,
): readonly DrawnZone[] {
  const faulty = new Set(
    judgeFence(draft, { vehicle: null, limit_ceiling_m })
      .filter(({ severity }) => severity === "blocks")
      .map(({ zone }) => zone),
  );
  const drawn = (zone: Zone, state: DrawnZone["state"]): DrawnZone => ({
    outline: outlineOf(zone),
    keep: zone.keep,
    state,
    selected: zone.id === selected?.zone,
  });
  return [
    ...(kept?.zones ?? []).map((zone) => drawn(zone, "vehicle")),
    ...draft.zones.map((zone) => drawn(zone, faulty.has(zone.id) ? "faulty" : "draft")),
  ];
}

/** Keys of the whole board; true when the key was one of ours. */
function editorKey(event: KeyboardEvent, acts: ReturnType<typeof fenceActs>): boolean {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === "z" && !event.shiftKey) acts.undo();
  else if (control && (key === "y" || (key === "z" && event.shiftKey))) acts.redo();
  else if (control || event.altKey) return false;
  else if (event.key === "Escape") acts.cancel();
  else if (event.key === "Delete" || event.key === "Backspace") acts.remove();
  else if (event.key === "Enter" && event.currentTarget.contains(event.target as Node)) {
    return (event.target as HTMLElement).tagName !== "BUTTON" && acts.finish();
  } else return false;
  return true;
}
