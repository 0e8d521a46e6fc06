import { useEffect, useMemo, useRef, useState } from "react";
import type { Enu } from "#contract/frames";
import {
  useApprovalStore,
  useMissionStore,
  usePerceptionStore,
  useSafetyStore,
  useSettingsStore,
  useStationStore,
  useStores,
  useUiStore,
  useVehicleStore,
} from "../stores/context";
import { isEditable } from "../ui/keys";
import { Panel } from "../ui/Panel";
import { prefersStill, readToken } from "./environment";
import { ObjectRecord } from "./ObjectRecord";
import { planOf } from "./plan";
import { Readout } from "./Readout";
import { defaultLens } from "./scene/lens";
import { paletteFrom } from "./scene/palette";
import { objectText, seenObjects } from "./scene/seen-objects";
import { emptyTwinState } from "./scene/twin-state";
import { TwinView } from "./scene/twin-view";
import type { ViewName } from "./scene/views";
import { useSpectator } from "./spectator";
import { Toolbar } from "./Toolbar";
import css from "./TwinPanel.module.css";
import { trailOf } from "./trails";
import { useFrustumPicture } from "./useFrustumPicture";

/** The live 3D twin: vehicle, room, perceived objects, what is proposed and what was done. */
export function TwinPanel() {
  const stores = useStores();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<TwinView | null>(null);
  const [view_name, setViewName] = useState<ViewName>("follow");
  const [lost, setLost] = useState(false);
  const [measuring, setMeasuring] = useState(false);
  const [measure, setMeasure] = useState<readonly Enu[]>([]);
  const [asked, setAsked] = useState(false);
  const [layers, setLayers] = useState(emptyTwinState.layers);
  const measuring_now = useRef(false);
  measuring_now.current = measuring;

  const theme = useSettingsStore((s) => s.appearance.theme);
  const units = useSettingsStore((s) => s.appearance.units);
  const limits = useSettingsStore((s) => s.limits);
  const site = useStationStore((s) => s.site);
  const airframe = useStationStore((s) => s.airframe ?? null);
  const station_ms = useStationStore((s) => s.now_ms);
  const embedded = useStationStore((s) => s.vehicle_kind === "embedded");
  const card = useApprovalStore((s) => s.card);
  const mission = useMissionStore((s) => s);
  const safety = useSafetyStore((s) => s);
  const report = usePerceptionStore((s) => s.report);
  const selected = useUiStore((s) => s.selected_object);
  const armed = useVehicleStore((s) => s.armed);
  const in_air = useVehicleStore((s) => s.landed !== "on_ground" && s.landed !== "unknown");
  const known = useVehicleStore((s) => s.position_enu_m !== null);
  const objects = useMemo(() => seenObjects(safety, report), [safety, report]);
  const plan = useMemo(() => planOf(card, mission, limits), [card, mission, limits]);

  useEffect(() => {
    if (host.current === null) return;
    let reported = false;
    const created = new TwinView(host.current, {
      time: stores.time,
      palette: paletteFrom(readToken),
      label_class: css.labels ?? "",
      still: prefersStill(),
      live: true,
      onView: setViewName,
      onPick: (pick) => {
        if (measuring_now.current) {
          if (pick !== null) setMeasure((m) => (m.length >= 2 ? [pick.point] : [...m, pick.point]));
        } else stores.ui.setState({ selected_object: pick?.object ?? null });
      },
      onContext: (state) => {
        setLost(state === "lost");
        if (state !== "drawn" || reported) return;
        reported = true;
        void stores.bridge.request("ui.drawn", { what: "twin" });
      },
    });
    view.current = created;
    const showPose = (v: ReturnType<typeof stores.vehicle.getState>): void => {
      if (v.position_enu_m === null || v.quat_flu_enu === null) return;
      const at_ms = Math.max(v.position_at_ms ?? 0, v.attitude_at_ms ?? 0);
      created.pushPose({ at_ms, position_enu_m: v.position_enu_m, quat_flu_enu: v.quat_flu_enu });
    };
    showPose(stores.vehicle.getState());
    const trail = trailOf(stores);
    created.set({ trail: trail.getState().trail });
    const cancels = [
      stores.vehicle.subscribe(showPose),
      trail.subscribe((s) => created.set({ trail: s.trail })),
    ];
    return () => {
      for (const cancel of cancels) cancel();
      created.dispose();
      view.current = null;
    };
  }, [stores]);

  const first_theme = useRef(theme);
  useEffect(() => {
    if (first_theme.current === theme) return;
    first_theme.current = theme;
    // The tokens of the new theme are in force only after the page's own style pass.
    const frame = requestAnimationFrame(() => view.current?.setPalette(paletteFrom(readToken)));
    return () => cancelAnimationFrame(frame);
  }, [theme]);

  useEffect(() => view.current?.set({ site }), [site]);
  useEffect(() => view.current?.set({ airframe }), [airframe]);
  useEffect(() => view.current?.set({ plan }), [plan]);
  useEffect(() => view.current?.set({ armed, in_air }), [armed, in_air]);
  useEffect(() => view.current?.set({ measure, layers, units }), [measure, layers, units]);
  useEffect(() => view.current?.set({ lens: report?.lens ?? defaultLens }), [report?.lens]);
  useEffect(
    () => view.current?.set({ objects, selected, now_ms: stores.clock.now_ms() }),
    [objects, selected, station_ms, stores],
  );
  useFrustumPicture(view, layers.camera);
  const truth = useSpectator(view, asked && embedded);

  useEffect(() => {
    const onKey = (e: KeyboardEvent): void => {
      if (e.key.toLowerCase() !== "f" || e.ctrlKey || e.metaKey || e.altKey || isEditable(e.target)) return;
      view.current?.frame();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  const step = (by: 1 | -1): void => {
    const at = objects.findIndex((o) => o.id === selected);
    const next = objects[(at + by + objects.length) % Math.max(1, objects.length)];
    if (next !== undefined) stores.ui.setState({ selected_object: next.id });
  };
  const onKeyDown = (e: React.KeyboardEvent): void => {
    const v = view.current;
    const handled = v !== null && twinKey(e.key, v, step);
    if (e.key === "Escape") {
      setMeasuring(false);
      setMeasure([]);
      stores.ui.setState({ selected_object: null });
    }
    if (handled) e.preventDefault();
  };
  const chosen = objects.find((o) => o.id === selected);

  return (
    <Panel title="Twin" right={<span>{objects.length === 0 ? "" : countText(objects.length)}</span>}>
      <div className={css.stage}>
        <div
          ref={host}
          className={css.host}
          data-measuring={measuring}
          role="application"
          tabIndex={0}
          aria-label="3D view. Arrow keys turn, plus and minus zoom, F frames the selection, brackets step through objects."
          onKeyDown={onKeyDown}
        />
        {lost && (
          <p className={css.veil} role="status">
            The 3D view lost its graphics context and is being rebuilt. The flight is not affected.
          </p>
        )}
        {!known && site === null && !lost && (
          <p className={css.veil}>
            Shows the vehicle, the room and what is proposed once a vehicle is connected (Setup, Links).
          </p>
        )}
        <Toolbar
          view={view_name}
          onView={(name) => view.current?.setView(name)}
          onFrame={() => view.current?.frame()}
          measuring={measuring}
          onMeasure={(on) => {
            setMeasuring(on);
            setMeasure([]);
          }}
          layers={layers}
          onLayers={setLayers}
          spectating={embedded ? asked : null}
          onSpectate={setAsked}
        />
        {truth !== "off" && (
          <p className={css.truth} role="status">
            {truth === "live" ? "GROUND TRUTH shown, dashed" : "Waiting for ground truth"}
            <small>For a spectator. The vehicle and the mission know nothing of it.</small>
          </p>
        )}
        {measuring && measure.length < 2 && (
          <p className={css.hint} role="status">
            {measure.length === 0 ? "Click the first point" : "Click the second point"}
          </p>
        )}
        {chosen !== undefined && (
          <ObjectRecord
            object={chosen}
            onClose={() => stores.ui.setState({ selected_object: null })}
            onFrame={() => view.current?.frame()}
          />
        )}
        <Readout />
        <ul className="visually-hidden" aria-label="Objects in the twin">
          {objects.map((o) => (
            <li key={o.id}>{objectText(o, station_ms, units)}</li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

const countText = (n: number): string => `${n} ${n === 1 ? "object" : "objects"}`;

/** Keys while the picture has the focus; true when the key was one of ours. */
function twinKey(key: string, view: TwinView, step: (by: 1 | -1) => void): boolean {
  const turn = 0.12;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => view.nudge(-turn, 0, 1),
    ArrowRight: () => view.nudge(turn, 0, 1),
    ArrowUp: () => view.nudge(0, turn, 1),
    ArrowDown: () => view.nudge(0, -turn, 1),
    "+": () => view.nudge(0, 0, 0.85),
    "=": () => view.nudge(0, 0, 0.85),
    "-": () => view.nudge(0, 0, 1.18),
    "]": () => step(1),
    "[": () => step(-1),
  };
  const act = keys[key];
  act?.();
  return act !== undefined;
}
