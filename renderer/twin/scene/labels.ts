import { length } from "../../ui/format";
import { measured, type Tightest } from "./distances";
import { gridNumbers } from "./floor";
import type { Label } from "./label-layer";
import { middle } from "./measure-model";
import { objectText, type SeenObject } from "./seen-objects";
import { siteBox, type TwinState } from "./twin-state";

/** The words of the present scene. `sparse` leaves only the urgent ones and the selection: for small panels. */
export function labelsOf(state: TwinState, tightest: Tightest | null, sparse: boolean): readonly Label[] {
  const out: Label[] = [];
  if (state.layers.labels) {
    gridNumbers(siteBox(state.site)).forEach(({ text, at }, i) => {
      out.push({ id: `grid-${i}`, text, tone: "muted", at, priority: 0, plain: true });
    });
  }
  for (const object of state.objects) {
    const urgent = object.alarm !== "none" || object.moved;
    if ((sparse || !state.layers.labels) && !urgent && object.id !== state.selected) continue;
    out.push(objectLabel(object, state));
  }
  const { plan } = state;
  if (plan !== null && tightest !== null && plan.clearance_m !== null) {
    out.push({
      id: "clearance",
      text: `clearance ${length(plan.clearance_m, state.units)}`,
      tone:
        plan.clearance_state === "pass" ? "machine" : plan.clearance_state === "fail" ? "warning" : "caution",
      at: middle(tightest.at_enu_m, tightest.against_enu_m),
      priority: 90,
    });
  }
  const [a, b] = state.measure;
  if (a !== undefined && b !== undefined) {
    const m = measured(a, b);
    out.push({
      id: "measure",
      text: `${length(m.straight_m, state.units)} · level ${length(m.level_m, state.units)} · up ${length(m.up_m, state.units)}`,
      tone: "intent",
      at: middle(a, b),
      priority: 95,
    });
  }
  return out;
}

function objectLabel(o: SeenObject, state: TwinState): Label {
  const tone =
    o.alarm === "stop"
      ? "warning"
      : o.alarm === "caution" || o.moved
        ? "caution"
        : o.id === state.selected
          ? "intent"
          : o.state === "seen"
            ? "text"
            : "muted";
  const priority = {
    stop: 100,
    caution: 80,
    none: o.id === state.selected ? 70 : o.state === "seen" ? 30 : 20,
  }[o.alarm];
  const [x, y, z] = o.position_enu_m;
  return {
    id: `object-${o.id}`,
    text: objectText(o, state.now_ms, state.units),
    tone,
    at: [x, y, z + o.size_m[2] / 2],
    priority,
  };
}
