import { Check } from "lucide-react";
import css from "./Toggle.module.css";

interface ToggleProps {
  readonly on: boolean;
  readonly label: string;
  /** Absent where it cannot be changed; the label then says why. */
  readonly onChange?: ((on: boolean) => void) | undefined;
}

/** A switch with its words beside it. A button, because Space holds the aircraft and Enter has to work. */
export function Toggle({ on, label, onChange }: ToggleProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-disabled={onChange === undefined}
      className={css.toggle}
      onClick={() => onChange?.(!on)}
    >
      <i aria-hidden>{on && <Check size={11} strokeWidth={3} />}</i>
      {label}
    </button>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all of them visible. */
export function Choice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <div role="group" aria-label={label} className={css.choice}>
      {options.map(([option, title]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {title}
        </button>
      ))}
    </div>
  );
}
