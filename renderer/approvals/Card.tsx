import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { ApprovalCard, Decision } from "#contract/mission";
import { skillLibrary } from "#contract/skills";
import { ObservedImage } from "../reasoning/ObservedImage";
import { callTitle, stepElementId } from "../reasoning/trace";
import { useNow, useSettingsStore, useStores } from "../stores/context";
import { tell } from "../stores/stores";
import { bearing, fixed, length } from "../ui/format";
import { isEditable } from "../ui/keys";
import { Actions } from "./Actions";
import shared from "./Approval.module.css";
import css from "./Card.module.css";
import { Checks } from "./Checks";
import { firstSentence, tierWords, timeLeft } from "./card";
import { EditForm, RejectForm } from "./Forms";

type Form = "none" | "edit" | "reject";

/** One proposal: what, why, its checks, and the answer. */
export function Card({ card }: { readonly card: ApprovalCard }) {
  const stores = useStores();
  const units = useSettingsStore((settings) => settings.appearance.units);
  const [form, setForm] = useState<Form>("none");
  const [sent, setSent] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const { proposal, token } = card;
  const editable = Object.keys(skillLibrary[proposal.call.skill].parameters).length > 0;

  const decide = (decision: Decision): void => {
    setSent(true);
    void tell(stores, stores.bridge.request("approval.decide", decision)).then((taken) => {
      if (!taken) setSent(false);
    });
  };
  const ask = (what: "focus" | "edit" | "reject" | "take_over"): void => {
    if (what === "take_over") decide({ kind: "take_over", token });
    else if (what === "edit" && editable) setForm("edit");
    else if (what === "reject") setForm("reject");
    else body.current?.focus();
  };
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(
    () =>
      stores.ui.subscribe((now, before) => {
        if (now.decision !== before.decision) asking.current(now.decision.ask);
      }),
    [stores.ui],
  );

  const showTrace = (): void => {
    stores.ui.setState({ fly_tab: "reasoning" });
    document.getElementById(stepElementId(proposal))?.scrollIntoView({ block: "start" });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && form !== "none") {
      setForm("none");
      body.current?.focus();
      return;
    }
    if (isEditable(event.target) || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const what = ({ e: "edit", r: "reject", t: "take_over" } as const)[event.key.toLowerCase()];
    if (what === undefined) return;
    event.preventDefault();
    ask(what);
  };

  return (
    <div
      ref={body}
      className={css.card}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      role="group"
      aria-label="Proposal"
    >
      <Heading card={card} />
      <div className={css.middle}>
        <button type="button" className={css.why} title="Show the whole trace" onClick={showTrace}>
          <span>{firstSentence(proposal.trace.reasoning)}</span>
        </button>
        <dl className={css.facts}>
          <Fact value={length(proposal.distance_m, units)} name="distance" />
          <Fact value={`${fixed(proposal.duration_s, 0)} s`} name="duration" />
          <Fact value={`${fixed(proposal.energy_wh, 1)} Wh`} name="energy" />
          <EndPose card={card} />
        </dl>
        <Checks checks={card.verdict.checks} />
      </div>
      {form === "edit" && (
        <EditForm
          call={proposal.call}
          onCancel={() => setForm("none")}
          onDone={(args) => decide({ kind: "edit", token, args })}
        />
      )}
      {form === "reject" && (
        <RejectForm
          onCancel={() => setForm("none")}
          onDone={(reason) => decide({ kind: "reject", token, reason })}
        />
      )}
      {form === "none" && <Actions card={card} sent={sent} editable={editable} decide={decide} ask={ask} />}
    </div>
  );
}

function Heading({ card }: { readonly card: ApprovalCard }) {
  const units = useSettingsStore((settings) => settings.appearance.units);
  const left = timeLeft(card, useNow(200));
  const { proposal, level } = card;
  return (
    <>
      <div className={css.time} role="timer" aria-label={`${left.text} left, ${left.then}`}>
        <i style={{ transform: `scaleX(${left.share})` }} />
      </div>
      <div className={shared.what}>
        <ObservedImage proposal={proposal} className={css.thumb} />
        <div>
          <div className={shared.skill} role="heading" aria-level={3}>
            {callTitle(proposal.call, units)}
          </div>
          <div className={shared.kind}>
            {tierWords[proposal.tier]} · {proposal.tier} ·{" "}
            {level === "approve_each" ? "approve each" : "veto window"}
          </div>
        </div>
        <div className={shared.left}>
          {left.text}
          <span>{left.then}</span>
        </div>
      </div>
    </>
  );
}

function EndPose({ card }: { readonly card: ApprovalCard }) {
  const units = useSettingsStore((settings) => settings.appearance.units);
  const { end } = card.proposal;
  if (end === null) return <Fact value="–" name="no end pose" />;
  const [east, north, up] = end.position_enu_m;
  const bare = (value: number): string => length(value, units, 1).replace(/ .*$/, "");
  const name = `N ${bare(north)} E ${bare(east)} ${bearing(end.yaw_enu_rad)}`;
  return <Fact value={`up ${length(up, units)}`} name={name} />;
}

function Fact({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <div>
      <dd>{value}</dd>
      <dt title={name}>{name}</dt>
    </div>
  );
}
