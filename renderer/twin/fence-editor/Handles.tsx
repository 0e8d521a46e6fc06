import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { useSettingsStore } from "../../stores/context";
import { length, type Units } from "../../ui/format";
import type { Project } from "../scene/twin-view";
import css from "./FenceEditor.module.css";
import type { FenceActs, fenceEditorOf } from "./store";
import { handlesOf, type Point, withCornerAfter, type Zone, zoneName, zoneOf } from "./zones";

interface HandlesProps {
  readonly store: ReturnType<typeof fenceEditorOf>;
  readonly acts: FenceActs;
  readonly ground: (client_x: number, client_y: number) => Point | null;
  readonly project: RefObject<Project>;
  readonly onDrawn: RefObject<(project: Project) => void>;
}

const fine_m = 0.05;
const coarse_m = 0.5;
const ways: Readonly<Record<string, Point>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Buttons that stand over the picture at the selected zone's corners: dragged by the mouse, moved by the arrow keys. */
export function Handles({ store, acts, ground, project, onDrawn }: HandlesProps) {
  const { history, selected } = useStore(store);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const layer = useRef<HTMLDivElement>(null);
  const draft = history.present;
  const zone = zoneOf(draft, selected?.zone ?? null);
  const points = placesOf(zone);

  const place = (to: Project): void => {
    const elements = layer.current?.children ?? [];
    points.forEach(({ at }, i) => {
      const element = elements[i] as HTMLElement | undefined;
      const spot = to([at[0], at[1], 0]);
      if (element === undefined) return;
      element.style.visibility = spot === null ? "hidden" : "visible";
      if (spot !== null) element.style.transform = `translate(${spot.x - 12}px, ${spot.y - 12}px)`;
    });
  };
  onDrawn.current = place;
  useEffect(() => place(project.current));

  if (zone === undefined) return null;
  const name = zoneName(draft, zone);
  const dragTo = (event: PointerEvent, index: number): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const at = ground(event.clientX, event.clientY);
    if (at !== null) acts.drag({ zone: zone.id, index }, at);
  };
  const onKey = (event: KeyboardEvent, index: number, at: Point): void => {
    const way = ways[event.key];
    if (way !== undefined) {
      const step_m = event.shiftKey ? coarse_m : fine_m;
      acts.drag({ zone: zone.id, index }, [at[0] + way[0] * step_m, at[1] + way[1] * step_m]);
    } else if (event.key === "Insert" && zone.kind === "polygon") {
      acts.change(withCornerAfter(draft, zone.id, index));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={layer} className={css.handles}>
      {points.map(({ at, index, kind }) =>
        kind === "corner" ? (
          <button
            key={`corner-${index}`}
            type="button"
            className={css.handle}
            data-selected={selected?.index === index}
            aria-label={`${handleName(zone, index)} of ${name}, ${placeText(at, units)}. Arrow keys move it.`}
            onFocus={() => acts.select({ zone: zone.id, index })}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              acts.select({ zone: zone.id, index });
            }}
            onPointerMove={(event) => dragTo(event, index)}
            onPointerUp={() => acts.drop()}
            onKeyDown={(event) => onKey(event, index, at)}
            onKeyUp={(event) => {
              // A held arrow is one movement, and one step for undo.
              if (ways[event.key] !== undefined) acts.drop();
            }}
            onBlur={() => acts.drop()}
          />
        ) : (
          <button
            key={`edge-${index}`}
            type="button"
            className={css.between}
            aria-label={`New corner after corner ${index + 1} of ${name}`}
            onClick={() => acts.change(withCornerAfter(draft, zone.id, index))}
          />
        ),
      )}
    </div>
  );
}

interface Place {
  readonly at: Point;
  readonly index: number;
  readonly kind: "corner" | "edge";
}

/** Corners, and between them the places where a new one can be put in. */
function placesOf(zone: Zone | undefined): readonly Place[] {
  if (zone === undefined) return [];
  const corners = handlesOf(zone).map((at, index): Place => ({ at, index, kind: "corner" }));
  if (zone.kind === "circle") return corners;
  const edges = zone.corners.map(([ax, ay], index): Place => {
    const [bx, by] = zone.corners[(index + 1) % zone.corners.length] ?? [ax, ay];
    return { at: [(ax + bx) / 2, (ay + by) / 2], index, kind: "edge" };
  });
  return [...corners, ...edges];
}

const handleName = (zone: Zone, index: number): string =>
  zone.kind === "polygon" ? `Corner ${index + 1}` : index === 0 ? "Centre" : "Edge";

const placeText = ([east, north]: Point, units: Units): string =>
  `east ${length(east, units)}, north ${length(north, units)}`;
