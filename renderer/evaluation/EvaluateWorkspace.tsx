import { Later } from "../ui/Later";

export const EvaluateWorkspace = () => (
  <Later
    title="Evaluate"
    what="Suites of trials in the embedded world, scored, beside the figures that were published for them."
    shows={[
      ["Suites", "which tasks, how many trials, which policy"],
      ["Running", "trials in progress and the time left"],
      ["Results", "success, invalid answers, times and S_safe beside the published figures"],
    ]}
    today="Single flights are recorded and can be judged in Review: Ctrl+3."
  />
);
