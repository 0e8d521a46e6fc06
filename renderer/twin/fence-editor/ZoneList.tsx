import { Trash2 } from "lucide-react";
import { useMemo } from "react";
import { useStore } from "zustand";
import { useSettingsStore, useStores } from "../../stores/context";
import { Button } from "../../ui/Button";
import { length } from "../../ui/format";
import { NumberField } from "../../ui/NumberField";
import { Choice } from "../../ui/Toggle";
import { area_m2 } from "./judge";
import { lengthUnit } from "./length-unit";
import { type FenceActs, fenceActs, fenceEditorOf } from "./store";
import css from "./ZoneList.module.css";
import {
  type FenceDraft,
  fewest_corners,
  smallest_radius_m,
  withCornerAfter,
  withHandleAt,
  withKeep,
  withoutCorner,
  withoutZone,
  withRadius,
  type Zone,
  zoneName,
} from "./zones";

/** The fence in numbers: the same zones as in the picture, one opened at a time. */
export function ZoneList() {
  const stores = useStores();
  const store = fenceEditorOf(stores);
  const acts = useMemo(() => fenceActs(store), [store]);
  const { history, selected } = useStore(store);
  const draft = history.present;
  if (draft.zones.length === 0) return null;
  return (
    <ul className={css.zones} aria-label="Zones">
      {draft.zones.map((zone) => (
        <li key={zone.id} data-open={zone.id === selected?.zone}>
          <button
            type="button"
            className={css.zone}
            aria-expanded={zone.id === selected?.zone}
            onClick={() => acts.select(zone.id === selected?.zone ? null : { zone: zone.id, index: null })}
          >
            <i data-keep={zone.keep} aria-hidden />
            <b>{zoneName(draft, zone)}</b>
            <span>{zone.kind === "circle" ? "circle" : `${zone.corners.length} corners`}</span>
          </button>
          {zone.id === selected?.zone && <Opened zone={zone} draft={draft} acts={acts} />}
        </li>
      ))}
    </ul>
  );
}

interface OpenedProps {
  readonly zone: Zone;
  readonly draft: FenceDraft;
  readonly acts: FenceActs;
}

function Opened({ zone, draft, acts }: OpenedProps) {
  const units = useSettingsStore((settings) => settings.appearance.units);
  return (
    <div className={css.opened}>
      <div className={css.row}>
        <Choice
          label="Side of the fence"
          value={zone.keep}
          options={[
            ["in", "Keep in"],
            ["out", "Keep out"],
          ]}
          onChange={(keep) => acts.change(withKeep(draft, zone.id, keep))}
        />
        <Button
          size="small"
          aria-label={`Delete ${zoneName(draft, zone)}`}
          onClick={() => {
            acts.change(withoutZone(draft, zone.id));
            acts.select(null);
          }}
        >
          <Trash2 size={13} aria-hidden /> Delete
        </Button>
      </div>
      {zone.kind === "polygon" ? (
        <>
          <Corners zone={zone} draft={draft} acts={acts} />
          <p>
            {units === "metric"
              ? `${Math.abs(area_m2(zone.corners)).toFixed(1)} m²`
              : `${(Math.abs(area_m2(zone.corners)) / 0.3048 ** 2).toFixed(0)} ft²`}
          </p>
        </>
      ) : (
        <CircleFields zone={zone} draft={draft} acts={acts} />
      )}
    </div>
  );
}

function Corners({ zone, draft, acts }: OpenedProps & { readonly zone: Extract<Zone, { kind: "polygon" }> }) {
  const unit = lengthUnit(useSettingsStore((settings) => settings.appearance.units));
  const selected = useStore(fenceEditorOf(useStores()), (state) => state.selected?.index ?? null);
  return (
    <table className={css.corners}>
      <thead>
        <tr>
          <th scope="col">Corner</th>
          <th scope="col">East, {unit.name}</th>
          <th scope="col">North, {unit.name}</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {zone.corners.map(([east, north], index) => {
          const handle = { zone: zone.id, index };
          const field = (axis: "East" | "North", value_m: number) => (
            <NumberField
              label={`${axis} of corner ${index + 1}`}
              value={value_m / unit.per_m}
              digits={unit.digits}
              min={-unit.most}
              max={unit.most}
              unit={unit.name}
              onFocus={() => acts.select(handle)}
              onCommit={(value) => {
                const to_m = value * unit.per_m;
                acts.change(withHandleAt(draft, handle, axis === "East" ? [to_m, north] : [east, to_m]));
              }}
            />
          );
          return (
            <tr key={`${zone.id}/${index}`} data-selected={selected === index}>
              <th scope="row">{index + 1}</th>
              <td>{field("East", east)}</td>
              <td>{field("North", north)}</td>
              <td>
                <Button
                  size="small"
                  aria-label={`New corner after ${index + 1}`}
                  title="New corner after this one"
                  onClick={() => acts.change(withCornerAfter(draft, zone.id, index))}
                >
                  +
                </Button>
                <Button
                  size="small"
                  aria-label={`Delete corner ${index + 1}`}
                  title={
                    zone.corners.length > fewest_corners ? "Delete this corner" : "An area has three corners"
                  }
                  aria-disabled={zone.corners.length <= fewest_corners}
                  onClick={() => acts.change(withoutCorner(draft, handle))}
                >
                  −
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function CircleFields({
  zone,
  draft,
  acts,
}: OpenedProps & { readonly zone: Extract<Zone, { kind: "circle" }> }) {
  const units = useSettingsStore((settings) => settings.appearance.units);
  const unit = lengthUnit(units);
  const [east, north] = zone.centre;
  const centre = { zone: zone.id, index: 0 };
  const field = (label: string, value_m: number, min: number, take: (to_m: number) => FenceDraft) => (
    <label className={css.quantity}>
      {label}, {unit.name}
      <NumberField
        label={label}
        value={value_m / unit.per_m}
        digits={unit.digits}
        min={min}
        max={unit.most}
        unit={unit.name}
        onCommit={(value) => acts.change(take(value * unit.per_m))}
      />
    </label>
  );
  return (
    <>
      <div className={css.circle}>
        {field("Centre east", east, -unit.most, (to_m) => withHandleAt(draft, centre, [to_m, north]))}
        {field("Centre north", north, -unit.most, (to_m) => withHandleAt(draft, centre, [east, to_m]))}
        {field("Radius", zone.radius_m, smallest_radius_m / unit.per_m, (to_m) =>
          withRadius(draft, zone.id, to_m),
        )}
      </div>
      <p>{length(2 * zone.radius_m, units)} across</p>
    </>
  );
}
