import { armingReasons } from "./arming";
import type { Estimate } from "./estimator";
import { type FailsafeDecision, type FailsafeFlags, failsafe, stateForAction } from "./failsafe";
import { modes, type NavState } from "./modes";
import type { Parameters } from "./parameters";
import { turn } from "./vector";

/** MAV_SEVERITY. */
export const severity = {
  emergency: 0,
  alert: 1,
  critical: 2,
  error: 3,
  warning: 4,
  notice: 5,
  info: 6,
} as const;
/** MAV_RESULT. */
export const ack = {
  accepted: 0,
  rejected: 1,
  denied: 2,
  unsupported: 3,
  failed: 4,
  in_progress: 5,
} as const;
export type Ack = (typeof ack)[keyof typeof ack];
/** param2 of MAV_CMD_COMPONENT_ARM_DISARM that overrides every check. */
export const forceMagic = 21196;

export interface CommanderInput {
  readonly estimate: Estimate;
  readonly flags: FailsafeFlags;
  readonly landed: boolean;
  readonly pilot: boolean;
  readonly has_mission: boolean;
  readonly battery_remaining: number;
  readonly failed_motors: boolean;
}

/** Events that go with a text; the names make PX4's event ids. */
export type EventName =
  | "commander_takeoff_detected"
  | "commander_landing_detected"
  | "commander_armed_by"
  | "commander_disarmed_by"
  | "commander_landing_current_pos"
  | "commander_failsafe_enter_generic";
export type Say = (level: number, text: string, event?: EventName) => void;

/** Modes that a finished landing goes back to; never to a take-off, which would start at the next arming (PX4 #25735). */
const flownByHandOrStream: ReadonlySet<NavState> = new Set([
  "manual",
  "altitude",
  "position",
  "acro",
  "stabilized",
  "offboard",
  "loiter",
]);

/** Arming, modes and failsafe as PX4's commander keeps them. All times come in with the estimate. */
export class Commander {
  armed = false;
  times_armed = 0;
  /** What was asked for; `state` differs from it while a failsafe acts. */
  intended: NavState = "loiter";
  state: NavState = "loiter";
  decision: FailsafeDecision = { action: "none", cause: "" };
  #input: CommanderInput | null = null;
  #armed_us = 0;
  #flown = false;
  #landed_us: number | null = null;
  #was_landed = true;
  #terminated = false;
  /** Where a finished landing leads: PX4 goes back to the mode flown before it. */
  #after_landing: NavState = "loiter";
  readonly #p: Parameters;
  readonly #say: Say;

  constructor(parameters: Parameters, say: Say) {
    this.#p = parameters;
    this.#say = say;
  }

  get failsafe_active(): boolean {
    return this.armed && this.decision.action !== "none" && this.decision.action !== "warn";
  }
  get terminated(): boolean {
    return this.#terminated;
  }
  /** MAV_STATE: 0 not ready to arm, 3 standby, 4 active, 5 critical, 8 terminated. */
  get system_status(): number {
    if (this.#terminated) return 8;
    if (this.failsafe_active) return 5;
    if (this.armed) return 4;
    return this.reasons().length === 0 ? 3 : 0;
  }

  update(input: CommanderInput): void {
    this.#input = input;
    if (this.armed) this.#watch(input);
    this.#decide(input);
  }

  #decide(input: CommanderInput): void {
    const before = this.decision;
    this.decision = this.armed
      ? failsafe(input.flags, this.intended, input.pilot, this.#p)
      : { action: "none", cause: "" };
    const next = this.decision;
    if (next.action !== before.action && next.action !== "none") {
      const text = next.action === "warn" ? `Warning: ${next.cause}` : `Failsafe activated: ${next.cause}`;
      if (next.action === "warn") this.#say(severity.warning, text);
      else this.#say(severity.critical, text, "commander_failsafe_enter_generic");
    }
    if (next.action === "disarm") this.#disarmNow("failsafe");
    if (next.action === "terminate" && !this.#terminated) this.terminate();
    if (this.#terminated) this.state = "termination";
    else this.state = this.#runnable(stateForAction(next.action) ?? this.intended);
  }

  /** A failsafe whose mode cannot run falls to the next one down: hold, return, land, descend (PX4's order). */
  #runnable(state: NavState): NavState {
    const falls = this.armed && state !== this.intended && (state === "loiter" || state === "return");
    return falls && !this.canRun(state) ? "land" : state;
  }

  #watch(input: CommanderInput): void {
    const now = input.estimate.time_us;
    if (this.#was_landed && !input.landed) {
      this.#flown = true;
      this.#say(severity.info, "Takeoff detected", "commander_takeoff_detected");
    }
    if (!this.#was_landed && input.landed) {
      this.#landed_us = now;
      this.#say(severity.info, "Landing detected", "commander_landing_detected");
    }
    this.#was_landed = input.landed;
    const after = (since_us: number, name: string): boolean => {
      const wait_s = this.#p.get(name);
      return wait_s > 0 && now - since_us >= wait_s * 1e6;
    };
    if (
      input.landed &&
      this.#flown &&
      this.#landed_us !== null &&
      after(this.#landed_us, "COM_DISARM_LAND")
    ) {
      this.#disarmNow("landing");
      // Left standing in a landing or a return, the next arming would be refused.
      if (this.intended === "land") this.intended = this.#after_landing;
      else if (this.intended === "return" || this.intended === "mission") this.intended = "loiter";
    } else if (input.landed && !this.#flown && after(this.#armed_us, "COM_DISARM_PRFLT")) {
      this.#disarmNow("auto preflight disarming");
    }
  }

  arm(force: boolean): Ack {
    if (this.armed) return ack.accepted;
    const input = this.#input;
    if (!input || this.#terminated) {
      this.#say(
        severity.critical,
        this.#terminated ? "Arming denied: flight terminated" : "Arming denied: starting",
      );
      return ack.rejected;
    }
    const reasons = force ? [] : this.reasons();
    if (reasons.length > 0) {
      for (const reason of reasons) this.#say(severity.critical, `Preflight Fail: ${reason.text}`);
      this.#say(severity.critical, "Arming denied: Resolve system health failures first");
      return ack.rejected;
    }
    this.armed = true;
    this.times_armed++;
    this.#armed_us = input.estimate.time_us;
    this.#flown = false;
    this.#landed_us = null;
    this.#was_landed = input.landed;
    const how = force ? "Armed by external command (forced)" : "Armed by external command";
    this.#say(severity.info, how, "commander_armed_by");
    return ack.accepted;
  }

  disarm(force: boolean): Ack {
    if (!this.armed) return ack.accepted;
    if (!force && this.#input && !this.#input.landed) {
      this.#say(severity.critical, "Disarming denied: not landed");
      return ack.rejected;
    }
    this.#disarmNow(force && this.#input && !this.#input.landed ? "kill command" : "external command");
    return ack.accepted;
  }

  #disarmNow(by: string): void {
    this.armed = false;
    this.decision = { action: "none", cause: "" };
    this.#say(severity.info, `Disarmed by ${by}`, "commander_disarmed_by");
  }

  terminate(): void {
    this.#terminated = true;
    this.state = "termination";
    this.armed = false;
    this.#say(severity.emergency, "Flight termination: motors stopped");
  }

  /** All reasons against arming now. */
  reasons(): ReturnType<typeof armingReasons> {
    const input = this.#input;
    if (!input) return [{ id: "check_estimator_starting", text: "System starting", modes: null }];
    const up = turn(input.estimate.attitude, [0, 0, 1])[2];
    return armingReasons(
      {
        flags: input.flags,
        intended: this.intended,
        uptime_s: input.estimate.time_us / 1e6,
        tilt_rad: Math.acos(Math.max(-1, Math.min(1, up))),
        has_mission: input.has_mission,
        geofence_breached: input.flags.fence_breached,
        battery_remaining: input.battery_remaining,
        failed_motors: input.failed_motors,
      },
      this.#p,
    );
  }

  /**
   * Asks for a mode. Answers whether it was taken. In flight a mode that cannot run is refused with a text; disarmed it is
   * taken and arming is refused instead (as PX4 does).
   */
  request(mode: NavState): boolean {
    if (this.#terminated) return false;
    if (this.armed && !this.canRun(mode)) {
      this.#say(severity.critical, `Switching to mode '${modes[mode].title}' is currently not possible`);
      return false;
    }
    if (mode === "land" && this.intended !== "land")
      this.#after_landing = flownByHandOrStream.has(this.intended) ? this.intended : "loiter";
    if (mode === "land" && this.intended !== "land" && this.armed) {
      this.#say(severity.info, "Landing at current position", "commander_landing_current_pos");
    }
    if (mode === "return" && this.intended !== "return" && this.armed) {
      this.#say(severity.info, "RTL: flying home");
    }
    this.intended = mode;
    if (this.#input) this.#decide(this.#input);
    return true;
  }

  /** Sticks far from the middle end an automatic mode (COM_RC_OVERRIDE bit 0) or offboard (bit 1): the pilot wins. */
  stickTakeover(): boolean {
    const override = this.#p.get("COM_RC_OVERRIDE");
    const auto: ReadonlySet<NavState> = new Set(["takeoff", "loiter", "mission", "return", "land"]);
    const bit = this.state === "offboard" ? 2 : auto.has(this.state) ? 1 : 0;
    return this.armed && (override & bit) !== 0 && this.request("position");
  }

  canRun(mode: NavState): boolean {
    const flags = this.#input?.flags;
    if (!flags) return false;
    switch (mode) {
      case "offboard":
        return !flags.offboard_lost && !flags.position_lost;
      case "manual":
      case "stabilized":
      case "altitude":
        return true;
      case "acro":
      case "termination":
        return false;
      case "descend":
        return true;
      case "land":
        return true;
      case "mission":
        return !flags.position_lost && !flags.global_lost && this.#input?.has_mission === true;
      case "position":
        return !flags.position_lost;
      case "takeoff":
      case "loiter":
      case "return":
        return !flags.position_lost && !flags.global_lost;
    }
  }
}
