import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Alert } from "#contract/alerts";
import type { Bridge } from "#contract/ipc";
import type { LinkDetail } from "#contract/link-detail";
import type { ApprovalCard, MissionState } from "#contract/mission";
import type { FrameReport } from "#contract/perception";
import { invariant } from "#contract/result";
import type { LogOffer, ReviewJob } from "#contract/review";
import type { SafetyState } from "#contract/safety";
import type { Settings } from "#contract/settings";
import type { StationStatus } from "#contract/station";
import type { LinkStatus, VehicleState } from "#contract/vehicle";
import type { Stores } from "./stores";
import type { UiState } from "./ui";

const Context = createContext<Stores | null>(null);

export function StoresProvider(props: { readonly stores: Stores; readonly children: ReactNode }) {
  return <Context value={props.stores}>{props.children}</Context>;
}

export function useStores(): Stores {
  const stores = useContext(Context);
  invariant(stores !== null, "no StoresProvider above this component");
  return stores;
}

export const useBridge = (): Bridge => useStores().bridge;

/*
 * Selectors must return a part of the state or a primitive: a fresh object or array on every call makes React render for ever.
 */
type Select<S, T> = (state: S) => T;

export const useStationStore = <T,>(select: Select<StationStatus, T>): T =>
  useStore(useStores().station, select);
export const useVehicleStore = <T,>(select: Select<VehicleState, T>): T =>
  useStore(useStores().vehicle, select);
export const useLinksStore = <T,>(select: Select<{ readonly links: readonly LinkStatus[] }, T>): T =>
  useStore(useStores().links, select);
export const useLinkStore = <T,>(select: Select<LinkDetail, T>): T => useStore(useStores().link, select);
export const useMissionStore = <T,>(select: Select<MissionState, T>): T =>
  useStore(useStores().mission, select);
export const useApprovalStore = <T,>(select: Select<{ readonly card: ApprovalCard | null }, T>): T =>
  useStore(useStores().approval, select);
export const useSafetyStore = <T,>(select: Select<SafetyState, T>): T => useStore(useStores().safety, select);
export const usePerceptionStore = <T,>(select: Select<{ readonly report: FrameReport | null }, T>): T =>
  useStore(useStores().perception, select);
export const useAlertsStore = <T,>(select: Select<{ readonly alerts: readonly Alert[] }, T>): T =>
  useStore(useStores().alerts, select);
export const useSettingsStore = <T,>(select: Select<Settings, T>): T =>
  useStore(useStores().settings, select);
export const useJobsStore = <T,>(select: Select<{ readonly jobs: readonly ReviewJob[] }, T>): T =>
  useStore(useStores().jobs, select);
export const useLogOfferStore = <T,>(select: Select<{ readonly offer: LogOffer | null }, T>): T =>
  useStore(useStores().log_offer, select);
export const useUiStore = <T,>(select: Select<UiState, T>): T => useStore(useStores().ui, select);

/** Station time, rendered anew every `period_ms`: for ages and countdowns. */
export function useNow(period_ms = 200): number {
  const { clock, time } = useStores();
  const [now_ms, setNow] = useState(() => clock.now_ms());
  useEffect(() => time.every(period_ms, () => setNow(clock.now_ms())), [clock, time, period_ms]);
  return now_ms;
}
