import { type RefObject, useEffect, useState } from "react";
import { type GraderHello, GraderMessage, type GraderTruth } from "#contract/grader-wire";
import { onSpectatorPort } from "../bridge/spectator-port";
import { useStores } from "../stores/context";
import type { TruthPoses, TruthThing } from "./scene/truth-model";
import type { TwinView } from "./scene/twin-view";

export type SpectatorState = "off" | "waiting" | "live";

/**
 * Ground truth in the twin, while `on`: from its own port straight into the picture. It is never put into a store, so that
 * nothing of the window that a person or a model decides by can come to depend on it.
 */
export function useSpectator(view: RefObject<TwinView | null>, on: boolean): SpectatorState {
  const { bridge } = useStores();
  const [live, setLive] = useState(false);
  useEffect(() => {
    if (!on) return;
    let open: MessagePort | null = null;
    const stop = onSpectatorPort(window, (port) => {
      open?.close();
      open = port;
      port.onmessage = ({ data }: MessageEvent<unknown>) => {
        const message = GraderMessage.safeParse(data);
        if (!message.success) return;
        setLive(show(view.current, message.data));
        if (message.data.kind === "truth") port.postMessage(0);
      };
    });
    void bridge.request("spectator.watch", { on: true });
    return () => {
      stop();
      open?.close();
      view.current?.setTruth(null);
      setLive(false);
      void bridge.request("spectator.watch", { on: false });
    };
  }, [view, on, bridge]);
  if (!on) return "off";
  return live ? "live" : "waiting";
}

/** Draws what came; false when the world has ended. */
function show(view: TwinView | null, message: GraderMessage): boolean {
  if (message.kind === "hello") view?.setTruth(thingsOf(message));
  if (message.kind === "truth") view?.moveTruth(posesOf(message));
  if (message.kind === "end") view?.setTruth(null);
  return message.kind !== "end";
}

const thingsOf = ({ objects }: GraderHello): readonly TruthThing[] =>
  objects.map(({ name, label, bounds_m, colour }) => ({ name, label, colour, ...bounds_m }));

const posesOf = ({ vehicle, objects }: GraderTruth): TruthPoses => ({
  vehicle: { p: vehicle.position_enu_m, q: vehicle.quat_flu_enu },
  objects,
});
