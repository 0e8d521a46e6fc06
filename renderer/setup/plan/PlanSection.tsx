import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { useLinkStore, useSettingsStore, useStores, useVehicleStore } from "../../stores/context";
import { FenceEditor } from "../../twin/fence-editor/FenceEditor";
import { fenceEditorOf } from "../../twin/fence-editor/store";
import { sameFence } from "../../twin/fence-editor/zones";
import { Button } from "../../ui/Button";
import { Choice } from "../../ui/Toggle";
import { followParameters } from "../parameters/store";
import { Nothing, Word } from "../parts";
import { FencePart } from "./FencePart";
import { draftOf, fenceOf, itemText, missionText, pathOf, planText, rallyPlaces, rallyText } from "./model";
import css from "./Plan.module.css";
import { adoptPlan, keptParts, openPlan, type Part, planOf, readPlan, savePlan } from "./store";
import { Upload } from "./Upload";

/** Fence, mission and rally points: drawn or opened here, sent on purpose, read back and compared. */
export function PlanSection() {
  const stores = useStores();
  const system_id = useVehicleStore((vehicle) => vehicle.system_id);
  const connected = useLinkStore((link) => link.connected);
  const { kept, mission, rally } = useStore(planOf(stores));
  const [part, setPart] = useState<Part>("fence");
  useEffect(() => followParameters(stores), [stores]);
  useEffect(() => {
    if (system_id !== null) void readPlan(stores);
  }, [stores, system_id]);
  const kept_plan = kept?.state === "ready" ? kept.value : null;
  const kept_fence = useMemo(() => (kept_plan === null ? null : draftOf(kept_plan.fence, null)), [kept_plan]);
  const path_enu_m = useMemo(() => pathOf(mission), [mission]);
  const rally_enu_m = useMemo(() => rallyPlaces(rally), [rally]);
  return (
    <div className={css.plan}>
      <div className={css.side}>
        <div className={css.head}>
          <Choice
            label="Part of the plan"
            value={part}
            options={[
              ["fence", "Fence"],
              ["mission", "Mission"],
              ["rally", "Rally"],
            ]}
            onChange={setPart}
          />
          <Button size="small" title="Open a .plan file" onClick={() => void openPlan(stores)}>
            Open
          </Button>
          <Button size="small" title="Save as a .plan file" onClick={() => void savePlan(stores)}>
            Save
          </Button>
        </div>
        <div className={css.part}>
          {part === "fence" && <FencePart />}
          {part === "mission" && <Mission />}
          {part === "rally" && <Rally />}
        </div>
        <Kept />
        <Upload connected={connected} />
      </div>
      <FenceEditor kept={kept_fence} path_enu_m={path_enu_m} rally_enu_m={rally_enu_m} />
    </div>
  );
}

/** What the vehicle keeps, and whether that is what is on the desk. */
function Kept() {
  const stores = useStores();
  const state = useStore(planOf(stores));
  const draft = useStore(fenceEditorOf(stores), ({ history }) => history.present);
  const { kept, source } = state;
  const equal = useMemo(() => {
    if (kept?.state !== "ready") return null;
    const { mission, rally } = keptParts(state, kept.value);
    // Vehicles keep polygons before circles, in whatever order they were drawn.
    return {
      fence: sameFence(draftOf(kept.value.fence, null), draftOf(fenceOf(draft), null)),
      mission,
      rally,
    };
  }, [kept, state, draft]);
  const all = equal !== null && equal.fence && equal.mission && equal.rally;
  return (
    <section className={css.kept} aria-label="On the vehicle">
      <h3>On the vehicle</h3>
      <span>
        {equal !== null && (all ? <Word tone="good">same as here</Word> : <>differs: {namesOf(equal)}</>)}
      </span>
      <p>
        {kept === null && "Not read yet."}
        {kept?.state === "waiting" && <Word tone="waiting">Reading</Word>}
        {kept?.state === "failed" && <Word tone="caution">{kept.reason}</Word>}
        {kept?.state === "ready" && planText(kept.value)}
      </p>
      <Button size="small" onClick={() => void readPlan(stores)}>
        Read again
      </Button>
      {source !== "" && <p className={css.quiet}>Here: from {source}</p>}
      {kept?.state === "ready" && !all && (
        <Button size="small" onClick={() => adoptPlan(stores, kept.value, "the vehicle")}>
          Take over to edit
        </Button>
      )}
    </section>
  );
}

const namesOf = (equal: Readonly<Record<Part, boolean>>): string =>
  (["fence", "mission", "rally"] as const).filter((part) => !equal[part]).join(", ");

function Mission() {
  const stores = useStores();
  const mission = useStore(planOf(stores), (state) => state.mission);
  const units = useSettingsStore((settings) => settings.appearance.units);
  if (mission.length === 0)
    return <Nothing what="No mission is here. Open a .plan file, or take over the vehicle's." />;
  return (
    <>
      <Clear what="mission" text={missionText(mission)} />
      <ol className={css.items} aria-label="Mission items">
        {mission.map((item, index) => {
          const { what, where } = itemText(item, units);
          return (
            <li key={`${index}/${item.command}`}>
              <span>{index + 1}</span>
              <div>
                <b>{what}</b>
                {where !== "" && <small>{where}</small>}
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Rally() {
  const stores = useStores();
  const rally = useStore(planOf(stores), (state) => state.rally);
  const units = useSettingsStore((settings) => settings.appearance.units);
  if (rally.length === 0)
    return <Nothing what="No rally points are here. Open a .plan file, or take over the vehicle's." />;
  return (
    <>
      <Clear what="rally" text={rallyText(rally)} />
      <ol className={css.items} aria-label="Rally points">
        {rally.map(({ position_enu_m }, index) => {
          const place = { label: "rally point", position_enu_m };
          const { where } = itemText({ ...noItem, ...place }, units);
          return (
            <li key={position_enu_m.join()}>
              <span>{index + 1}</span>
              <div>
                <b>Rally point</b>
                <small>{where}</small>
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}

const noItem = {
  command: 5100,
  frame: 3,
  params: [0, 0, 0, 0],
  x: 0,
  y: 0,
  z: 0,
  autocontinue: true,
} as const;

function Clear({ what, text }: { readonly what: "mission" | "rally"; readonly text: string }) {
  const store = planOf(useStores());
  return (
    <div className={css.desk}>
      <span>{text}</span>
      <Button size="small" onClick={() => store.setState({ [what]: [], sent: { state: "idle" } })}>
        Clear here
      </Button>
    </div>
  );
}
