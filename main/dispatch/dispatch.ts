import { enuToNed, yawEnuToNed } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import type { Execution, SkillStatus } from "#contract/mission";
import { err, ok, type Result } from "#contract/result";
import type { EmergencyAction, EmergencyState } from "#contract/station";
import { followsSetpoints, type VehicleState } from "#contract/vehicle";
import type { Cancel } from "../platform/clock";
import { knowsPosition } from "../safety/checks/position-valid";
import type { Control } from "../safety/context";
import type { Emergency } from "../safety/emergency";
import type { Cleared } from "../safety/gate";
import type { SkillInput, SkillOutcome, SkillRequest } from "../skills/port";
import { type Answer, Commander, heightAboveHome } from "./commander";
import { EmergencyDesk } from "./emergency-desk";
import { FlightWatch } from "./flight-watch";
import { jumpWords, shifted, step_min_m, turn_min_rad } from "./jump";
import type { DispatchEvent, DispatchPorts } from "./ports";
import { stopPoint } from "./stop-point";

interface Run<S> {
  readonly cleared: Cleared;
  readonly settle: (outcome: SkillOutcome) => void;
  state: S;
  refused: SkillInput["refused"];
  /** Before a take-off arms, setpoints go out disarmed; afterwards never again. */
  was_armed: boolean;
  told_at_ms: number;
}

/** 25 Hz: PX4 wants 2 Hz or more, and leaves offboard after half a second without. */
export const stream_period_ms = 40;
/** A second judgement is only as good as it is fresh. */
const cleared_age_max_ms = 1000;
const tell_every_ms = 200;

/** The one road to the actuators, with two doors: {@link fly} for what the gate has cleared, {@link emergency} past everything. */
export class Dispatch<S> {
  readonly #ports: DispatchPorts<S>;
  readonly #desk: EmergencyDesk;
  readonly #commander: Commander;
  readonly #seen = new FlightWatch();
  readonly #listeners = new Set<(event: DispatchEvent) => void>();
  readonly #flown = new WeakSet<Cleared>();
  readonly #stopTicking: Cancel;
  #run: Run<S> | null = null;
  /** Newest setpoint; streamed between skills while the vehicle is in offboard. */
  #hold: PoseYaw | null = null;
  #control: Control = "station";

  constructor(ports: DispatchPorts<S>) {
    this.#ports = ports;
    this.#commander = new Commander(ports.door, (event) => {
      this.#tell(event);
    });
    this.#desk = new EmergencyDesk(
      (action, answer) => {
        this.#sendEmergency(action, answer);
      },
      (states) => {
        this.#tell({ kind: "emergency", states });
      },
    );
    this.#stopTicking = ports.clock.every(stream_period_ms, () => {
      this.#tick();
    });
  }

  control(): Control {
    return this.#control;
  }
  /** Setpoint that is being held; moves are planned from it. */
  holdSetpoint(): PoseYaw | null {
    return this.#hold;
  }
  emergencyStates(): readonly EmergencyState[] {
    return this.#desk.states();
  }
  execution(): Execution | null {
    return this.#run === null ? null : this.#ports.skills.execution(this.#run.state, this.#input(this.#run));
  }
  onEvent(listener: (event: DispatchEvent) => void): Cancel {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Flies one cleared skill to its end. Every way not to fly is an outcome, never an exception. */
  fly(cleared: Cleared, signal?: AbortSignal): Promise<SkillOutcome> {
    const now_ms = this.#ports.clock.now_ms();
    const refusal = this.#refusal(cleared, now_ms, signal);
    if (refusal !== null) return Promise.resolve(refusal);
    this.#flown.add(cleared);
    this.#desk.clear();
    const { call } = cleared.proposal;
    return new Promise((resolve) => {
      const abort = (): void => {
        this.stop("Cancelled");
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#run = {
        cleared,
        settle: (outcome) => {
          signal?.removeEventListener("abort", abort);
          resolve(outcome);
        },
        state: this.#ports.skills.start(call, cleared.plan, now_ms),
        refused: null,
        was_armed: this.#ports.vehicle().armed,
        told_at_ms: now_ms,
      };
      this.#tellProgress();
    });
  }

  /** Ends the running skill and hovers: the card's Stop, a dead window, a lost picture. */
  stop(reason: string): void {
    if (this.#run === null) return;
    this.#freeze();
    this.#end("stopped", reason);
  }

  /** Goes out before this returns: no queue, no approval, no promise in between. */
  emergency(e: Emergency): void {
    if (e.source === "failsafe" && (this.#control !== "station" || this.#desk.outranks(e))) return;
    const vehicle = this.#ports.vehicle();
    const now_ms = this.#ports.clock.now_ms();
    const blind = vehicle.armed && !knowsPosition(vehicle, now_ms);
    if (e.action === "hold" && blind) {
      this.#desk.unavailable("hold", "HOLD needs a position and there is none: descending instead", now_ms);
      this.emergency({ ...e, action: "land" });
      return;
    }
    if (e.action === "kill" || !vehicle.armed || blind) this.#hold = null;
    else if (this.#control === "station") this.#freeze();
    if (this.#hold !== null && this.#control === "station") this.#stream(this.#hold);
    this.#desk.begin(e, this.#control !== "station", vehicle, now_ms);
    this.#end("stopped", e.reason);
  }

  /** The operator gives control back to the station after a pilot's or a vehicle's takeover. Nothing flies by it. */
  handBack(): Result<void, string> {
    if (this.#control === "station") return err("The station has control already");
    this.#hold = null;
    this.#seen.forget();
    this.#setControl("station", "handed back");
    return ok(undefined);
  }

  close(): void {
    this.#stopTicking();
    this.#end("stopped", "The station is closing");
    this.#listeners.clear();
  }

  #refusal(cleared: Cleared, now_ms: number, signal?: AbortSignal): SkillOutcome | null {
    const no = (status: SkillStatus, detail: string): SkillOutcome => ({ status, detail });
    if (this.#control === "pilot") return no("stopped", "The pilot has control");
    if (this.#control === "vehicle_failsafe") return no("stopped", "The vehicle's failsafe has control");
    if (signal?.aborted === true) return no("stopped", "Cancelled");
    if (this.#run !== null) return no("failure", "Another skill is still being flown");
    if (this.#flown.has(cleared)) return no("failure", "This clearance has been used already");
    if (!(now_ms - cleared.verdict.at_ms <= cleared_age_max_ms))
      return no("failure", "This clearance is too old");
    const pending = this.#desk.underWay();
    return pending === null ? null : no("stopped", `${pending.toUpperCase()} is not confirmed yet`);
  }

  #tick(): void {
    const vehicle = this.#ports.vehicle();
    const now_ms = this.#ports.clock.now_ms();
    this.#watch(vehicle, now_ms);
    this.#desk.tick(vehicle, now_ms);
    if (this.#control !== "station") return;
    if (this.#run !== null) this.#advance(this.#run, vehicle, now_ms);
    else this.#idle(vehicle, now_ms);
  }

  #watch(vehicle: VehicleState, now_ms: number): void {
    const engaged = this.#run !== null || this.#hold !== null;
    const { taken, jump } = this.#seen.step(vehicle, engaged, now_ms);
    if (taken !== null && this.#control !== taken.by) this.#lose(taken.by, taken.why);
    // With a transform of the link's, the site stays and the transform has moved: see frameMoved.
    if (jump === null || this.#ports.to_local !== undefined) return;
    if (this.#hold !== null) this.#hold = shifted(this.#hold, jump);
    this.#jumped(Math.hypot(...jump.position_enu_m), jump.yaw_enu_rad);
  }

  /** The estimator moved its frame and the transform behind `to_local` went along: what is held stays, a skill ends. */
  frameMoved(jump_m: number, turn_rad: number): void {
    if (!(jump_m < step_min_m && Math.abs(turn_rad) < turn_min_rad)) this.#jumped(jump_m, turn_rad);
  }

  #jumped(jump_m: number, turn_rad: number): void {
    const text = jumpWords(jump_m, turn_rad);
    this.#tell({ kind: "jump", jump_m, text });
    if (this.#run === null) return;
    this.#freeze();
    this.#end("failure", `${text}; holding where it is`);
  }

  /** The pilot wins: setpoints and repeats stop at once, and nothing starts before the hand-back. */
  #lose(by: "pilot" | "vehicle_failsafe", why: string): void {
    this.#hold = null;
    this.#desk.stopRepeating();
    const who = by === "pilot" ? "The pilot has control" : "The vehicle failsafe took over";
    this.#setControl(by, `${who}: ${why}`);
    this.#end("stopped", `${who}: ${why}`);
  }

  #setControl(control: Control, why: string): void {
    this.#control = control;
    this.#tell({ kind: "control", control, why });
  }

  #advance(run: Run<S>, vehicle: VehicleState, now_ms: number): void {
    run.was_armed ||= vehicle.armed;
    const step = this.#ports.skills.step(run.state, this.#input(run));
    run.state = step.state;
    run.refused = null;
    this.#hold = step.setpoint;
    if (step.setpoint !== null && (vehicle.armed || !run.was_armed)) this.#stream(step.setpoint);
    if (step.request !== null) this.#ask(run, step.request);
    if (step.outcome !== null) {
      if (step.outcome.status !== "success") this.#freeze();
      if (!vehicle.armed) this.#hold = null;
      this.#end(step.outcome.status, step.outcome.detail);
    } else if (now_ms - run.told_at_ms >= tell_every_ms) {
      run.told_at_ms = now_ms;
      this.#tellProgress();
    }
  }

  /** Between skills the hold setpoint goes on while offboard needs it, or while an emergency has not shown yet. */
  #idle(vehicle: VehicleState, now_ms: number): void {
    if (this.#hold === null && this.#seen.strayArm(vehicle, now_ms)) void this.#commander.disarm();
    const needed = followsSetpoints(vehicle.mode) || this.#desk.underWay() !== null;
    if (!vehicle.armed || !needed) this.#hold = null;
    if (this.#hold !== null) this.#stream(this.#hold);
  }

  /** Stops where braking allows. Without a setpoint of its own (loiter, landing) it is where the vehicle is. */
  #freeze(): void {
    const vehicle = this.#ports.vehicle();
    this.#hold = vehicle.armed ? stopPoint(vehicle, this.#hold) : null;
  }

  #end(status: SkillStatus, detail: string): void {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    this.#tellProgress();
    this.#tell({ kind: "ended", call: run.cleared.proposal.call, status, detail });
    run.settle({ status, detail });
  }

  #input(run: Run<S>): SkillInput {
    return {
      vehicle: this.#ports.vehicle(),
      now_ms: this.#ports.clock.now_ms(),
      limits: this.#ports.limits(),
      arming: this.#ports.arming ?? "station",
      refused: run.refused,
    };
  }

  #stream(pose: PoseYaw): void {
    if (![...pose.position_enu_m, pose.yaw_enu_rad].every((x) => Number.isFinite(x))) return;
    const local =
      this.#ports.to_local?.(pose) ??
      ([enuToNed(pose.position_enu_m), yawEnuToNed(pose.yaw_enu_rad)] as const);
    this.#ports.door.setpoint(...local);
    this.#tell({ kind: "setpoint", ...pose });
  }

  #ask(run: Run<S>, request: SkillRequest): void {
    const now_ms = this.#ports.clock.now_ms();
    if (request === "arm") this.#seen.askedToArm(now_ms);
    else if (request !== "takeoff") this.#seen.asked(request, now_ms);
    const answer = this.#commander.ask(request, heightAboveHome(run.cleared.plan, this.#ports.vehicle()));
    void answer.then(({ refusal }) => {
      if (refusal !== null && this.#run === run) run.refused = { request, reason: refusal };
    });
  }

  #sendEmergency(action: EmergencyAction, answer: (answer: Answer) => void): void {
    if (action === "kill") return void this.#commander.kill().then(answer);
    this.#seen.asked(action, this.#ports.clock.now_ms());
    void this.#commander.setMode(action).then(answer);
  }

  #tellProgress(): void {
    this.#tell({ kind: "execution", execution: this.execution() });
  }

  #tell(event: DispatchEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
