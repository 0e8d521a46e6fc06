import { useState } from "react";
import { parseWithin } from "./parse";

interface NumberFieldProps {
  readonly label: string;
  readonly value: number;
  readonly digits: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly onCommit: (value: number) => void;
  readonly onFocus?: () => void;
  readonly className?: string | undefined;
}

/**
 * A number that is typed and then taken with Enter or by leaving the field; Escape gives the old one back. A point or a comma
 * will do. What is wrong is said in the field's title and to a screen reader, and nothing is taken.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, value, digits, min, max, unit, onCommit, onFocus, className } = props;
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? value.toFixed(digits);
  const read = parseWithin(shown, { min, max, unit });
  const problem = "problem" in read ? read.problem : undefined;
  const commit = (): void => {
    if (text === null) return;
    setText(null);
    // Untouched digits keep the exact value: showing rounds, leaving must not.
    if (!("problem" in read) && text !== value.toFixed(digits)) onCommit(read.value);
  };
  return (
    <input
      inputMode="decimal"
      aria-label={unit === "" ? label : `${label}, ${unit}`}
      aria-invalid={problem !== undefined}
      title={problem}
      className={className}
      value={shown}
      onFocus={onFocus}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          commit();
        }
        if (event.key === "Escape") setText(null);
      }}
    />
  );
}
