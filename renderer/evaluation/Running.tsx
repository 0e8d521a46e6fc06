import { Square } from "lucide-react";
import type { SuiteInfo } from "#contract/evaluation";
import type { EvaluationState } from "#contract/evaluation-ipc";
import { Button } from "../ui/Button";
import { fixed } from "../ui/format";
import { Panel } from "../ui/Panel";
import type { evaluationOf } from "./desk";
import css from "./Evaluate.module.css";
import { leftText } from "./figures";

interface RunningProps {
  readonly desk: ReturnType<typeof evaluationOf>;
  readonly running: NonNullable<EvaluationState["running"]>;
  readonly suites: readonly SuiteInfo[] | null;
}

/** The run that is going on: how far it is, how long it still takes, and what flies now. */
export function Running({ desk, running, suites }: RunningProps) {
  const { manifest, progress, stopping } = running;
  const title = suites?.find((s) => s.name === manifest.suite)?.title ?? manifest.suite;
  const done = progress?.done ?? 0;
  const total = progress?.total ?? manifest.trials;
  const failed = done - (progress?.passed ?? 0);
  return (
    <Panel title="Running" className={css.fit} right={<span>{leftText(progress)}</span>}>
      <div className={css.running}>
        <b>{title}</b>
        <span className={css.dim}>
          policy {manifest.policy}, seed {manifest.seed}
        </span>
        <progress aria-label={`${title}: trials done`} max={total} value={done} />
        <p role="status">
          {done} of {total} trials done, {progress?.passed ?? 0} passed
          {failed > 0 ? `, ${failed} failed` : ""}
        </p>
        <ul>
          {(progress?.running ?? []).map((one) => (
            <li key={one.trial}>
              trial {one.trial}, {one.variant}
              <span>{fixed(one.simulated_s, 0)} s flown</span>
            </li>
          ))}
        </ul>
        <div className={css.actions}>
          <span className={css.dim}>{stopping ? "stopping …" : "What is done is kept."}</span>
          <Button aria-disabled={stopping} onClick={() => void desk.stop()}>
            <Square size={14} aria-hidden /> Stop
          </Button>
        </div>
      </div>
    </Panel>
  );
}
