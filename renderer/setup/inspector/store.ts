import { createStore, type StoreApi } from "zustand/vanilla";
import type { Stores } from "../../stores/stores";
import { keyOf, type MessageKey, type Order } from "./tree";

export interface PlottedField extends MessageKey {
  readonly field: string;
  readonly unit: string;
}
export const plotKey = (plot: PlottedField): string => `${keyOf(plot)}.${plot.field}`;

interface InspectorState {
  readonly text: string;
  readonly order: Order;
  readonly chosen: MessageKey | null;
  readonly plots: readonly PlottedField[];
}
export const most_plots = 8;

const known = new WeakMap<Stores, StoreApi<InspectorState>>();

/** What the inspector looks at; kept while other sections are on the screen. */
export function inspectorOf(stores: Stores): StoreApi<InspectorState> {
  const store = known.get(stores);
  if (store !== undefined) return store;
  const fresh = createStore<InspectorState>(() => ({
    text: "",
    order: "name",
    chosen: null,
    plots: [],
  }));
  known.set(stores, fresh);
  return fresh;
}
