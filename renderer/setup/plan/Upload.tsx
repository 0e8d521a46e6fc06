import { useState } from "react";
import { useStore } from "zustand";
import { useLinkStore, useSettingsStore, useStores, useVehicleStore } from "../../stores/context";
import { judgeFence } from "../../twin/fence-editor/judge";
import { fenceEditorOf } from "../../twin/fence-editor/store";
import { Button } from "../../ui/Button";
import { length } from "../../ui/format";
import { Toggle } from "../../ui/Toggle";
import { parametersOf, rowsOf, writeParameter } from "../parameters/store";
import { Advice, Progress, Word } from "../parts";
import { ceilingRow } from "./ceiling";
import { fenceOf, fenceText, missionText, rallyText } from "./model";
import css from "./Plan.module.css";
import { type Part, parts, planOf, sendPlan } from "./store";

const titles: Readonly<Record<Part, string>> = { fence: "Fence", mission: "Mission", rally: "Rally" };

/** The one place from which a plan goes to the vehicle, and what came back. */
export function Upload({ connected }: { readonly connected: boolean }) {
  const stores = useStores();
  const { mission, rally, sent } = useStore(planOf(stores));
  const draft = useStore(fenceEditorOf(stores), (state) => state.history.present);
  const rows = useStore(parametersOf(stores), rowsOf);
  const writes = useStore(parametersOf(stores), (state) => state.writes);
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const limit_ceiling_m = useSettingsStore((settings) => settings.limits.ceiling_m);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const transfer = useLinkStore((link) =>
    link.transfers.find(({ kind, state }) => kind === "plan" && state === "running"),
  );
  const [wanted, setWanted] = useState<Readonly<Record<Part, boolean>>>({
    fence: true,
    mission: false,
    rally: false,
  });
  const chosen = parts.filter((part) => wanted[part]);
  const broken =
    wanted.fence &&
    judgeFence(draft, { vehicle: null, limit_ceiling_m }).some(({ severity }) => severity === "blocks");
  const sending = sent.state === "sending";
  const blocked = !connected || sending || chosen.length === 0 || broken;
  const ceiling = ceilingRow(rows);
  const ceiling_write = ceiling === null ? undefined : writes[ceiling.name];
  const words: Readonly<Record<Part, string>> = {
    fence: `${fenceText(fenceOf(draft))}${draft.ceiling_m === null ? "" : `, ceiling ${length(draft.ceiling_m, units)}`}`,
    mission: missionText(mission),
    rally: rallyText(rally),
  };
  const send = async (): Promise<void> => {
    const taken = await sendPlan(stores, chosen);
    const { ceiling_m } = draft;
    if (taken && wanted.fence && ceiling !== null && ceiling_m !== null && ceiling_m !== ceiling.value)
      await writeParameter(stores, ceiling, ceiling_m);
  };
  return (
    <section className={css.upload} aria-label="Upload">
      <div className={css.wanted} role="group" aria-label="What to upload">
        {parts.map((part) => (
          <Toggle
            key={part}
            on={wanted[part]}
            label={titles[part]}
            onChange={(on) => setWanted({ ...wanted, [part]: on })}
          />
        ))}
      </div>
      <p>{chosen.length === 0 ? "Nothing is chosen." : chosen.map((part) => words[part]).join(" · ")}</p>
      {armed && (
        <Advice>The vehicle is armed: a new fence or mission holds from the moment it is taken.</Advice>
      )}
      <Button
        tone={armed ? "caution" : "intent"}
        aria-disabled={blocked}
        onClick={() => !blocked && void send()}
      >
        {sending ? "Sending and reading back" : "Upload to the vehicle"}
      </Button>
      {transfer !== undefined && (
        <Progress
          label="Progress of the upload"
          share={transfer.size === null || transfer.size === 0 ? null : transfer.received / transfer.size}
        />
      )}
      <div role="status" className={css.sent}>
        {sent.state === "equal" && (
          <Word tone="good">{sent.what.map((part) => titles[part]).join(", ")}: read back and equal</Word>
        )}
        {sent.state === "failed" && <Word tone="warning">Not as sent: {sent.reason}</Word>}
        {wanted.fence && ceiling_write?.state === "pending" && (
          <Word tone="waiting">Ceiling sent, not yet confirmed</Word>
        )}
        {wanted.fence && ceiling_write?.state === "confirmed" && sent.state === "equal" && (
          <Word tone="good">Ceiling confirmed: {length(ceiling_write.value, units)}</Word>
        )}
        {wanted.fence && ceiling_write?.state === "failed" && (
          <Word tone="warning">Ceiling not written: {ceiling_write.reason}</Word>
        )}
      </div>
    </section>
  );
}
