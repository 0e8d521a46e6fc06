import { Minus, Plus, Search, X } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import type { ReviewSource } from "#contract/review";
import { Button } from "../ui/Button";
import { leave, setOffset } from "./files";
import { useDesk, useSummary } from "./hooks";
import css from "./Logs.module.css";
import { spokenDuration } from "./time";

/** The logs laid over each other, the reference first, and where each lies on the common clock. */
export function Logs() {
  const { sources } = useSummary();
  return (
    <ul className={css.logs} aria-label="Logs of this review">
      {sources.map((s) => (
        <Log key={s.key} source={s} />
      ))}
      {sources.length === 1 && (
        <li className={css.hint}>
          Add the vehicle's own log, a camera recording or a video with “Add log”: they are laid on one
          timeline, their offset found by comparing what both of them measured.
        </li>
      )}
    </ul>
  );
}

function Log({ source }: { readonly source: ReviewSource }) {
  const desk = useDesk();
  const reference = source.offset.how === "reference";
  const shift = (by_s: number): void =>
    void setOffset(desk, source.key, round(source.offset.offset_s + by_s));
  return (
    <li className={css.log}>
      <div className={css.head}>
        <b title={source.path}>{source.title}</b>
        {!reference && (
          <Button
            size="small"
            aria-label={`Take ${source.title} out of this review`}
            onClick={() => void leave(desk, source.key)}
          >
            <X size={12} aria-hidden />
          </Button>
        )}
      </div>
      <span className={css.facts}>
        {source.key === "" ? "" : `${source.key} · `}
        {source.format} · {spokenDuration(source.duration_s)}
        {source.completeness.state === "complete" ? "" : ` · ▲ ${source.completeness.state}`}
      </span>
      {reference ? (
        <span className={css.facts}>reference: its start is zero</span>
      ) : (
        <>
          <div className={css.offset}>
            <Button size="small" aria-label={`${source.title} 0.1 s earlier`} onClick={() => shift(-0.1)}>
              <Minus size={12} aria-hidden />
            </Button>
            <OffsetField key={source.offset.offset_s} source={source} />
            <Button size="small" aria-label={`${source.title} 0.1 s later`} onClick={() => shift(0.1)}>
              <Plus size={12} aria-hidden />
            </Button>
            <Button size="small" onClick={() => void setOffset(desk, source.key, null)}>
              <Search size={12} aria-hidden /> Find
            </Button>
          </div>
          <span className={css.facts} data-guess={isGuess(source)}>
            {howText(source)}
          </span>
        </>
      )}
    </li>
  );
}

function OffsetField({ source }: { readonly source: ReviewSource }) {
  const desk = useDesk();
  const [text, setText] = useState(source.offset.offset_s.toFixed(3));
  const value = Number(text.replace("−", "-"));
  const valid = text.trim() !== "" && Number.isFinite(value);
  const send = (e: SyntheticEvent): void => {
    e.preventDefault();
    if (valid && value !== source.offset.offset_s) void setOffset(desk, source.key, value);
  };
  return (
    <form onSubmit={send}>
      <label>
        <span className="visually-hidden">Offset of {source.title} in seconds</span>
        <input
          inputMode="decimal"
          value={text}
          aria-invalid={!valid}
          onChange={(e) => setText(e.target.value)}
          onBlur={send}
        />
        s
      </label>
    </form>
  );
}

const round = (s: number): number => Number(s.toFixed(3));

/** Below this the comparison found nothing it could stand by. */
const isGuess = ({ offset }: ReviewSource): boolean =>
  offset.how === "none" || (offset.how === "correlated" && !((offset.correlation ?? 0) >= 0.6));

function howText(source: ReviewSource): string {
  const { how, correlation, signal } = source.offset;
  if (how === "correlated") {
    const share = `${Math.round((correlation ?? 0) * 100)} % alike`;
    return isGuess(source) ? `▲ a guess from ${signal}, ${share}` : `found by ${signal}, ${share}`;
  }
  return {
    reference: "",
    remembered: "as set before",
    clock: "by the clocks of both logs",
    given: "set by hand",
    none: "▲ nothing to compare: set it by hand",
  }[how];
}
