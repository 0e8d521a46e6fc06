import { type SyntheticEvent, useState } from "react";
import { Button } from "../ui/Button";
import { useDesk } from "./hooks";
import css from "./Plots.module.css";
import { expressionPlot, expressionTopic } from "./plots";

/** Plots arithmetic over fields; what cannot be computed is said before anything is plotted. */
export function ExpressionBar({ onDone }: { readonly onDone: () => void }) {
  const desk = useDesk();
  const [text, setText] = useState("");
  const [reason, setReason] = useState<string | null>(null);
  const add = async (e: SyntheticEvent): Promise<void> => {
    e.preventDefault();
    const { summary } = desk;
    const field = text.trim();
    if (summary === null || field === "") return;
    const tried = await desk.ask("review.series", {
      id: summary.id,
      topic: expressionTopic,
      field,
      from_s: null,
      to_s: null,
      points: 10,
    });
    if (!tried.ok) {
      setReason(tried.reason);
      return;
    }
    desk.addPlot(expressionPlot(field));
    onDone();
  };
  return (
    <form className={css.expression} onSubmit={(e) => void add(e)}>
      <label>
        <span className="visually-hidden">Expression</span>
        <input
          autoFocus
          spellCheck={false}
          placeholder="deg({ATTITUDE.roll}) − deg({ATTITUDE_TARGET.roll})"
          value={text}
          aria-invalid={reason !== null}
          aria-describedby="expression-help"
          onChange={(e) => {
            setText(e.target.value);
            setReason(null);
          }}
          onKeyDown={(e) => {
            if (e.key === "Escape") onDone();
          }}
        />
      </label>
      <Button size="small" type="submit" disabled={text.trim() === ""}>
        Plot
      </Button>
      <p id="expression-help" role={reason === null ? undefined : "alert"} data-bad={reason !== null}>
        {reason ??
          "Fields in braces as {TOPIC.FIELD}; + − * / ^, deg, rad, abs, sqrt, hypot, atan2, mean(x, s), lowpass(x, Hz), derivative, integral"}
      </p>
    </form>
  );
}
