import type { Alert, AlertSeverity } from "#contract/alerts";
import type { Clock } from "../platform/clock";
import { initialAlerts, stepAlerts } from "../safety/alerts";
import type { VehicleText } from "../vehicle";

export interface AlertDeskOptions {
  readonly clock: Clock;
  readonly onChange: (alerts: readonly Alert[]) => void;
  /** Every new occurrence and every acknowledgement, for the record. */
  readonly onAlert: (alert: Alert) => void;
}

/** The latched alert list on a clock; whoever finds something wrong raises it here. */
export class AlertDesk {
  readonly #options: AlertDeskOptions;
  #state = initialAlerts;

  constructor(options: AlertDeskOptions) {
    this.#options = options;
  }

  get alerts(): readonly Alert[] {
    return this.#state.alerts;
  }

  raise(id: string, severity: AlertSeverity, text: string, action: string): void {
    this.#step({ kind: "raise", id, severity, text, action });
    const raised = this.#state.alerts.find((a) => a.id === id);
    if (raised !== undefined) this.#options.onAlert(raised);
  }

  acknowledge(id: string | null, by: string): void {
    const before = this.#state.alerts;
    this.#step({ kind: "acknowledge", id, by });
    for (const alert of this.#state.alerts)
      if (alert.acknowledged_by !== null && !before.includes(alert)) this.#options.onAlert(alert);
  }

  mute(minutes: number): void {
    this.#step({ kind: "mute", minutes });
  }

  /** What the vehicle says in words. Notices and below go to the record only. */
  vehicleSays(text: VehicleText): void {
    if (text.severity > 4) return;
    const severity = text.severity <= 3 ? "warning" : "caution";
    this.raise(
      `vehicle: ${text.text}`,
      severity,
      `Vehicle: ${text.text}`,
      "Look at the vehicle before going on",
    );
  }

  #step(event: Parameters<typeof stepAlerts>[1]): void {
    this.#state = stepAlerts(this.#state, event, this.#options.clock.now_ms());
    this.#options.onChange(this.#state.alerts);
  }
}

const severityWords = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"];
export const severityWord = (severity: number): string => severityWords[severity] ?? "info";
