import { Focus, Layers as LayersIcon, Ruler, Telescope } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { Button } from "../ui/Button";
import type { Layers } from "./scene/twin-state";
import { type ViewName, viewNames } from "./scene/views";
import css from "./TwinPanel.module.css";

interface Props {
  readonly view: ViewName;
  readonly onView: (view: ViewName) => void;
  readonly onFrame: () => void;
  readonly measuring: boolean;
  readonly onMeasure: (on: boolean) => void;
  readonly layers: Layers;
  readonly onLayers: (layers: Layers) => void;
  /** Whether ground truth is shown; null where there is none to show. */
  readonly spectating: boolean | null;
  readonly onSpectate: (on: boolean) => void;
}

const viewTitle: Record<ViewName, string> = {
  follow: "Follow the vehicle",
  top: "From above, north up",
  side: "From the south",
  eye: "Through the vehicle's camera",
  free: "Free: drag to turn, wheel to zoom, right drag to move",
};
const layerLabel: Record<keyof Layers, string> = {
  fence: "Geofence",
  labels: "Labels and metres",
  camera: "Camera view volume",
  trail: "Flown path",
};
const layerNames = ["fence", "labels", "camera", "trail"] as const satisfies readonly (keyof Layers)[];

export function Toolbar(props: Props) {
  const { view, onView, onFrame, measuring, onMeasure, layers, onLayers, spectating, onSpectate } = props;
  return (
    <div className={css.tools} role="toolbar" aria-label="Twin views and tools" aria-orientation="vertical">
      <div className={css.views} role="group" aria-label="View">
        {viewNames.map((name) => (
          <button
            key={name}
            type="button"
            title={viewTitle[name]}
            aria-pressed={view === name}
            onClick={() => onView(name)}
          >
            {name.charAt(0).toUpperCase() + name.slice(1)}
          </button>
        ))}
      </div>
      <Button size="small" title="Frame the selection (F)" aria-label="Frame the selection" onClick={onFrame}>
        <Focus size={15} aria-hidden />
      </Button>
      <Button
        size="small"
        title="Measure between two points"
        aria-label="Measure between two points"
        aria-pressed={measuring}
        onClick={() => onMeasure(!measuring)}
      >
        <Ruler size={15} aria-hidden />
      </Button>
      {spectating !== null && (
        <Button
          size="small"
          title="Ground truth of the simulation, for a spectator: the vehicle knows nothing of it"
          aria-label="Ground truth, for a spectator"
          aria-pressed={spectating}
          onClick={() => onSpectate(!spectating)}
        >
          <Telescope size={15} aria-hidden />
        </Button>
      )}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <Button size="small" title="What is drawn" aria-label="What is drawn">
            <LayersIcon size={15} aria-hidden />
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={css.menu} align="end" side="left" sideOffset={6}>
            {layerNames.map((name) => (
              <DropdownMenu.CheckboxItem
                key={name}
                checked={layers[name]}
                onCheckedChange={(on) => onLayers({ ...layers, [name]: on })}
                onSelect={(e) => e.preventDefault()}
              >
                <span aria-hidden>{layers[name] ? "✓" : ""}</span>
                {layerLabel[name]}
              </DropdownMenu.CheckboxItem>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </div>
  );
}
