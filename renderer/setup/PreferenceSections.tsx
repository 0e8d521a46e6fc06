import { type SubmitEvent, useState } from "react";
import type { Settings } from "#contract/settings";
import { changeSettings } from "../shell/actions";
import { useSettingsStore, useStores } from "../stores/context";
import { Button } from "../ui/Button";
import { parseWithin } from "../ui/parse";
import { Choice, Toggle } from "../ui/Toggle";
import css from "./Setup.module.css";

/** Saves one change of the settings at once; a refusal is shown as a notice and nothing changes. */
function useChange(): (change: (settings: Settings) => Settings) => void {
  const stores = useStores();
  return (change) => void changeSettings(stores, change);
}

const scales = [0.75, 1, 1.25, 1.5, 2] as const;

export function AppearanceSection() {
  const { theme, units, scale } = useSettingsStore((settings) => settings.appearance);
  const change = useChange();
  const set = (appearance: Partial<Settings["appearance"]>): void =>
    change((settings) => ({ ...settings, appearance: { ...settings.appearance, ...appearance } }));
  return (
    <div className={css.box}>
      <div className={css.row}>
        <span>Theme</span>
        <Choice
          label="Theme"
          value={theme}
          options={[
            ["dark", "Dark"],
            ["sunlight", "Sunlight"],
            ["contrast", "High contrast"],
          ]}
          onChange={(value) => set({ theme: value })}
        />
      </div>
      <div className={css.row}>
        <span>Lengths</span>
        <Choice
          label="Lengths"
          value={units}
          options={[
            ["metric", "Metres"],
            ["feet", "Feet"],
          ]}
          onChange={(value) => set({ units: value })}
        />
      </div>
      <div className={css.row}>
        <span>Scale</span>
        <Choice
          label="Scale"
          value={String(scale)}
          options={scales.map((value) => [String(value), `${Math.round(value * 100)} %`] as const)}
          onChange={(value) => set({ scale: Number(value) })}
        />
      </div>
    </div>
  );
}

export function SoundSection() {
  const { enabled, speech } = useSettingsStore((settings) => settings.sound);
  const change = useChange();
  const set = (sound: Partial<Settings["sound"]>): void =>
    change((settings) => ({ ...settings, sound: { ...settings.sound, ...sound } }));
  return (
    <div className={css.box}>
      <div className={css.row}>
        <span>Sound</span>
        <Toggle on={enabled} label="a tone for each severity" onChange={(on) => set({ enabled: on })} />
      </div>
      <div className={css.row}>
        <span>Speech</span>
        <Toggle
          on={speech}
          label="warnings and cautions spoken, while they are current"
          onChange={(on) => set({ speech: on })}
        />
      </div>
      <p className={css.note}>
        Muting for 1, 5 or 15 minutes is in the alert line. It silences cautions and advisories, never
        warnings.
      </p>
    </div>
  );
}

export function OperatorSection() {
  const operator = useSettingsStore((settings) => settings.operator);
  const { timeout_s, veto_window } = useSettingsStore((settings) => settings.approvals);
  const change = useChange();
  const [name, setName] = useState(operator);
  const [time, setTime] = useState(String(timeout_s));
  const read = parseWithin(time, { min: 5, max: 300, unit: "s" });
  const problem = "problem" in read ? read.problem : null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if ("problem" in read || name.trim() === "") return;
    change((settings) => ({
      ...settings,
      operator: name.trim(),
      approvals: { ...settings.approvals, timeout_s: read.value },
    }));
  };
  return (
    <form className={css.box} onSubmit={submit}>
      <label className={css.row}>
        <span>Name</span>
        <input
          value={name}
          aria-invalid={name.trim() === ""}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <p className={css.note}>Stands beside every approval and acknowledgement in the recording.</p>
      <label className={css.row}>
        <span>Time to decide, s</span>
        <input
          inputMode="decimal"
          value={time}
          aria-invalid={problem !== null}
          onChange={(event) => setTime(event.target.value)}
        />
      </label>
      <p className={css.note}>{problem ?? "When it runs out the answer is no, and the aircraft holds."}</p>
      <div className={css.row}>
        <span>Veto window</span>
        <Toggle
          on={veto_window}
          label="small free moves go unless refused (tiers T1 and T2, simulation only)"
          onChange={(on) =>
            change((settings) => ({ ...settings, approvals: { ...settings.approvals, veto_window: on } }))
          }
        />
      </div>
      <div className={css.end}>
        <Button type="submit" tone="intent" aria-disabled={problem !== null || name.trim() === ""}>
          Save
        </Button>
      </div>
    </form>
  );
}
