import { type RefObject, type SubmitEvent, useState } from "react";
import type { ParameterRow } from "#contract/link-ipc";
import { useStores, useVehicleStore } from "../../stores/context";
import { Button } from "../../ui/Button";
import { Toggle } from "../../ui/Toggle";
import { Advice, Word } from "../parts";
import css from "./Parameters.module.css";
import { isModified } from "./rows";
import { writeParameter } from "./store";
import { hasBit, plainValue, type ReadValue, rangeText, readValue, valueMeaning, withBit } from "./value";
import type { Write } from "./writes";

interface EditorProps {
  readonly row: ParameterRow;
  readonly write: Write | undefined;
  readonly field: RefObject<HTMLInputElement | HTMLSelectElement | null>;
}

/** One parameter: what it is, what it may be, and writing it. Nothing counts as written before the vehicle has said so. */
export function ParameterEditor({ row, write, field }: EditorProps) {
  const stores = useStores();
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? plainValue(row.value, row);
  const read = readValue(shown, row);
  const pending = write?.state === "pending";
  const same = read.state !== "wrong" && Math.fround(read.value) === Math.fround(row.value);
  const blocked = row.read_only || pending || read.state === "wrong" || same;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (blocked) return;
    void writeParameter(stores, row, read.value).then(() => setText(null));
  };
  return (
    <form className={css.editor} onSubmit={submit} aria-label={row.name}>
      <header>
        <h3>{row.name}</h3>
        <p>{row.short === "" ? "The vehicle gives no description." : row.short}</p>
      </header>
      {row.read_only ? (
        <p className={css.readonly}>
          {plainValue(row.value, row)} {row.unit} · the vehicle does not let it be written
        </p>
      ) : (
        <ValueInput row={row} text={shown} read={read} field={field} onText={setText} />
      )}
      <Judgement read={read} write={write} row={row} />
      {armed && !row.read_only && <Advice>The vehicle is armed: a change takes effect in flight.</Advice>}
      <div className={css.acts}>
        {row.default !== null && isModified(row) && !row.read_only && (
          <Button size="small" onClick={() => setText(plainValue(row.default ?? 0, row))}>
            Fill in the default
          </Button>
        )}
        {text !== null && !pending && (
          <Button size="small" onClick={() => setText(null)}>
            Undo
          </Button>
        )}
        <Button type="submit" tone={armed ? "caution" : "intent"} aria-disabled={blocked}>
          {armed ? "Write in flight" : "Write"}
        </Button>
      </div>
      <Facts row={row} />
      {row.long !== "" && <p className={css.long}>{row.long}</p>}
    </form>
  );
}

interface InputProps {
  readonly row: ParameterRow;
  readonly text: string;
  readonly read: ReadValue;
  readonly field: EditorProps["field"];
  readonly onText: (text: string) => void;
}

function ValueInput({ row, text, read, field, onText }: InputProps) {
  const number = read.state === "wrong" ? row.value : read.value;
  return (
    <>
      {row.values.length > 0 && (
        <select
          ref={field as RefObject<HTMLSelectElement | null>}
          aria-label={`${row.name}, by name`}
          value={row.values.some(({ value }) => value === number) ? String(number) : ""}
          onChange={(event) => onText(event.target.value)}
        >
          {!row.values.some(({ value }) => value === number) && (
            <option value="">{plainValue(number, row)} (no name)</option>
          )}
          {row.values.map(({ value, text: name }) => (
            <option key={value} value={String(value)}>
              {plainValue(value, row)} · {name}
            </option>
          ))}
        </select>
      )}
      <label className={css.typed}>
        <input
          ref={row.values.length > 0 ? null : (field as RefObject<HTMLInputElement | null>)}
          inputMode="decimal"
          aria-label={`${row.name}, value`}
          aria-invalid={read.state === "wrong"}
          value={text}
          spellCheck={false}
          onChange={(event) => onText(event.target.value)}
        />
        <span>{row.unit}</span>
      </label>
      {row.bits.length > 0 && (
        <div className={css.bits} role="group" aria-label={`${row.name}, bits`}>
          {row.bits.map((bit) => (
            <Toggle
              key={bit.index}
              on={hasBit(number, bit.index)}
              label={bit.text}
              onChange={(on) => onText(plainValue(withBit(number, bit.index, on), row))}
            />
          ))}
        </div>
      )}
    </>
  );
}

/** What there is to say about the typed value, or about the last one that was sent. */
function Judgement({ read, write, row }: { read: ReadValue; write: Write | undefined; row: ParameterRow }) {
  const value = (number: number): string => `${plainValue(number, row)} ${row.unit}`.trim();
  return (
    <div className={css.judgement} role="status">
      {read.state === "wrong" && <Word tone="warning">{read.text}</Word>}
      {read.state === "unusual" && <Word tone="caution">{read.text}</Word>}
      {write?.state === "pending" && <Word tone="waiting">{value(write.value)} sent, not yet confirmed</Word>}
      {write?.state === "confirmed" && (
        <Word tone="good">Confirmed: the vehicle says {value(write.value)}</Word>
      )}
      {write?.state === "failed" && <Word tone="warning">Not written: {write.reason}</Word>}
      {write?.state === "confirmed" && row.reboot_required && (
        <Word tone="caution">Takes effect after a restart of the vehicle</Word>
      )}
    </div>
  );
}

function Facts({ row }: { readonly row: ParameterRow }) {
  const range = rangeText(row);
  const meaning = valueMeaning(row.value, row);
  const standard = row.default === null ? null : plainValue(row.default, row);
  const facts: readonly (readonly [string, string | null])[] = [
    ["now", `${plainValue(row.value, row)} ${row.unit}${meaning === null ? "" : ` · ${meaning}`}`],
    ["default", standard === null ? null : `${standard} ${row.unit}`],
    ["recommended", range === "" ? null : range],
    ["step", row.increment === null ? null : `${row.increment} ${row.unit}`],
    ["stored as", row.type],
    ["group", row.group],
    ["restart", row.reboot_required ? "needed after a change" : null],
  ];
  return (
    <dl className={css.facts}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd data-selectable>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
