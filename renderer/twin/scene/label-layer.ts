import { type Camera, Vector3 } from "three";
import { type LabelWish, placeLabels, type Rect } from "./label-layout";

export type LabelTone = "text" | "muted" | "machine" | "intent" | "caution" | "warning";

export interface Label {
  readonly id: string;
  readonly text: string;
  readonly tone: LabelTone;
  readonly at: readonly [number, number, number];
  readonly priority: number;
  /** Plain numbers on the floor: no plate, no avoidance. */
  readonly plain?: boolean;
}

interface Shown {
  readonly element: HTMLSpanElement;
  text: string;
  width: number;
  height: number;
}

/**
 * Words over the picture as real text: sharp at every scale, in the app's own type and theme. The layer is decoration for
 * the eye; the same facts are in the panel's list for a screen reader.
 */
export class LabelLayer {
  readonly element: HTMLDivElement;
  readonly #shown = new Map<string, Shown>();
  readonly #point = new Vector3();

  constructor(document: Document, private_class: string) {
    this.element = document.createElement("div");
    this.element.className = private_class;
    this.element.setAttribute("aria-hidden", "true");
  }

  draw(
    labels: readonly Label[],
    camera: Camera,
    size: { width: number; height: number },
    clear: readonly Rect[],
  ): void {
    const wishes: LabelWish[] = [];
    const positions = new Map<string, readonly [number, number]>();
    const wanted = new Set<string>();
    for (const label of labels) {
      this.#point.fromArray(label.at).project(camera);
      if (this.#point.z > 1 || Math.abs(this.#point.x) > 1.1 || Math.abs(this.#point.y) > 1.1) continue;
      const x = (this.#point.x * 0.5 + 0.5) * size.width;
      const y = (-this.#point.y * 0.5 + 0.5) * size.height;
      wanted.add(label.id);
      const shown = this.#ensure(label);
      if (label.plain === true) positions.set(label.id, [x - shown.width / 2, y - shown.height / 2]);
      else
        wishes.push({
          id: label.id,
          x,
          y,
          width: shown.width,
          height: shown.height,
          priority: label.priority,
        });
    }
    for (const p of placeLabels(wishes, size, clear)) positions.set(p.id, [p.left, p.top]);
    for (const [id, shown] of this.#shown) {
      if (!wanted.has(id)) {
        shown.element.remove();
        this.#shown.delete(id);
        continue;
      }
      const at = positions.get(id);
      shown.element.style.visibility = at === undefined ? "hidden" : "visible";
      if (at !== undefined)
        shown.element.style.transform = `translate(${Math.round(at[0])}px, ${Math.round(at[1])}px)`;
    }
  }

  dispose(): void {
    this.#shown.clear();
    this.element.remove();
  }

  #ensure(label: Label): Shown {
    let shown = this.#shown.get(label.id);
    if (shown === undefined) {
      const element = this.element.ownerDocument.createElement("span");
      this.element.append(element);
      shown = { element, text: "", width: 0, height: 0 };
      this.#shown.set(label.id, shown);
    }
    const tone = label.plain === true ? "plain" : label.tone;
    if (shown.element.dataset["tone"] !== tone) shown.element.dataset["tone"] = tone;
    if (shown.text !== label.text) {
      shown.text = label.text;
      shown.element.textContent = label.text;
      shown.width = shown.element.offsetWidth;
      shown.height = shown.element.offsetHeight;
    }
    return shown;
  }
}
