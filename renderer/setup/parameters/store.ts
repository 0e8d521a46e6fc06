import { createStore, type StoreApi } from "zustand/vanilla";
import type { ParameterDifference, ParameterRow } from "#contract/link-ipc";
import type { Stores } from "../../stores/stores";
import type { Asked } from "../useStation";
import { everything, type Filter } from "./rows";
import { answered, begun, type Writes } from "./writes";

export interface Comparison {
  readonly path: string;
  readonly differences: readonly ParameterDifference[];
}

interface ParametersState {
  readonly list: Asked<readonly ParameterRow[]>;
  readonly filter: Filter;
  readonly chosen: string | null;
  readonly writes: Writes;
  readonly comparison: Comparison | null;
}
export type ParametersStore = StoreApi<ParametersState>;

const known = new WeakMap<Stores, ParametersStore>();

/** The vehicle's parameters as this window last read them, and what was written here. Outlives the section on the screen. */
export function parametersOf(stores: Stores): ParametersStore {
  const store = known.get(stores);
  if (store !== undefined) return store;
  const fresh = createStore<ParametersState>(() => ({
    list: { state: "waiting" },
    filter: everything,
    chosen: null,
    writes: {},
    comparison: null,
  }));
  known.set(stores, fresh);
  forgetOnRestart(stores, fresh);
  return fresh;
}

/** After a restart, or with another vehicle, nothing that was written here is waiting for anything any more. */
function forgetOnRestart(stores: Stores, store: ParametersStore): void {
  const { system_id, boot_time_ms } = stores.vehicle.getState();
  let seen = { system_id, boot_ms: boot_time_ms ?? 0 };
  stores.vehicle.subscribe((vehicle) => {
    if (vehicle.system_id === null || vehicle.boot_time_ms === null) return;
    const restarted = vehicle.boot_time_ms < seen.boot_ms - 5000;
    if (restarted || (seen.system_id !== null && vehicle.system_id !== seen.system_id))
      store.setState({ writes: {}, comparison: null });
    seen = { system_id: vehicle.system_id, boot_ms: vehicle.boot_time_ms };
  });
}

export const rowsOf = (state: ParametersState): readonly ParameterRow[] =>
  state.list.state === "ready" ? state.list.value : none;
const none: readonly ParameterRow[] = [];

/**
 * Reads the list now and whenever the station says that something in it has changed, one reading at a time: during a download
 * that is with every value. Returns the end of it.
 */
export function followParameters(stores: Stores): () => void {
  const store = parametersOf(stores);
  const life = { over: false };
  const wanted = (): boolean => !life.over;
  let reading = false;
  let read_revision = -1;
  let pause = (): void => undefined;
  const read = async (): Promise<void> => {
    if (reading || !wanted()) return;
    reading = true;
    read_revision = stores.link.getState().parameters.revision;
    const list = await stores.bridge.request("parameters.list", {}).then(
      (answer): Asked<readonly ParameterRow[]> =>
        answer.ok ? { state: "ready", value: answer.value } : { state: "failed", reason: answer.reason },
      (cause: unknown): Asked<readonly ParameterRow[]> => ({
        state: "failed",
        reason: cause instanceof Error ? cause.message : String(cause),
      }),
    );
    reading = false;
    if (wanted()) store.setState({ list });
  };
  const look = (): void => {
    if (stores.link.getState().parameters.revision === read_revision) return;
    pause();
    pause = stores.time.after(150, () => void read());
  };
  void read();
  const cancels = [stores.link.subscribe(look), stores.time.every(1000, look)];
  return () => {
    life.over = true;
    pause();
    for (const cancel of cancels) cancel();
  };
}

/** Sends a value; the row shows it as pending until the vehicle's own answer has come. */
export async function writeParameter(stores: Stores, row: ParameterRow, value: number): Promise<void> {
  const store = parametersOf(stores);
  const { name } = row;
  const set = (change: (writes: Writes) => Writes): void =>
    store.setState((state) => ({ writes: change(state.writes) }));
  set((writes) => begun(writes, name, value, row.value));
  const answer = await stores.bridge.request("parameters.write", { name, value }).then(
    (result) => (result.ok ? ({ ok: true, value: result.value.value } as const) : result),
    (cause: unknown) =>
      ({ ok: false, reason: cause instanceof Error ? cause.message : String(cause) }) as const,
  );
  set((writes) => answered(writes, name, value, answer));
  if (!answer.ok) return;
  store.setState((state) => ({
    list: {
      state: "ready",
      value: rowsOf(state).map((one) => (one.name === name ? { ...one, value: answer.value } : one)),
    },
  }));
}
