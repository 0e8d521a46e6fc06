import { Hand, PlaneLanding, Power, ShieldAlert } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import type { EmergencyAction } from "#contract/station";
import { useNow, useStationStore, useStores } from "../stores/context";
import { pressEmergency } from "../stores/stores";
import { Kbd } from "../ui/Button";
import { useHold } from "../ui/useHold";
import css from "./Emergency.module.css";
import { type Cover, type EmergencyView, emergencyView, kill_hold_ms, stepCover } from "./emergency";

/**
 * HOLD, LAND, KILL. Mounted beside everything else under its own error boundary, above every overlay, and never disabled:
 * the station decides what can be done, and says so on the button.
 */
export function Emergency() {
  const now_ms = useNow(100);
  const { presses } = useStores();
  const pressed = useStore(presses);
  const reported = useStationStore((station) => station.emergency);
  const view = (action: EmergencyAction): EmergencyView =>
    emergencyView(action, reported, pressed[action], now_ms);
  const views = { hold: view("hold"), land: view("land"), kill: view("kill") };
  const alarm = Object.entries(views).find(([, one]) => one.tone === "alarm");
  return (
    <div className={css.group} role="group" aria-label="Emergency actions">
      <Plain action="hold" name="HOLD" keys="F9" view={views.hold} />
      <Plain action="land" name="LAND" view={views.land} />
      <Kill view={views.kill} />
      <div className="visually-hidden" role="alert">
        {alarm === undefined ? "" : `${alarm[0]}: ${alarm[1].word}. ${alarm[1].detail}`}
      </div>
    </div>
  );
}

const hints = { hold: "Stop where it is: F9 or Space", land: "Land here: Shift+L" } as const;
const icons = { hold: Hand, land: PlaneLanding, kill: Power } as const;

interface PlainProps {
  readonly action: "hold" | "land";
  readonly name: string;
  readonly keys?: string;
  readonly view: EmergencyView;
}

function Plain({ action, name, keys, view }: PlainProps) {
  const stores = useStores();
  const Icon = icons[action];
  return (
    <button
      type="button"
      className={css.button}
      data-action={action}
      data-state={view.tone}
      title={view.detail === "" ? hints[action] : view.detail}
      onClick={() => pressEmergency(stores, action)}
    >
      <span className={css.name}>
        <Icon size={16} aria-hidden />
        {name}
        {keys !== undefined && <Kbd>{keys}</Kbd>}
      </span>
      <State view={view} />
    </button>
  );
}

const State = ({ view }: { readonly view: EmergencyView }) =>
  view.word === "" ? null : <span className={css.state}>{view.word}</span>;

function Kill({ view }: { readonly view: EmergencyView }) {
  const stores = useStores();
  const { clock, time, ui } = stores;
  const [cover, setCover] = useState<Cover>({ state: "shut" });
  const step = useCallback(
    (event: Parameters<typeof stepCover>[1]) => setCover((now) => stepCover(now, event, clock.now_ms())),
    [clock],
  );
  const hold = useHold({
    duration_ms: kill_hold_ms,
    onFire: () => {
      pressEmergency(stores, "kill");
      step("shut");
    },
  });
  useEffect(
    () => (cover.state === "lifted" ? time.every(200, () => step("tick")) : undefined),
    [cover.state, time, step],
  );
  useEffect(
    () =>
      ui.subscribe((state, before) => {
        if (state.kill_cover !== before.kill_cover) step("lift");
      }),
    [ui, step],
  );
  const press = (): void => {
    step("press");
    hold.press();
  };
  const release = (): void => {
    step("release");
    hold.release();
  };
  if (cover.state === "shut") {
    return (
      <button
        type="button"
        className={css.button}
        data-action="kill"
        data-state={view.tone}
        title={view.detail === "" ? "Stops the motors. Lift the cover, then hold for 2 s." : view.detail}
        onClick={() => step("lift")}
      >
        <span className={css.name}>
          <ShieldAlert size={16} aria-hidden />
          KILL
          <span className="visually-hidden">, cover shut: press to lift it</span>
        </span>
        <State view={view} />
      </button>
    );
  }
  return (
    <button
      type="button"
      className={css.button}
      data-action="kill"
      data-open
      autoFocus
      onPointerDown={(event) => {
        if (event.button === 0) press();
      }}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onKeyDown={(event) => {
        if (event.key === "Enter" && !event.repeat) press();
        if (event.key === "Escape") step("shut");
      }}
      onKeyUp={release}
      onBlur={release}
    >
      <span className={css.fill} style={{ transform: `scaleX(${hold.share})` }} />
      <span className={css.name}>
        <Power size={16} aria-hidden />
        KILL
      </span>
      <span className={css.state}>hold 2 s</span>
    </button>
  );
}
