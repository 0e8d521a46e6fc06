import { Hand, SendHorizontal } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from "react";
import { happenings } from "#contract/happenings";
import { callTitle, markOf } from "../reasoning/trace";
import { useMissionStore, useSettingsStore, useStationStore, useStores, useUiStore } from "../stores/context";
import { tell } from "../stores/stores";
import { Button } from "../ui/Button";
import { parseHistory, walk, withSaid } from "./history";
import css from "./Mission.module.css";

const examples = [
  "take off, move forward twice, turn right and land",
  "take off, go up, turn left three times and land",
  "take off, move forward one metre, hold five seconds and land",
] as const;

const history_key = "kingfisher.said";
const draft_key = "kingfisher.draft";

/** The mission in words, and what was done so far. */
export function MissionPanel() {
  const started = useMissionStore((mission) => mission.id !== null);
  return (
    <section className={css.panel} aria-label="Mission">
      <Composer />
      {started ? <Lane /> : <Examples />}
    </section>
  );
}

function useSay(): (command: string) => Promise<boolean> {
  const stores = useStores();
  return (command) => tell(stores, stores.bridge.request("mission.start", { command }));
}

function Composer() {
  const say = useSay();
  const field = useRef<HTMLInputElement>(null);
  const focus_asked = useUiStore((ui) => ui.composer_focus);
  const [text, setText] = useState(() => sessionStorage.getItem(draft_key) ?? "");
  const history = useRef(parseHistory(localStorage.getItem(history_key)));
  useEffect(() => {
    if (focus_asked > 0) field.current?.focus();
  }, [focus_asked]);
  useEffect(() => sessionStorage.setItem(draft_key, text), [text]);

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const command = text.trim();
    if (command === "") return;
    void say(command).then((taken) => {
      if (!taken) return;
      history.current = withSaid(history.current, command);
      localStorage.setItem(history_key, JSON.stringify(history.current.said));
      setText("");
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = ({ ArrowUp: 1, ArrowDown: -1 } as const)[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const walked = walk(history.current, step, text);
    history.current = walked.history;
    setText(walked.text);
  };
  return (
    <form className={css.say} onSubmit={submit}>
      <input
        ref={field}
        aria-label="Say a mission"
        placeholder="Say a mission in words"
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" tone="intent" size="large" title="Enter">
        <SendHorizontal size={15} aria-hidden /> Send
      </Button>
      <PushMenu />
    </form>
  );
}

function Examples() {
  const say = useSay();
  return (
    <div className={css.examples}>
      <span>Try one:</span>
      {examples.map((example) => (
        <button key={example} type="button" className={css.chip} onClick={() => void say(example)}>
          {example}
        </button>
      ))}
    </div>
  );
}

const signs = { waiting: "?", running: "…", done: "✓", failed: "✗", refused: "⊘" } as const;
const sign_words = {
  waiting: "waits for a decision",
  running: "running",
  done: "done",
  failed: "failed",
  refused: "not flown",
} as const;

function Lane() {
  const mission = useMissionStore((state) => state);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const stores = useStores();
  const lane = useRef<HTMLOListElement>(null);
  const count = mission.steps.length;
  useEffect(() => {
    if (count > 0) lane.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, [count]);
  const over = mission.phase === "complete" || mission.phase === "failed" || mission.phase === "idle";
  return (
    <div className={css.lane}>
      <ol ref={lane} className={css.steps} aria-label="Steps so far" tabIndex={0}>
        {mission.steps.map((record) => {
          const mark = markOf(record);
          return (
            <li key={record.proposal.id} className={css.step} data-mark={mark} title={record.detail}>
              {callTitle(record.proposal.call, units)} <span aria-hidden>{signs[mark]}</span>
              <span className="visually-hidden">{sign_words[mark]}</span>
            </li>
          );
        })}
        {mission.steps.length === 0 && <li className={css.understood}>No step yet</li>}
      </ol>
      {over ? (
        <span className={css.over} data-phase={mission.phase}>
          {mission.phase === "complete" ? "✓ complete" : mission.phase === "failed" ? "✗ ended" : ""}
        </span>
      ) : (
        <Button
          size="small"
          title="Ctrl+Shift+X"
          onClick={() => void tell(stores, stores.bridge.request("mission.cancel", {}))}
        >
          End mission
        </Button>
      )}
      <p className={css.understood} title={mission.command} data-selectable>
        {mission.understood.length === 0
          ? `said: ${mission.command}`
          : `understood: ${mission.understood.join(" → ")}`}
      </p>
    </div>
  );
}

/** Only in simulation: pushes an object or makes trouble, to see what the monitor and the failsafe do. */
function PushMenu() {
  const stores = useStores();
  const simulation = useStationStore((station) => station.simulation);
  const pushable = useStationStore((station) => station.pushable);
  if (!simulation || pushable.length === 0) return null;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button size="large" title="Simulation only: something moves that must not, or fails">
          <Hand size={15} aria-hidden /> Push…
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} align="end" side="top" sideOffset={6}>
          <DropdownMenu.Label className={css.note}>Push an object in the simulation</DropdownMenu.Label>
          {pushable.map((object) => (
            <DropdownMenu.Item
              key={object}
              className={css.item}
              onSelect={() => void tell(stores, stores.bridge.request("scene.push", { object }))}
            >
              {object.replaceAll("_", " ")}
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Label className={css.note}>Make something happen</DropdownMenu.Label>
          {happenings.map(({ id, title }) => (
            <DropdownMenu.Item
              key={id}
              className={css.item}
              onSelect={() => void tell(stores, stores.bridge.request("scene.happen", { id }))}
            >
              {title}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
