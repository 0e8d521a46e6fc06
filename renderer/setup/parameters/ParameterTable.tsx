import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ParameterRow } from "#contract/link-ipc";
import css from "./Parameters.module.css";
import { isModified, scrollToShow, visibleRange } from "./rows";
import { plainValue, valueMeaning } from "./value";
import type { Write, Writes } from "./writes";

const row_px = 30;

interface TableProps {
  readonly rows: readonly ParameterRow[];
  readonly chosen: string | null;
  readonly writes: Writes;
  readonly onChoose: (name: string) => void;
  /** Enter on the chosen row: to its field. */
  readonly onOpen: () => void;
}

/** A list of any length: only the rows in view exist. Arrows, Page, Home and End move the choice, Enter goes to its field. */
export function ParameterTable({ rows, chosen, writes, onChoose, onOpen }: TableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scroll_px: 0, height_px: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      if (element.clientHeight > 0)
        setView({ scroll_px: element.scrollTop, height_px: element.clientHeight });
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const index = rows.findIndex((row) => row.name === chosen);
  useEffect(() => {
    const element = box.current;
    if (element === null || index < 0) return;
    element.scrollTop = scrollToShow(index, element.scrollTop, element.clientHeight, row_px);
  }, [index]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && index >= 0) {
      event.preventDefault();
      onOpen();
      return;
    }
    const to = target(event.key, index, rows.length, Math.max(1, Math.floor(view.height_px / row_px) - 1));
    const row = to === null ? undefined : rows[to];
    if (row === undefined) return;
    event.preventDefault();
    onChoose(row.name);
  };
  const { first, last } = visibleRange(rows.length, view.scroll_px, view.height_px, row_px);
  const active = index >= first && index < last ? `parameter-${chosen}` : undefined;
  return (
    <div
      ref={box}
      className={css.table}
      role="listbox"
      aria-label="Parameters"
      tabIndex={0}
      aria-activedescendant={active}
      onKeyDown={onKeyDown}
      onScroll={(event) =>
        setView({
          scroll_px: event.currentTarget.scrollTop,
          height_px: event.currentTarget.clientHeight,
        })
      }
    >
      <div className={css.room} role="presentation" style={{ height: rows.length * row_px }}>
        {rows.slice(first, last).map((row, at) => (
          <div
            key={row.name}
            id={`parameter-${row.name}`}
            role="option"
            aria-selected={row.name === chosen}
            aria-setsize={rows.length}
            aria-posinset={first + at + 1}
            className={css.line}
            style={{ transform: `translateY(${(first + at) * row_px}px)` }}
            onClick={() => onChoose(row.name)}
          >
            <b>{row.name}</b>
            <span className={css.value} data-modified={isModified(row) || undefined}>
              {valueText(row)}
            </span>
            <span className={css.short}>{row.short}</span>
            <Mark row={row} write={writes[row.name]} />
          </div>
        ))}
      </div>
    </div>
  );
}

function target(key: string, index: number, count: number, page: number): number | null {
  const within = (to: number): number => Math.max(0, Math.min(count - 1, to));
  switch (key) {
    case "ArrowDown":
      return within(index + 1);
    case "ArrowUp":
      return within(index - 1);
    case "PageDown":
      return within(index + page);
    case "PageUp":
      return within(index - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

export function valueText(row: ParameterRow): string {
  const value = plainValue(row.value, row);
  const meaning = valueMeaning(row.value, row);
  if (meaning !== null) return `${value} · ${meaning}`;
  return row.unit === "" ? value : `${value} ${row.unit}`;
}

function Mark({ row, write }: { readonly row: ParameterRow; readonly write: Write | undefined }) {
  if (write !== undefined) {
    const word = { pending: "writing", confirmed: "confirmed", failed: "failed" }[write.state];
    return (
      <em className={css.mark} data-state={write.state}>
        {word}
      </em>
    );
  }
  return <em className={css.mark}>{isModified(row) ? "changed" : ""}</em>;
}
