import type { Alert, AlertSeverity } from "#contract/alerts";

const rank: Readonly<Record<AlertSeverity, number>> = { warning: 0, caution: 1, advisory: 2 };

/** Not yet acknowledged, newest of the worst first. */
export const open = (alerts: readonly Alert[]): readonly Alert[] =>
  alerts.filter((alert) => alert.acknowledged_by === null).sort(worstFirst);

export const worstFirst = (a: Alert, b: Alert): number =>
  rank[a.severity] - rank[b.severity] || b.last_at_ms - a.last_at_ms;

/** Open ones first (newest of the worst), then the acknowledged, newest first. */
export const forList = (alerts: readonly Alert[]): readonly Alert[] => [
  ...open(alerts),
  ...alerts.filter((alert) => alert.acknowledged_by !== null).sort((a, b) => b.last_at_ms - a.last_at_ms),
];

export function countOf(alerts: readonly Alert[]): Readonly<Record<AlertSeverity, number>> {
  const counts = { warning: 0, caution: 0, advisory: 0 };
  for (const alert of open(alerts)) counts[alert.severity] += 1;
  return counts;
}

/** The worst severity among what is new or has repeated since `seen` (id → count); null when nothing has. */
export function worstNew(alerts: readonly Alert[], seen: ReadonlyMap<string, number>): AlertSeverity | null {
  const fresh = open(alerts).filter((alert) => alert.count > (seen.get(alert.id) ?? 0));
  return fresh[0]?.severity ?? null;
}

/** Mute is for cautions and advisories; a warning is always heard. */
export const audible = (severity: AlertSeverity, muted: boolean): boolean => severity === "warning" || !muted;
