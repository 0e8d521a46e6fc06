import { useMemo } from "react";
import { useStore } from "zustand";
import { useSettingsStore, useStores, useVehicleStore } from "../../stores/context";
import { judgeFence } from "../../twin/fence-editor/judge";
import { lengthUnit } from "../../twin/fence-editor/length-unit";
import { fenceActs, fenceEditorOf } from "../../twin/fence-editor/store";
import { ZoneList } from "../../twin/fence-editor/ZoneList";
import { Button } from "../../ui/Button";
import { length } from "../../ui/format";
import { NumberField } from "../../ui/NumberField";
import { parametersOf, rowsOf } from "../parameters/store";
import { Word } from "../parts";
import { ceilingOf, ceilingRow } from "./ceiling";
import css from "./Plan.module.css";

/** What there is of a fence: the tools to draw it, its zones in numbers, its ceiling, and what is wrong with it. */
export function FencePart() {
  const stores = useStores();
  const store = fenceEditorOf(stores);
  const acts = useMemo(() => fenceActs(store), [store]);
  const draft = useStore(store, (state) => state.history.present);
  const tool = useStore(store, (state) => state.tool);
  return (
    <>
      <div className={css.tools} role="group" aria-label="Draw">
        {(["in", "out"] as const).map((keep) =>
          (["polygon", "circle"] as const).map((kind) => (
            <Button
              key={`${keep}-${kind}`}
              size="small"
              aria-pressed={tool.kind === kind && tool.keep === keep}
              onClick={() => acts.begin(kind, keep)}
            >
              Keep-{keep} {kind === "polygon" ? "area" : "circle"}
            </Button>
          )),
        )}
      </div>
      {draft.zones.length === 0 && (
        <p className={css.quiet}>
          Nothing is drawn. Choose what to draw and click its corners in the picture, or place one at the
          vehicle.
        </p>
      )}
      <ZoneList />
      <Ceiling />
      <Problems />
    </>
  );
}

function Ceiling() {
  const stores = useStores();
  const store = fenceEditorOf(stores);
  const acts = useMemo(() => fenceActs(store), [store]);
  const draft = useStore(store, (state) => state.history.present);
  const rows = useStore(parametersOf(stores), rowsOf);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const limit_m = useSettingsStore((settings) => settings.limits.ceiling_m);
  const unit = lengthUnit(units);
  const row = ceilingRow(rows);
  const on_vehicle_m = ceilingOf(row);
  return (
    <div className={css.ceiling}>
      <b>Ceiling</b>
      {draft.ceiling_m === null ? (
        <Button
          size="small"
          aria-disabled={row === null}
          onClick={() => row !== null && acts.change({ ...draft, ceiling_m: on_vehicle_m ?? limit_m })}
        >
          Set one
        </Button>
      ) : (
        <>
          <NumberField
            label="Ceiling above home"
            value={draft.ceiling_m / unit.per_m}
            digits={2}
            min={0.5 / unit.per_m}
            max={500}
            unit={unit.name}
            onCommit={(value) => acts.change({ ...draft, ceiling_m: value * unit.per_m })}
          />
          <span>{unit.name}</span>
          <Button size="small" onClick={() => acts.change({ ...draft, ceiling_m: null })}>
            Leave as it is
          </Button>
        </>
      )}
      <small>
        {row === null
          ? "The vehicle's ceiling is not known yet."
          : `On the vehicle: ${on_vehicle_m === null ? "none" : length(on_vehicle_m, units)} (${row.name}).`}{" "}
        The station's own limit is {length(limit_m, units)}.
      </small>
    </div>
  );
}

function Problems() {
  const stores = useStores();
  const draft = useStore(fenceEditorOf(stores), (state) => state.history.present);
  const limit_ceiling_m = useSettingsStore((settings) => settings.limits.ceiling_m);
  const east = useVehicleStore((vehicle) => rough(vehicle.position_enu_m?.[0]));
  const north = useVehicleStore((vehicle) => rough(vehicle.position_enu_m?.[1]));
  const vehicle = east === null || north === null ? null : ([east, north] as const);
  const problems = judgeFence(draft, { vehicle, limit_ceiling_m });
  return (
    <ul className={css.problems} aria-label="What is wrong with the fence">
      {problems.map(({ severity, text }) => (
        <li key={text}>
          <Word tone={severity === "blocks" ? "warning" : "caution"}>{text}</Word>
        </li>
      ))}
    </ul>
  );
}

/** Ten centimetres are enough to say whether the vehicle is inside, and do not draw the list anew with every sample. */
const rough = (value_m: number | undefined): number | null =>
  value_m === undefined ? null : Math.round(value_m * 10) / 10;
