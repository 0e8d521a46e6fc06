import { createStore, type StoreApi } from "zustand/vanilla";
import type { Stores } from "../stores/stores";
import { emptyTrail, extendTrail, type Trail } from "./scene/trail";

const trails = new WeakMap<Stores, StoreApi<{ readonly trail: Trail }>>();

/** The path flown since arming. Collected for as long as the window lives, also while the twin is not on the screen. */
export function trailOf(stores: Stores): StoreApi<{ readonly trail: Trail }> {
  const known = trails.get(stores);
  if (known !== undefined) return known;
  const store = createStore<{ readonly trail: Trail }>(() => ({ trail: emptyTrail }));
  trails.set(stores, store);
  let armed = stores.vehicle.getState().armed;
  stores.vehicle.subscribe((vehicle) => {
    const { trail } = store.getState();
    const start = vehicle.armed && !armed;
    armed = vehicle.armed;
    const base = start ? { ...emptyTrail, revision: trail.revision + 1 } : trail;
    const next =
      vehicle.armed && vehicle.position_enu_m !== null ? extendTrail(base, vehicle.position_enu_m) : base;
    if (next !== trail) store.setState({ trail: next });
  });
  return store;
}
