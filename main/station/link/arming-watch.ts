import type { VehicleState } from "#contract/vehicle";
import {
  disabledChecks,
  explained,
  failsafeIssues,
  failsafeWords,
  noArmingReport,
  stepArmingReport,
  withIssues,
} from "../../vehicle";
import type { EventNews, EventWords } from "../../vehicle/arming-events";

const reading = {
  id: "failsafe:reading",
  severity: "blocks" as const,
  text: "The vehicle's failsafe parameters are being read",
  advice: "wait until all are here",
};

/** Every reason not to arm beside the vehicle's own state: its events, and failsafe parameters that would climb too high. */
export class ArmingWatch {
  readonly #ceiling_m: () => number;
  #report = noArmingReport;
  #failsafes: VehicleState["failsafes"] = [];
  #blocking: VehicleState["arming"] = [reading];

  constructor(ceiling_m: () => number) {
    this.#ceiling_m = ceiling_m;
  }

  news(news: EventNews, words: EventWords): void {
    this.#report = stepArmingReport(this.#report, news, words);
  }

  /** Called ten times a second. `complete`: all parameters are here, so that a missing one is missing. */
  weigh(
    autopilot: VehicleState["autopilot"],
    read: (name: string) => number | undefined,
    complete: boolean,
  ): void {
    const ceiling_m = this.#ceiling_m();
    const words = failsafeWords(autopilot, read, ceiling_m);
    // While the list still comes in, what is missing from it says nothing.
    const known = complete ? words : words.filter((w) => w.value !== null);
    this.#failsafes = known.map(({ parameter, sentence, blocks }) => ({ parameter, sentence, blocks }));
    this.#blocking = complete
      ? [...failsafeIssues(words, ceiling_m), ...disabledChecks(autopilot, read)]
      : [reading];
  }

  compose(vehicle: VehicleState): VehicleState {
    return {
      ...vehicle,
      failsafes: this.#failsafes,
      arming: withIssues(explained(vehicle.arming, this.#report), this.#report.issues, this.#blocking),
    };
  }

  forget(): void {
    this.#report = noArmingReport;
    this.#failsafes = [];
    this.#blocking = [reading];
  }
}
