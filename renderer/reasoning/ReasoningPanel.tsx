import { Check, ChevronDown, ChevronRight, CircleDashed, CircleSlash, Loader, X } from "lucide-react";
import { useState } from "react";
import type { InvalidAnswer, Proposal } from "#contract/mission";
import { useApprovalStore, useMissionStore, useSettingsStore } from "../stores/context";
import { fixed, words } from "../ui/format";
import { Empty, Panel } from "../ui/Panel";
import { ObservedImage } from "./ObservedImage";
import css from "./Reasoning.module.css";
import {
  callTitle,
  decisionText,
  markOf,
  resultText,
  type StepMark,
  stepElementId,
  type TraceStep,
  traceOf,
} from "./trace";

/** Why each step was chosen, newest at the top. */
export function ReasoningPanel() {
  const mission = useMissionStore((state) => state);
  const card = useApprovalStore((state) => state.card);
  const steps = traceOf(mission, card);
  const newest = steps[0]?.proposal;
  const thinking = mission.phase === "reasoning";
  return (
    <Panel title="Reasoning" right={newest !== undefined && <Facts proposal={newest} />}>
      <div
        className={css.steps}
        tabIndex={0}
        role={steps.length === 0 ? "group" : "feed"}
        aria-label="Steps, newest first"
        aria-busy={thinking}
      >
        {thinking && (
          <div className={css.thinking} role="status">
            <CircleDashed size={14} aria-hidden /> {mission.policy === "" ? "The policy" : mission.policy} is
            choosing step {steps.length + 1}
          </div>
        )}
        {steps.map((step, index) => (
          <Step key={step.proposal.id} step={step} newest={index === 0} />
        ))}
        {steps.length === 0 && !thinking && (
          <Empty
            what="For every step: what the policy sees, what it expects of each skill, and why it chose one."
            how="Say a mission below to start."
          />
        )}
      </div>
    </Panel>
  );
}

function Facts({ proposal }: { readonly proposal: Proposal }) {
  return (
    <span>
      {proposal.policy} · step {proposal.step} · {fixed(proposal.latency_ms, 0)} ms
      {proposal.tokens !== null && ` · ${fixed(proposal.tokens, 0)} tokens`}
      {proposal.attempt > 1 && ` · attempt ${proposal.attempt}`}
    </span>
  );
}

const marks: Readonly<Record<StepMark, typeof Check>> = {
  waiting: CircleDashed,
  running: Loader,
  done: Check,
  failed: X,
  refused: CircleSlash,
};

function Step({
  step: { proposal, record },
  newest,
}: {
  readonly step: TraceStep;
  readonly newest: boolean;
}) {
  const units = useSettingsStore((settings) => settings.appearance.units);
  // Null follows the rule (the newest is open); the operator's own choice wins over it.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? newest;
  const mark = markOf(record);
  const Mark = marks[mark];
  const Chevron = open ? ChevronDown : ChevronRight;
  const outcome = record === null ? "" : resultText(record);
  const line = [decisionText(record?.decision ?? null), outcome].filter(Boolean).join(" · ");
  return (
    <article id={stepElementId(proposal)} className={css.step} aria-label={`Step ${proposal.step}`}>
      <button
        type="button"
        className={css.head}
        data-mark={mark}
        aria-expanded={open}
        onClick={() => setChosen(!open)}
      >
        <Mark size={14} aria-label={mark} role="img" className={css.mark} />
        <b>
          <span className={css.number}>{proposal.step}</span> {callTitle(proposal.call, units)}
        </b>
        <Chevron size={14} aria-hidden className={css.chevron} />
        <span className={css.result}>{line}</span>
      </button>
      {open && <Body proposal={proposal} newest={newest} />}
    </article>
  );
}

function Body({ proposal, newest }: { readonly proposal: Proposal; readonly newest: boolean }) {
  const { trace, invalid, call } = proposal;
  return (
    <div className={css.body}>
      {invalid.map((answer) => (
        <Invalid key={answer.attempt} answer={answer} />
      ))}
      {!newest && <Facts proposal={proposal} />}
      <h3>Image</h3>
      <div className={css.image}>
        <p data-selectable>{trace.image_description}</p>
        <ObservedImage proposal={proposal} className={css.picture} />
      </div>
      <h3>Summary</h3>
      <p data-selectable>{trace.summary}</p>
      <h3>Predictions</h3>
      <table className={css.predictions}>
        <thead className="visually-hidden">
          <tr>
            <th>Skill</th>
            <th>Predicted outcome</th>
          </tr>
        </thead>
        <tbody>
          {trace.action_predictions.map(({ skill, outcome }) => (
            <tr key={skill} data-chosen={skill === call.skill || undefined}>
              <th scope="row">
                {words(skill)}
                {skill === call.skill && <span className="visually-hidden"> (chosen)</span>}
              </th>
              <td>{outcome}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>Reasoning</h3>
      <p data-selectable>{trace.reasoning}</p>
    </div>
  );
}

/** What was refused stays on the card, struck out, with the reason. */
function Invalid({ answer }: { readonly answer: InvalidAnswer }) {
  return (
    <div className={css.invalid}>
      <b>
        Attempt {answer.attempt} refused: <span>{answer.reason}</span>
      </b>
      <del data-selectable>{answer.text}</del>
    </div>
  );
}
