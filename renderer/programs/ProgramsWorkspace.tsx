import { Later } from "../ui/Later";

export const ProgramsWorkspace = () => (
  <Later
    title="Programs"
    what="Task programs: code that calls the skill library, written by a coding agent, run in a sandbox and judged from diagnostic views."
    shows={[
      ["Editor", "the program beside its run log and its revisions"],
      ["Views", "diagnostic pictures, each with the question it answers"],
      ["Verdict", "FINISH or REGENERATE, with the reason"],
      ["Rehearsal", "the stamp a program needs in simulation before it may fly hardware"],
    ]}
    today="Missions in words fly today: go to Fly with Ctrl+1."
  />
);
