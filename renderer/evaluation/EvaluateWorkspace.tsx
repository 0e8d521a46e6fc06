import { useEffect } from "react";
import { useStore } from "zustand";
import { useStores } from "../stores/context";
import { evaluationOf } from "./desk";
import css from "./Evaluate.module.css";
import { NewRun } from "./NewRun";
import { Results } from "./Results";
import { RunList } from "./RunList";
import { Running } from "./Running";

/** Suites of trials in the embedded world, graded by the truth: start them, watch them, read what came of them. */
export function EvaluateWorkspace() {
  const desk = evaluationOf(useStores());
  const view = useStore(desk.view);
  useEffect(() => void desk.refresh(), [desk]);
  const { state, open } = view;
  return (
    <div className={css.workspace}>
      <div className={css.side}>
        {state.running === null ? (
          <NewRun desk={desk} suites={view.suites} problem={view.problem} state={state} />
        ) : (
          <Running desk={desk} running={state.running} suites={view.suites} />
        )}
        <RunList desk={desk} runs={view.runs} open={open?.run.folder ?? null} state={state} />
      </div>
      <Results desk={desk} detail={open} suites={view.suites} />
    </div>
  );
}
