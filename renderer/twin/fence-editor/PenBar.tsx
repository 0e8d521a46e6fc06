import { useSettingsStore, useStationStore, useVehicleStore } from "../../stores/context";
import { Button } from "../../ui/Button";
import { length } from "../../ui/format";
import css from "./FenceEditor.module.css";
import type { FenceActs, Tool } from "./store";
import { fewest_corners, type Point, snapped } from "./zones";

const half_m = 1.5;

/** While a tool is out: what the next click does, and the way without a mouse. */
export function PenBar({ acts, tool }: { readonly acts: FenceActs; readonly tool: Tool }) {
  const units = useSettingsStore((settings) => settings.appearance.units);
  const vehicle = useVehicleStore((state) => state.position_enu_m);
  const pad = useStationStore((station) => station.site?.pad_enu_m ?? null);
  if (tool.kind === "select") return null;
  const [east = 0, north = 0] = vehicle ?? pad ?? [];
  const about: Point = [snapped(east), snapped(north)];
  const what = tool.kind === "polygon" ? "square" : "circle";
  return (
    <div className={css.pen}>
      <span role="status">{nextStep(tool)}</span>
      {tool.kind === "polygon" && tool.corners.length >= fewest_corners && (
        <Button size="small" tone="intent" onClick={() => acts.finish()}>
          Finish
        </Button>
      )}
      {(tool.kind === "circle" ? tool.centre === null : tool.corners.length === 0) && (
        <Button size="small" onClick={() => acts.place(about, half_m)}>
          Place a {what} of {length(2 * half_m, units, 1)} at the vehicle
        </Button>
      )}
      <Button size="small" onClick={() => acts.cancel()}>
        Give up
      </Button>
    </div>
  );
}

function nextStep(tool: Exclude<Tool, { readonly kind: "select" }>): string {
  if (tool.kind === "circle") return tool.centre === null ? "Click the centre" : "Click a point of the edge";
  const missing = fewest_corners - tool.corners.length;
  if (missing > 0) return `Click ${missing === fewest_corners ? "the first corner" : `${missing} more`}`;
  return `${tool.corners.length} corners: click on, or finish`;
}
