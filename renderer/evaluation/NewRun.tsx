import { Play } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import type { SuiteInfo } from "#contract/evaluation";
import type { EvaluationState } from "#contract/evaluation-ipc";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Panel";
import type { evaluationOf } from "./desk";
import css from "./Evaluate.module.css";
import { readDraft } from "./figures";

interface NewRunProps {
  readonly desk: ReturnType<typeof evaluationOf>;
  readonly suites: readonly SuiteInfo[] | null;
  readonly problem: string | null;
  readonly state: EvaluationState;
}

/** Which suite, how many trials, which seed. */
export function NewRun({ desk, suites, problem, state }: NewRunProps) {
  const [name, setName] = useState("flight");
  const [policy, setPolicy] = useState("rules");
  const [draft, setDraft] = useState({ trials: "10", seed: "0" });
  const suite = suites?.find((s) => s.name === name) ?? suites?.[0];
  const read = readDraft(draft);
  const why = state.blocked ?? read.problem ?? problem;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (suite === undefined || read.problem !== null || why !== null) return;
    const { trials, seed } = read;
    void desk.start({ suite: suite.name, policy, trials, seed, jobs: 2 });
  };
  return (
    <Panel title="New run" className={css.fit}>
      <form className={css.form} onSubmit={submit} aria-label="New run">
        <label>
          <span>Suite</span>
          <select value={suite?.name ?? ""} onChange={(event) => setName(event.target.value)}>
            {(suites ?? []).map((s) => (
              <option key={s.name} value={s.name}>
                {s.title}
              </option>
            ))}
          </select>
        </label>
        <p className={css.about}>{suite?.about ?? "Asking which suites there are …"}</p>
        <div className={css.pair}>
          <label>
            <span>Trials</span>
            <input
              inputMode="numeric"
              value={draft.trials}
              onChange={(event) => setDraft({ ...draft, trials: event.target.value })}
            />
          </label>
          <label>
            <span>Seed</span>
            <input
              inputMode="numeric"
              value={draft.seed}
              onChange={(event) => setDraft({ ...draft, seed: event.target.value })}
            />
          </label>
        </div>
        <label>
          <span>Policy</span>
          <select value={policy} onChange={(event) => setPolicy(event.target.value)}>
            {(suite?.policies ?? ["rules"]).map((p) => (
              <option key={p} value={p}>
                {p}
              </option>
            ))}
          </select>
        </label>
        {why !== null && (
          <p className={css.blocked} role="status">
            {why}
          </p>
        )}
        <div className={css.actions}>
          <span className={css.dim}>{guess(suite, read)}</span>
          <Button type="submit" tone="intent" aria-disabled={suite === undefined || why !== null}>
            <Play size={15} aria-hidden /> Start
          </Button>
        </div>
      </form>
    </Panel>
  );
}

/** A first guess of the time, two trials at once. */
function guess(suite: SuiteInfo | undefined, read: ReturnType<typeof readDraft>): string {
  if (suite === undefined || read.problem !== null) return "";
  const s = (suite.trial_s * read.trials) / 2;
  return s < 90 ? `about ${s.toFixed(0)} s` : `about ${(s / 60).toFixed(0)} min`;
}
