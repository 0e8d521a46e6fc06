import type { Alert, AlertSeverity } from "#contract/alerts";

export interface AlertsState {
  /** Ordered for the screen: severity, then not acknowledged first, then newest. */
  readonly alerts: readonly Alert[];
  /** No sound before this time, except for warnings. */
  readonly muted_until_ms: number;
}

export type AlertEvent =
  | {
      readonly kind: "raise";
      readonly id: string;
      readonly severity: AlertSeverity;
      readonly text: string;
      readonly action: string;
    }
  /** Null acknowledges everything on the list. */
  | { readonly kind: "acknowledge"; readonly id: string | null; readonly by: string }
  | { readonly kind: "mute"; readonly minutes: number };

export const initialAlerts: AlertsState = { alerts: [], muted_until_ms: 0 };

const severities: readonly AlertSeverity[] = ["warning", "caution", "advisory"];
/** Memory is bounded; acknowledged and old lines go first, an open warning never. */
const keep_max = 200;
const mute_max_min = 15;

/** Latched list of alerts. A repeat counts up on its line and asks for acknowledgement again. */
export function stepAlerts(state: AlertsState, event: AlertEvent, now_ms: number): AlertsState {
  switch (event.kind) {
    case "raise":
      return {
        ...state,
        alerts: bounded([raised(state, event, now_ms), ...others(state, event.id)].sort(order)),
      };
    case "acknowledge":
      return { ...state, alerts: state.alerts.map((a) => acknowledged(a, event.id, event.by)).sort(order) };
    case "mute": {
      // Anything but a sensible number of minutes unmutes: the sound is the safe side.
      const minutes = event.minutes > 0 && event.minutes <= mute_max_min ? event.minutes : 0;
      return { ...state, muted_until_ms: now_ms + minutes * 60_000 };
    }
  }
}

const others = (state: AlertsState, id: string): readonly Alert[] => state.alerts.filter((a) => a.id !== id);

function raised(state: AlertsState, event: AlertEvent & { readonly kind: "raise" }, now_ms: number): Alert {
  const before = state.alerts.find((a) => a.id === event.id);
  return {
    id: event.id,
    severity: event.severity,
    text: event.text,
    action: event.action,
    count: (before?.count ?? 0) + 1,
    first_at_ms: before?.first_at_ms ?? now_ms,
    last_at_ms: now_ms,
    acknowledged_by: null,
  };
}

const acknowledged = (alert: Alert, id: string | null, by: string): Alert =>
  alert.acknowledged_by === null && (id === null || alert.id === id)
    ? { ...alert, acknowledged_by: by }
    : alert;

const open = (alert: Alert): number => (alert.acknowledged_by === null ? 0 : 1);

function order(a: Alert, b: Alert): number {
  return (
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    open(a) - open(b) ||
    b.last_at_ms - a.last_at_ms ||
    (a.id < b.id ? -1 : 1)
  );
}

function bounded(alerts: readonly Alert[]): readonly Alert[] {
  if (alerts.length <= keep_max) return alerts;
  const dispensable = (a: Alert): number => (open(a) === 1 ? 0 : a.severity === "warning" ? 2 : 1);
  const out = [...alerts].sort((a, b) => dispensable(a) - dispensable(b) || a.last_at_ms - b.last_at_ms)[0];
  return out === undefined || dispensable(out) === 2 ? alerts : alerts.filter((a) => a !== out);
}

/** Whether a new occurrence may sound: muting never reaches warnings. */
export const audible = (state: AlertsState, severity: AlertSeverity, now_ms: number): boolean =>
  severity === "warning" || !(now_ms < state.muted_until_ms);
