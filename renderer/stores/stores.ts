import { createStore, type StoreApi } from "zustand/vanilla";
import type { Alert } from "#contract/alerts";
import type { Bridge, Snapshot } from "#contract/ipc";
import type { LinkDetail } from "#contract/link-detail";
import type { ApprovalCard, MissionState } from "#contract/mission";
import type { FrameReport } from "#contract/perception";
import type { LogOffer, ReviewJob } from "#contract/review";
import type { SafetyState } from "#contract/safety";
import { defaultSettings, type Settings } from "#contract/settings";
import type { EmergencyAction, StationStatus } from "#contract/station";
import { type LinkStatus, unknownVehicle, type VehicleState } from "#contract/vehicle";
import type { CameraHub } from "../bridge/bridge";
import { createStationClock, type PageTime, type StationClock } from "../bridge/time";
import { createObserved, type Observed } from "../reasoning/observed";
import { noMission, nothingWatched, unknownLink, unknownStation } from "./initial";
import { createUiStore, isWorkspace, type UiState, type UiStore, withNotice } from "./ui";

/** What became of the newest press of an emergency button in this window, until the station's own report takes over. */
export type Press =
  | { readonly state: "none" }
  | { readonly state: "asking"; readonly at_ms: number }
  | { readonly state: "refused"; readonly at_ms: number; readonly reason: string };

/**
 * One store for each topic of the station, holding the newest snapshot and nothing derived. The station owns the truth: nothing
 * here is changed except by what it says (`ui` is the window's own). Subscribe outside React for drawing, select narrowly in it.
 */
export interface Stores {
  readonly bridge: Bridge;
  readonly cameras: CameraHub;
  readonly observed: Observed;
  readonly time: PageTime;
  /** Station time, for ages: every `at_ms` of the contract is on it. */
  readonly clock: StationClock;
  readonly station: StoreApi<StationStatus>;
  readonly vehicle: StoreApi<VehicleState>;
  readonly links: StoreApi<{ readonly links: readonly LinkStatus[] }>;
  readonly link: StoreApi<LinkDetail>;
  readonly mission: StoreApi<MissionState>;
  readonly approval: StoreApi<{ readonly card: ApprovalCard | null }>;
  readonly safety: StoreApi<SafetyState>;
  readonly perception: StoreApi<{ readonly report: FrameReport | null }>;
  readonly alerts: StoreApi<{ readonly alerts: readonly Alert[] }>;
  readonly settings: StoreApi<Settings>;
  /** Long work of review and archive. */
  readonly jobs: StoreApi<{ readonly jobs: readonly ReviewJob[] }>;
  readonly log_offer: StoreApi<{ readonly offer: LogOffer | null }>;
  readonly ui: UiStore;
  readonly presses: StoreApi<Readonly<Record<EmergencyAction, Press>>>;
  /** Asks for everything anew; the topics' own events go on meanwhile. */
  refresh(): void;
  /** Stops listening. */
  dispose(): void;
}

export interface StoresOptions {
  readonly bridge: Bridge;
  readonly cameras: CameraHub;
  readonly time: PageTime;
  readonly ui?: Partial<UiState>;
}

export function createStores({ bridge, cameras, time, ui: ui_start }: StoresOptions): Stores {
  const clock = createStationClock(time);
  const station = createStore<StationStatus>(() => unknownStation);
  const vehicle = createStore<VehicleState>(() => unknownVehicle);
  const links = createStore<{ readonly links: readonly LinkStatus[] }>(() => ({ links: [] }));
  const link = createStore<LinkDetail>(() => unknownLink);
  const mission = createStore<MissionState>(() => noMission);
  const approval = createStore<{ readonly card: ApprovalCard | null }>(() => ({ card: null }));
  const safety = createStore<SafetyState>(() => nothingWatched);
  const perception = createStore<{ readonly report: FrameReport | null }>(() => ({ report: null }));
  const alerts = createStore<{ readonly alerts: readonly Alert[] }>(() => ({ alerts: [] }));
  const settings = createStore<Settings>(() => defaultSettings);
  const jobs = createStore<{ readonly jobs: readonly ReviewJob[] }>(() => ({ jobs: [] }));
  const log_offer = createStore<{ readonly offer: LogOffer | null }>(() => ({ offer: null }));
  const ui = createUiStore(ui_start);
  const none: Press = { state: "none" };
  const presses = createStore<Readonly<Record<EmergencyAction, Press>>>(() => ({
    hold: none,
    land: none,
    kill: none,
  }));

  const setStation = (status: StationStatus): void => {
    clock.told(status.now_ms);
    station.setState(status, true);
  };
  const cancels = [
    bridge.on("station", setStation),
    bridge.on("vehicle", (state) => vehicle.setState(state, true)),
    bridge.on("links", (list) => links.setState({ links: list }, true)),
    bridge.on("link", (detail) => link.setState(detail, true)),
    bridge.on("mission", (state) => mission.setState(state, true)),
    bridge.on("approval", (card) => approval.setState({ card }, true)),
    bridge.on("safety", (state) => safety.setState(state, true)),
    bridge.on("perception", (report) => perception.setState({ report }, true)),
    bridge.on("alerts", (list) => alerts.setState({ alerts: list }, true)),
    bridge.on("settings", (value) => settings.setState(value, true)),
    bridge.on("jobs", (list) => jobs.setState({ jobs: list }, true)),
    bridge.on("log_offer", (offer) => log_offer.setState({ offer }, true)),
    bridge.on("menu", ({ action, path }) => {
      if (isWorkspace(action)) ui.setState({ workspace: action });
      else if (action === "palette") ui.setState({ palette_open: true });
      if (path !== null) ui.setState({ workspace: "review", review_path: path });
    }),
  ];

  const take = (snapshot: Snapshot): void => {
    setStation(snapshot.station);
    vehicle.setState(snapshot.vehicle, true);
    links.setState({ links: snapshot.links }, true);
    mission.setState(snapshot.mission, true);
    approval.setState({ card: snapshot.approval }, true);
    safety.setState(snapshot.safety, true);
    perception.setState({ report: snapshot.perception }, true);
    alerts.setState({ alerts: snapshot.alerts }, true);
    settings.setState(snapshot.settings, true);
    ui.setState({ snapshot: { state: "ready" } });
  };
  const refresh = (): void => {
    // Without an answer the event brings it half a second later.
    bridge.request("link.detail", {}).then(
      (detail) => link.setState(detail, true),
      () => undefined,
    );
    bridge.request("log_offer.current", {}).then(
      (offer) => log_offer.setState({ offer }, true),
      () => undefined,
    );
    bridge.request("station.snapshot", {}).then(take, (cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      ui.setState({ snapshot: { state: "failed", reason } });
    });
  };
  refresh();

  return {
    bridge,
    cameras,
    observed: createObserved(cameras),
    time,
    clock,
    station,
    vehicle,
    links,
    link,
    mission,
    approval,
    safety,
    perception,
    alerts,
    settings,
    jobs,
    log_offer,
    ui,
    presses,
    refresh,
    dispose: () => {
      for (const cancel of cancels) cancel();
    },
  };
}

/** HOLD, LAND, KILL: asked of the station at once, whatever else the window is doing; its fate is shown on the button. */
export function pressEmergency(stores: Stores, action: EmergencyAction): void {
  const at_ms = stores.clock.now_ms();
  const set = (press: Press): void => stores.presses.setState({ [action]: press });
  set({ state: "asking", at_ms });
  stores.bridge.request("emergency.press", { action }).then(
    (outcome) => {
      if (!outcome.ok) set({ state: "refused", at_ms, reason: outcome.reason });
    },
    (cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      set({ state: "refused", at_ms, reason });
    },
  );
}

/** Shows a refusal as a notice; every button that asks the station for something ends here. */
export async function tell(
  stores: Stores,
  asked: Promise<{ readonly ok: true } | { readonly ok: false; readonly reason: string }>,
): Promise<boolean> {
  const say = (text: string): void => stores.ui.setState((state) => withNotice(state, "caution", text));
  try {
    const outcome = await asked;
    if (!outcome.ok) say(outcome.reason);
    return outcome.ok;
  } catch (cause) {
    say(`The station did not answer: ${cause instanceof Error ? cause.message : String(cause)}`);
    return false;
  }
}
