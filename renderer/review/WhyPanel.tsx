import { useMemo, useState } from "react";
import { skillLibrary } from "#contract/skills";
import { useSettingsStore } from "../stores/context";
import { Button } from "../ui/Button";
import { quantity, words } from "../ui/format";
import { Empty, Panel } from "../ui/Panel";
import { useCursor, useDesk, useDeskState, useSummary } from "./hooks";
import { statesAt } from "./lanes";
import { Messages } from "./Messages";
import { timeText } from "./time";
import css from "./WhyPanel.module.css";
import { callText, type Explanation, explain, proposalFacts } from "./why";

/** The reasoning step at the cursor, answered from the record: what happened, what was chosen, who approved it, and then. */
export function WhyPanel() {
  const desk = useDesk();
  const summary = useSummary();
  const units = useSettingsStore((s) => s.appearance.units);
  const mode = useDeskState((s) => s.time_mode);
  const cursor_s = useCursor(0.1);
  const told = useMemo(() => explain(summary, cursor_s, units), [summary, cursor_s, units]);
  const states = useMemo(() => statesAt(summary.lanes, cursor_s), [summary, cursor_s]);
  const right =
    told === null ? undefined : (
      <button type="button" className={css.when} onClick={() => desk.send({ kind: "seek", to_s: told.at_s })}>
        {timeText(mode, told.at_s, summary, 1)}
      </button>
    );
  return (
    <Panel
      title={told?.title ?? (summary.steps.length === 0 ? "At the cursor" : "Reasoning at the cursor")}
      right={right}
    >
      <div className={css.body}>
        <dl className={css.states} aria-label="State at the cursor">
          {states.map(({ lane, span }) => (
            <div key={lane} data-tone={span.tone}>
              <dt>{lane}</dt>
              <dd>{span.label}</dd>
            </div>
          ))}
        </dl>
        {told !== null && <Told told={told} />}
        {told === null && summary.steps.length > 0 && (
          <Empty what="No reasoning step yet at the cursor." how={<NextStep />} />
        )}
        {summary.steps.length === 0 && (
          <>
            <p className={css.without}>No reasoning steps in this recording. Its texts:</p>
            <Messages />
          </>
        )}
      </div>
    </Panel>
  );
}

function NextStep() {
  const desk = useDesk();
  const { steps } = useSummary();
  const [first] = steps;
  if (first === undefined) return null;
  return (
    <Button size="small" onClick={() => desk.send({ kind: "seek", to_s: first.at_s + 0.01 })}>
      Go to step {first.record.step}
    </Button>
  );
}

function Told({ told }: { readonly told: Explanation }) {
  const units = useSettingsStore((s) => s.appearance.units);
  const { record } = told.step;
  return (
    <>
      {told.parts.map((part) => (
        <section key={part.title} className={css.part} data-tone={part.tone}>
          <h3>{part.title}</h3>
          {part.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
          {part.title.startsWith("Step") && (
            <>
              <p className={css.chosen} data-status={record.status ?? "open"}>
                {callText(record)}
              </p>
              <p className={css.facts}>{proposalFacts(record, units)}</p>
              <Trace told={told} />
            </>
          )}
          {part.title.startsWith("Judged") && <Checks told={told} />}
        </section>
      ))}
    </>
  );
}

/** The whole answer of the model, for those who want to read it. */
function Trace({ told }: { readonly told: Explanation }) {
  const { trace, invalid, call } = told.step.record.proposal;
  return (
    <details className={css.more}>
      <summary>Whole trace</summary>
      <h4>Image</h4>
      <p>{trace.image_description}</p>
      <h4>Summary</h4>
      <p>{trace.summary}</p>
      {trace.action_predictions.length > 0 && (
        <table>
          <caption>Predictions</caption>
          <tbody>
            {trace.action_predictions.map((p) => (
              <tr key={p.skill} data-chosen={p.skill === call.skill}>
                <th scope="row">{skillLibrary[p.skill].title}</th>
                <td>{p.outcome}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {invalid.map((answer) => (
        <p key={answer.attempt} className={css.invalid}>
          <del>{answer.text.slice(0, 400)}</del> refused: {answer.reason}
        </p>
      ))}
    </details>
  );
}

const checkSign = { pass: "●", caution: "▲", fail: "■" } as const;

function Checks({ told }: { readonly told: Explanation }) {
  const units = useSettingsStore((s) => s.appearance.units);
  const { checks } = told.step.record.verdict;
  const [open, setOpen] = useState(false);
  if (checks.length === 0) return null;
  return (
    <details className={css.more} open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>All checks</summary>
      <ul className={css.checks}>
        {checks.map((c) => (
          <li key={c.id} data-status={c.status}>
            <span aria-hidden>{checkSign[c.status]}</span>
            <span>
              <span className="visually-hidden">{words(c.status)}: </span>
              {c.label}
            </span>
            <span className={css.margin}>
              {c.value === null
                ? c.detail
                : `${quantity(c.value, c.unit, units)} ${c.sense === "at_least" ? "≥" : "≤"} ${quantity(c.needed, c.unit, units)}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
