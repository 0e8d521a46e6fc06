import { useEffect } from "react";
import { useStores } from "../stores/context";

const alive_every_ms = 500;

/** Tells the station that this window draws; silence for 2 s during a mission holds the running skill. */
export function useAlive(): void {
  const { bridge, time } = useStores();
  useEffect(
    () =>
      time.every(alive_every_ms, () => {
        // A lost answer needs no handling here: silence is what the station acts on.
        bridge.request("ui.alive", {}).catch(() => undefined);
      }),
    [bridge, time],
  );
}
