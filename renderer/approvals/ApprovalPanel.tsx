import { Hand, PlaneTakeoff } from "lucide-react";
import type { Execution, MissionState } from "#contract/mission";
import { callTitle, decisionText } from "../reasoning/trace";
import { useApprovalStore, useMissionStore, useSettingsStore, useStores } from "../stores/context";
import { pressEmergency, tell } from "../stores/stores";
import { Button, Kbd } from "../ui/Button";
import { length, seconds } from "../ui/format";
import { Panel } from "../ui/Panel";
import css from "./Approval.module.css";
import { Card } from "./Card";

/** The one place where a decision is asked for; while nothing is asked, it says what the machine does or waits for. */
export function ApprovalPanel() {
  const card = useApprovalStore((state) => state.card);
  const mission = useMissionStore((state) => state);
  if (card !== null) {
    return (
      <Panel title="Decision" bare tone="machine" className={css.panel}>
        {/* A new token is a new decision: nothing held, typed or opened carries over. */}
        <Card key={card.token} card={card} />
      </Panel>
    );
  }
  return (
    <Panel title="Decision" bare className={css.panel}>
      {mission.phase === "executing" && mission.execution !== null ? (
        <Executing execution={mission.execution} batch_left={mission.batch_left} />
      ) : (
        <Waiting mission={mission} />
      )}
    </Panel>
  );
}

interface ExecutingProps {
  readonly execution: Execution;
  readonly batch_left: number;
}

function Executing({ execution, batch_left }: ExecutingProps) {
  const stores = useStores();
  const units = useSettingsStore((settings) => settings.appearance.units);
  const { progress, phase, error_m, elapsed_ms, timeout_ms } = execution;
  const share = Math.max(0, Math.min(1, progress));
  return (
    <div className={css.running}>
      <div className={css.what}>
        <div>
          <div className={css.skill}>{callTitle(execution.call, units)}</div>
          <div className={css.kind}>flying · {phase}</div>
        </div>
        <div className={css.left}>
          {seconds(elapsed_ms, 0)}
          <span>of at most {seconds(timeout_ms, 0)}</span>
        </div>
      </div>
      <div
        className={css.progress}
        role="progressbar"
        aria-label="Progress of the skill"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <i style={{ transform: `scaleX(${share})` }} />
      </div>
      <p className={css.live}>
        {error_m === null ? "distance left not known" : `${length(error_m, units)} left`}
        {batch_left > 0 && ` · ${batch_left} more of this kind approved`}
      </p>
      <Button tone="caution" size="large" onClick={() => pressEmergency(stores, "hold")}>
        <Hand size={16} aria-hidden /> Stop and hold <Kbd>F9</Kbd>
      </Button>
    </div>
  );
}

const waiting_words: Readonly<Record<MissionState["phase"], readonly [string, string]>> = {
  idle: [
    "Nothing to decide",
    "Every skill the machine wants to fly is asked for here, with its checks, before it moves.",
  ],
  reasoning: [
    "Choosing the next skill",
    "Its proposal will stand here. The aircraft holds until you approve.",
  ],
  awaiting_approval: ["A proposal is being judged", "The checks run on fresh state before you are asked."],
  executing: ["Starting the skill", "Progress will stand here."],
  held: ["Holding", ""],
  pilot: ["The pilot has control", ""],
  complete: ["Mission complete", "Say the next one below."],
  failed: ["Mission ended", ""],
};

function Waiting({ mission }: { readonly mission: MissionState }) {
  const stores = useStores();
  const { phase, why } = mission;
  const [title, explanation] = waiting_words[phase];
  const last = mission.steps.at(-1)?.decision;
  const lost =
    last != null && ["voided", "expired", "refused"].includes(last.kind) ? decisionText(last) : null;
  const stopped = phase === "held" || phase === "pilot";
  return (
    <div className={css.waiting} data-phase={phase}>
      <h3>{title}</h3>
      <p>{why === "" ? explanation : why}</p>
      {stopped && lost !== null && <p className={css.lost}>Last decision: {lost}</p>}
      {stopped && (
        <div className={css.back}>
          <Button
            tone="intent"
            size="large"
            onClick={() => void tell(stores, stores.bridge.request("mission.hand_back", {}))}
          >
            <PlaneTakeoff size={16} aria-hidden /> {phase === "pilot" ? "Hand back to the mission" : "Go on"}
            <Kbd>Ctrl+Shift+B</Kbd>
          </Button>
          <Button size="large" onClick={() => void tell(stores, stores.bridge.request("mission.cancel", {}))}>
            End the mission
          </Button>
        </div>
      )}
    </div>
  );
}
