import { type SubmitEvent, useState } from "react";
import { defaultLimits } from "#contract/settings";
import { changeSettings } from "../shell/actions";
import { useSettingsStore, useStores } from "../stores/context";
import { withNotice } from "../stores/ui";
import { Button } from "../ui/Button";
import { limitFields, readLimits, shownLimit } from "./limits";
import css from "./Setup.module.css";

/** Hard limits of every flight. They belong to the operator: no policy sees a way to change them. */
export function LimitsSection() {
  const stores = useStores();
  const limits = useSettingsStore((settings) => settings.limits);
  // Only what was typed; everything else follows the settings.
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const draft = readLimits(texts, limits);
  const touched = Object.keys(texts).length > 0;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { limits: wanted } = draft;
    if (wanted === null) return;
    void changeSettings(stores, (settings) => ({ ...settings, limits: wanted })).then((taken) => {
      if (!taken) return;
      setTexts({});
      stores.ui.setState((state) =>
        withNotice(state, "neutral", "Limits saved; they hold from the next judgement on"),
      );
    });
  };
  return (
    <form className={css.box} onSubmit={submit} aria-label="Limits">
      {limitFields.map((field) => {
        const problem = draft.problems[field.key];
        return (
          <label key={field.key} className={css.limit}>
            <span>
              {field.label}
              <small>{field.what}</small>
            </span>
            <span className={css.withUnit}>
              <input
                inputMode="decimal"
                value={texts[field.key] ?? shownLimit(limits, field)}
                aria-invalid={problem !== undefined}
                onChange={(event) => setTexts({ ...texts, [field.key]: event.target.value })}
              />
              <span>{field.unit}</span>
            </span>
            <small className={css.problem} data-problem={problem !== undefined || undefined}>
              {problem ?? `${field.min} to ${field.max} ${field.unit}`}
            </small>
          </label>
        );
      })}
      <div className={css.end}>
        <Button
          onClick={() =>
            setTexts(
              Object.fromEntries(limitFields.map((field) => [field.key, shownLimit(defaultLimits, field)])),
            )
          }
        >
          Fill in the defaults
        </Button>
        <Button onClick={() => setTexts({})} aria-disabled={!touched}>
          Undo
        </Button>
        <Button type="submit" tone="intent" aria-disabled={!touched || draft.limits === null}>
          Save limits
        </Button>
      </div>
    </form>
  );
}
