import { num } from "./fields";
import { centred, type Sticks } from "./navigator";
import { setpointFrom, sticksFrom } from "./offboard";
import type { Parameters } from "./parameters";
import type { Incoming } from "./port";
import { emptySetpoint, type TrajectorySetpoint } from "./position-control";

const never_us = Number.NEGATIVE_INFINITY;
/** How long after a ground station's heartbeat texts are still sent. */
const attentive_us = 3_000_000;
const mavTypeGcs = 6;

/** What reaches the autopilot continuously from outside: heartbeats, offboard setpoints, sticks; and how old each is. */
export class Inputs {
  readonly #p: Parameters;
  #station_us = never_us;
  #sticks: Sticks = centred;
  #sticks_us = never_us;
  #offboard_us = never_us;
  offboard: TrajectorySetpoint = emptySetpoint;

  constructor(parameters: Parameters) {
    this.#p = parameters;
  }

  /** Answers whether it was a ground station's. */
  heartbeat(message: Incoming, now_us: number): boolean {
    if (num(message, "type") !== mavTypeGcs) return false;
    this.#station_us = now_us;
    return true;
  }
  stationListens(now_us: number): boolean {
    return now_us - this.#station_us < attentive_us;
  }
  /** A station was there and has been silent for COM_DL_LOSS_T. */
  stationLost(now_us: number): boolean {
    return this.#station_us !== never_us && now_us - this.#station_us >= this.#p.get("COM_DL_LOSS_T") * 1e6;
  }

  /** Answers whether PX4 would take it. */
  setpoint(message: Incoming, yaw_rad: number, now_us: number): boolean {
    const setpoint = setpointFrom(message, yaw_rad);
    if (!setpoint) return false;
    this.offboard = setpoint;
    this.#offboard_us = now_us;
    return true;
  }
  offboardLost(now_us: number): boolean {
    return !(now_us - this.#offboard_us <= this.#p.get("COM_OF_LOSS_T") * 1e6);
  }

  /** Answers the sticks when they were moved far enough to take over (COM_RC_STICK_OV). */
  manualControl(message: Incoming, now_us: number): boolean {
    const sticks = sticksFrom(message);
    if (!sticks) return false;
    this.#sticks = sticks;
    this.#sticks_us = now_us;
    const moved = Math.max(Math.abs(sticks.roll), Math.abs(sticks.pitch), Math.abs(sticks.yaw));
    return moved * 100 >= this.#p.get("COM_RC_STICK_OV");
  }
  sticks(now_us: number): Sticks {
    return now_us - this.#sticks_us < this.#p.get("COM_RC_LOSS_T") * 1e6 ? this.#sticks : centred;
  }
  /** The embedded vehicle has a radio pilot whose sticks rest in the middle, unless COM_RC_IN_MODE says there is none. */
  get pilot(): boolean {
    return this.#p.get("COM_RC_IN_MODE") !== 4;
  }
}
