import { OctagonAlert, TriangleAlert } from "lucide-react";
import { Popover } from "radix-ui";
import { type CSSProperties, useLayoutEffect, useRef, useState } from "react";
import {
  useLinksStore,
  useMissionStore,
  useNow,
  useSafetyStore,
  useSettingsStore,
  useStationStore,
  useVehicleStore,
} from "../stores/context";
import { arrange, type Cell, cellsOf, realm, type Tone, worstTone } from "./cells";
import css from "./FlightBar.module.css";

/** The cells of the flight bar; what has no room goes, from the left, into the status button. */
export function FlightCells() {
  const station = useStationStore((state) => state);
  const vehicle = useVehicleStore((state) => state);
  const links = useLinksStore((state) => state.links);
  const mission = useMissionStore((state) => state);
  const safety = useSafetyStore((state) => state);
  const limits = useSettingsStore((state) => state.limits);
  const units = useSettingsStore((state) => state.appearance.units);
  const now_ms = useNow(200);
  const cells = cellsOf({ station, vehicle, links, mission, safety, limits, units, now_ms });
  const [ref, width_px] = useWidth();
  const { widths, dense, folded } = arrange(
    cells.map((cell) => cell.id),
    width_px,
  );
  const style = { "--realm": `${widths.realm}px` } as CSSProperties;
  return (
    <div
      ref={ref}
      className={css.cells}
      style={style}
      data-dense={dense || undefined}
      role="group"
      aria-label="Flight status"
    >
      <Realm folded={cells.slice(0, folded)} />
      {cells.slice(folded).map((cell) => (
        <CellView key={cell.id} cell={cell} width_px={widths.cells[cell.id]} />
      ))}
    </div>
  );
}

function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width_px, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width_px] as const;
}

/** Simulation or hardware: the first thing on the screen, and where the folded cells are found. */
function Realm({ folded }: { readonly folded: readonly Cell[] }) {
  const { kind, word, sub } = realm(useStationStore((station) => station));
  const inside = (
    <>
      <b>{word}</b>
      <span>{folded.length === 0 ? sub : "status ▾"}</span>
    </>
  );
  if (folded.length === 0) {
    return (
      <div className={css.realm} data-kind={kind}>
        {inside}
      </div>
    );
  }
  const tone = worstTone(folded.map((cell) => cell.tone));
  return (
    <Popover.Root>
      <Popover.Trigger className={css.realm} data-kind={kind} data-tone={tone}>
        {inside}
        <ToneIcon tone={tone} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={css.folded} align="start" sideOffset={6} aria-label="Flight status">
          {folded.map((cell) => (
            <div key={cell.id} className={css.foldedRow} data-tone={cell.tone}>
              <span>{cell.name}</span>
              <b>
                <ToneIcon tone={cell.tone} />
                {cell.main}
              </b>
              <span>{cell.sub}</span>
            </div>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function ToneIcon({ tone }: { readonly tone: Tone }) {
  if (tone === "quiet") return null;
  const Icon = tone === "warning" ? OctagonAlert : TriangleAlert;
  return <Icon size={13} role="img" aria-label={tone} className={css.toneIcon} />;
}

function CellView({ cell, width_px }: { readonly cell: Cell; readonly width_px: number }) {
  const style = { "--w": `${width_px}px` } as CSSProperties;
  if (cell.id === "safe") {
    return (
      <div
        className={css.safe}
        style={style}
        data-tone={cell.tone}
        title="S_safe: displacement of everything that must not move"
      >
        <b>{cell.main}</b>
        <div>
          <span className={css.safeName}>
            S_safe <ToneIcon tone={cell.tone} />
          </span>
          <span className={css.safeSub}>{cell.sub}</span>
        </div>
      </div>
    );
  }
  return (
    <div className={css.cell} style={style} data-tone={cell.tone}>
      <span className="visually-hidden">{cell.name}</span>
      <b title={cell.main}>
        <ToneIcon tone={cell.tone} />
        <span>{cell.main}</span>
      </b>
      <span title={cell.sub}>{cell.sub}</span>
    </div>
  );
}
