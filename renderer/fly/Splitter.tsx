import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import css from "./Fly.module.css";
import { defaultSplits, type SplitName, splitLimits } from "./splits";

interface SplitterProps {
  readonly name: SplitName;
  readonly label: string;
  readonly value_px: number;
  /** +1 when dragging right or down makes the part larger. */
  readonly direction: 1 | -1;
  readonly onChange: (value_px: number) => void;
}

/** A movable edge: drag, arrow keys, double click for the default. */
export function Splitter({ name, label, value_px, direction, onChange }: SplitterProps) {
  const upright = name !== "bottom_px";
  const from = useRef<{ readonly pointer: number; readonly value_px: number } | null>(null);
  const along = (event: PointerEvent): number => (upright ? event.clientX : event.clientY);
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys = upright ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 };
    const step = (keys as Readonly<Record<string, number>>)[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onChange(value_px + step * direction * (event.shiftKey ? 48 : 12));
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={upright ? "vertical" : "horizontal"}
      aria-valuenow={value_px}
      aria-valuemin={splitLimits[name].min}
      aria-valuemax={splitLimits[name].max}
      className={css.splitter}
      data-name={name}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onChange(defaultSplits[name])}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { pointer: along(event), value_px };
      }}
      onPointerMove={(event) => {
        if (from.current === null) return;
        onChange(from.current.value_px + (along(event) - from.current.pointer) * direction);
      }}
      onPointerUp={() => {
        from.current = null;
      }}
      onPointerCancel={() => {
        from.current = null;
      }}
    />
  );
}
