import { createStore, type StoreApi } from "zustand/vanilla";
import type { PlanItem, RallyPoint, VehiclePlan } from "#contract/plan";
import { type Stores, tell } from "../../stores/stores";
import { fenceActs, fenceEditorOf } from "../../twin/fence-editor/store";
import type { Asked } from "../useStation";
import { pickPath, say } from "../useStation";
import { draftOf, fenceOf, sameMission, sameRally } from "./model";

export const parts = ["fence", "mission", "rally"] as const;
export type Part = (typeof parts)[number];

/** What became of the newest upload. Equal means: the vehicle gave back what was sent. */
export type Sent =
  | { readonly state: "idle" | "sending" }
  | { readonly state: "equal"; readonly what: readonly Part[] }
  | { readonly state: "failed"; readonly reason: string };

interface PlanState {
  /** What the vehicle keeps, as it was read last; null before anybody asked. */
  readonly kept: Asked<VehiclePlan> | null;
  readonly mission: readonly PlanItem[];
  readonly rally: readonly RallyPoint[];
  /** Where the draft came from, in words. */
  readonly source: string;
  readonly sent: Sent;
}
type PlanStore = StoreApi<PlanState>;

const known = new WeakMap<Stores, PlanStore>();

/** The plan on this desk and the vehicle's own beside it. Nothing goes to the vehicle but by `sendPlan`. */
export function planOf(stores: Stores): PlanStore {
  const store = known.get(stores);
  if (store !== undefined) return store;
  const fresh = createStore<PlanState>(() => ({
    kept: null,
    mission: [],
    rally: [],
    source: "",
    sent: { state: "idle" },
  }));
  known.set(stores, fresh);
  return fresh;
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Asks the vehicle for all it keeps. */
export async function readPlan(stores: Stores): Promise<VehiclePlan | null> {
  const store = planOf(stores);
  store.setState({ kept: { state: "waiting" } });
  const answer = await stores.bridge
    .request("plan.read", {})
    .catch((cause: unknown) => ({ ok: false, reason: reasonOf(cause) }) as const);
  store.setState({
    kept: answer.ok ? { state: "ready", value: answer.value } : { state: "failed", reason: answer.reason },
  });
  return answer.ok ? answer.value : null;
}

/** Puts a plan on the desk. The fence that was there can be had back with undo. */
export function adoptPlan(stores: Stores, plan: VehiclePlan, source: string): void {
  const editor = fenceEditorOf(stores);
  const { ceiling_m } = editor.getState().history.present;
  fenceActs(editor).load(draftOf(plan.fence, ceiling_m));
  planOf(stores).setState({ mission: plan.mission, rally: plan.rally, source, sent: { state: "idle" } });
}

export async function openPlan(stores: Stores): Promise<void> {
  const path = await pickPath(stores, { kind: "open", title: "Open a plan", extension: "plan" });
  if (path === null) return;
  const answer = await stores.bridge.request("plan.open", { path });
  if (answer.ok) adoptPlan(stores, answer.value, path.split(/[\\/]/).at(-1) ?? path);
  else await tell(stores, Promise.resolve(answer));
}

export async function savePlan(stores: Stores): Promise<void> {
  const { mission, rally, kept } = planOf(stores).getState();
  const path = await pickPath(stores, {
    kind: "save",
    title: "Save the plan",
    extension: "plan",
    suggested: "site.plan",
  });
  if (path === null) return;
  const fence = fenceOf(fenceEditorOf(stores).getState().history.present);
  const origin = await originOf(stores, kept);
  const plan: VehiclePlan = { mission, rally, fence, origin };
  if (await tell(stores, stores.bridge.request("plan.save", { path, plan }))) say(stores, `Saved to ${path}`);
}

async function originOf(stores: Stores, kept: PlanState["kept"]): Promise<VehiclePlan["origin"]> {
  if (kept?.state === "ready" && kept.value.origin !== null) return kept.value.origin;
  return stores.bridge.request("plan.origin", {}).then(
    ({ origin }) => origin,
    () => null,
  );
}

/** Sends the chosen parts; the station reads them back and compares. Then everything is read once more, for the screen. */
export async function sendPlan(stores: Stores, wanted: readonly Part[]): Promise<boolean> {
  const store = planOf(stores);
  const { mission, rally } = store.getState();
  const fence = fenceOf(fenceEditorOf(stores).getState().history.present);
  store.setState({ sent: { state: "sending" } });
  const answer = await stores.bridge
    .request("plan.write", {
      fence: wanted.includes("fence") ? fence : null,
      mission: wanted.includes("mission") ? mission : null,
      rally: wanted.includes("rally") ? rally : null,
    })
    .catch((cause: unknown) => ({ ok: false, reason: reasonOf(cause) }) as const);
  store.setState({
    sent: answer.ok ? { state: "equal", what: wanted } : { state: "failed", reason: answer.reason },
  });
  await readPlan(stores);
  return answer.ok;
}

/** Whether the vehicle keeps what is on the desk, mission and rally; the fence is compared where it is drawn. */
export function keptParts(
  state: Pick<PlanState, "mission" | "rally">,
  kept: VehiclePlan,
): { readonly mission: boolean; readonly rally: boolean } {
  return { mission: sameMission(state.mission, kept.mission), rally: sameRally(state.rally, kept.rally) };
}
