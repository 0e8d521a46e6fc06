import { useEffect, useRef, useState } from "react";
import { useStores } from "../stores/context";
import { type Hold, type HoldEvent, heldShare, idle, stepHold } from "./hold";

interface HoldOptions {
  readonly duration_ms: number;
  /** Station time before which a press does not count. */
  readonly allowed_from_ms?: number;
  readonly onFire: () => void;
}

export interface HoldControl {
  /** 0-1, for the fill of the button. */
  readonly share: number;
  readonly press: () => void;
  readonly release: () => void;
}

/** `stepHold` driven by the page: ticks while something is held, fires once, lets go when the window loses the focus. */
export function useHold({ duration_ms, allowed_from_ms = 0, onFire }: HoldOptions): HoldControl {
  const { time, clock } = useStores();
  const [{ share, holding }, setShown] = useState({ share: 0, holding: false });
  const hold = useRef<Hold>(idle);
  const latest = useRef({ rule: { duration_ms, allowed_from_ms }, onFire });
  latest.current = { rule: { duration_ms, allowed_from_ms }, onFire };

  const take = useRef((event: HoldEvent): void => {
    const { rule, onFire: fire } = latest.current;
    const now_ms = clock.now_ms();
    const before = hold.current;
    hold.current = stepHold(before, event, rule, now_ms);
    setShown({ share: heldShare(hold.current, rule, now_ms), holding: hold.current.state === "holding" });
    if (hold.current.state === "fired" && before.state !== "fired") fire();
  }).current;

  useEffect(() => (holding ? time.every(33, () => take("tick")) : undefined), [holding, time, take]);
  useEffect(() => {
    const release = (): void => take("release");
    window.addEventListener("blur", release);
    return () => window.removeEventListener("blur", release);
  }, [take]);

  return { share, press: () => take("press"), release: () => take("release") };
}
