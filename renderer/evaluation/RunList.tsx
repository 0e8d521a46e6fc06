import type { EvaluationRun, EvaluationState } from "#contract/evaluation-ipc";
import { dateText } from "../review/time";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Panel";
import type { evaluationOf } from "./desk";
import css from "./Evaluate.module.css";

interface RunListProps {
  readonly desk: ReturnType<typeof evaluationOf>;
  readonly runs: readonly EvaluationRun[] | null;
  /** Folder of the run that is shown. */
  readonly open: string | null;
  readonly state: EvaluationState;
}

/** Earlier runs, newest first; one that was stopped can be gone on with. */
export function RunList({ desk, runs, open, state }: RunListProps) {
  const { ended, running } = state;
  return (
    <Panel title="Earlier runs" right={<span>{runs?.length ?? ""}</span>}>
      {ended !== null && ended.how !== "finished" && (
        <p className={css.blocked} role="status">
          {ended.how === "stopped" ? "Stopped" : "Failed"}: {ended.why}
        </p>
      )}
      {runs !== null && runs.length === 0 && (
        <p className={css.none}>Lists every run on this machine. Start the first one above.</p>
      )}
      <ul className={css.runs}>
        {(runs ?? []).map((run) => {
          const { manifest, done, passed, folder } = run;
          const whole = done >= sharePart(manifest.trials, manifest.shard);
          return (
            <li key={folder}>
              <button
                type="button"
                title={folder}
                aria-pressed={folder === open}
                onClick={() => void desk.open(folder)}
              >
                <b>{manifest.suite}</b>
                <span>
                  {passed} of {done} passed
                </span>
                <small>
                  {dateText(run.modified_utc_ms)}, seed {manifest.seed}
                </small>
              </button>
              {!whole && folder !== running?.folder && (
                <Button
                  size="small"
                  aria-disabled={running !== null || state.blocked !== null}
                  aria-label={`Resume ${manifest.suite}, ${done} of ${manifest.trials} done`}
                  onClick={() => void desk.resume(folder)}
                >
                  Resume
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

/** How many of the trials a shard `i/n` takes. */
function sharePart(trials: number, shard: string): number {
  const [index = 1, of = 1] = shard.split("/").map(Number);
  return Math.ceil((trials - index + 1) / of);
}
