import { useState } from "react";
import { placeLabels } from "../twin/scene/label-layout";
import css from "./Feeds.module.css";
import type { Detection, Fit, Mark } from "./layout";

const priority: Record<Mark, number> = { stop: 4, caution: 3, target: 2, selected: 1, plain: 0 };
const sign: Record<Mark, string> = { stop: "■ ", caution: "▲ ", target: "", selected: "", plain: "" };
const tag_height_px = 18;
/** Average advance of the tag's 11 px semi-bold type; the tag clips what does not fit. */
const letter_px = 6.2;

interface Props {
  readonly detections: readonly Detection[];
  readonly place: Fit;
  readonly onSelect: (id: string) => void;
}

/** Boxes on the picture with tags that do not cover each other; a click selects the object everywhere. */
export function Detections({ detections, place, onSelect }: Props) {
  const boxes = detections.map((d) => ({
    ...d,
    x: d.box.left * place.width,
    y: d.box.top * place.height,
    w: d.box.width * place.width,
    h: d.box.height * place.height,
  }));
  const [near, setNear] = useState(false);
  // Names of quiet objects would hide what they name: they come when the pointer does.
  const tagged = boxes.filter((b) => near || b.mark !== "plain");
  const tags = placeLabels(
    tagged.map((b) => ({
      id: b.id,
      x: b.x + b.w / 2,
      y: b.y,
      width: (sign[b.mark] + b.text).length * letter_px + 10,
      height: tag_height_px,
      priority: priority[b.mark],
    })),
    place,
  );
  const text = new Map(boxes.map((b) => [b.id, b]));
  return (
    <div
      className={css.overlay}
      onPointerEnter={() => setNear(true)}
      onPointerLeave={() => setNear(false)}
      style={{ left: place.left, top: place.top, width: place.width, height: place.height }}
    >
      {boxes.map((b) => (
        <button
          key={b.id}
          type="button"
          className={css.box}
          data-mark={b.mark}
          aria-label={`${sign[b.mark] === "" ? "" : "caution: "}${b.text}`}
          style={{ left: b.x, top: b.y, width: b.w, height: b.h }}
          onClick={() => onSelect(b.id)}
        />
      ))}
      {tags.map((t) => {
        const b = text.get(t.id);
        if (b === undefined) return null;
        return (
          <span
            key={t.id}
            className={css.tag}
            data-mark={b.mark}
            aria-hidden="true"
            style={{ left: t.left, top: t.top }}
          >
            {sign[b.mark]}
            {b.text}
          </span>
        );
      })}
    </div>
  );
}
