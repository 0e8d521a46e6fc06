import { enu, nedToEnu, yawNedToEnu } from "#contract/frames";
import type { PoseYaw, Site } from "#contract/geometry";
import type { Proposal } from "#contract/mission";
import { err, ok } from "#contract/result";
import type { SafetyState } from "#contract/safety";
import { defaultLimits } from "#contract/settings";
import { type SkillCall, SkillId, skillLibrary } from "#contract/skills";
import type { FlightMode, VehicleState } from "#contract/vehicle";
import type { Door } from "../../main/dispatch/ports";
import type { JudgeContext } from "../../main/safety/context";
import { planSkill } from "../../main/safety/plan";
import type { FakeClock } from "./fake-clock";

/** A healthy hexarotor standing on its pad at the origin, everything known and fresh at `now_ms`. */
export const standing = (now_ms = 0, changes: Partial<VehicleState> = {}): VehicleState => ({
  system_id: 1,
  component_id: 1,
  autopilot: "px4",
  type: "hexarotor",
  type_id: 13,
  firmware: "1.17.0",
  git_hash: null,
  connected: true,
  heartbeat_at_ms: now_ms,
  mode: "hold",
  mode_label: "Hold",
  custom_mode: null,
  armed: false,
  landed: "on_ground",
  system_status: 3,
  failsafe: false,
  position_enu_m: enu(0, 0, 0.2),
  velocity_enu_m_s: enu(0, 0, 0),
  position_at_ms: now_ms,
  quat_flu_enu: [1, 0, 0, 0],
  yaw_enu_rad: 0,
  attitude_at_ms: now_ms,
  boot_time_ms: now_ms,
  reset_counter: 0,
  home_enu_m: enu(0, 0, 0.2),
  battery: { remaining: 0.9, voltage_v: 24, current_a: 10, minutes_left: 12 },
  estimate: { source: "vision", health: "good", horizontal_sigma_m: 0.01, rate_hz: 50 },
  subsystems: [],
  arming: [],
  failsafes: [],
  in_air_since_ms: null,
  parameters: { received: 0, count: null },
  ...changes,
});

/** The same vehicle hovering in offboard 1.5 m above the pad. */
export const hovering = (now_ms = 0, changes: Partial<VehicleState> = {}): VehicleState =>
  standing(now_ms, {
    armed: true,
    landed: "in_air",
    mode: "offboard",
    mode_label: "Offboard",
    system_status: 4,
    position_enu_m: enu(0, 0, 1.7),
    in_air_since_ms: now_ms,
    ...changes,
  });

/** A hall of 8 by 6 m with floor, pad and one table north-east of the pad. */
export const hall: Site = {
  schema: 1,
  name: "hall",
  seed: null,
  pad_enu_m: enu(0, 0, 0),
  fence: { min_enu_m: enu(-4, -3, 0), max_enu_m: enu(4, 3, 3) },
  shapes: [
    {
      id: "floor",
      kind: "box",
      centre_enu_m: enu(0, 0, -0.05),
      half_m: [4, 3, 0.05],
      yaw_enu_rad: 0,
      colour: [90, 90, 90],
      role: "floor",
    },
    {
      id: "pad",
      kind: "cylinder",
      centre_enu_m: enu(0, 0, 0.005),
      half_m: [0.5, 0.5, 0.005],
      yaw_enu_rad: 0,
      colour: [200, 200, 0],
      role: "pad",
    },
    {
      id: "table",
      kind: "box",
      centre_enu_m: enu(2.2, 0, 0.4),
      half_m: [0.4, 0.7, 0.4],
      yaw_enu_rad: 0.3,
      colour: [120, 80, 40],
      role: "furniture",
    },
  ],
};

export const calm: SafetyState = {
  profile: "flight",
  score: 100,
  level: "ok",
  worst: null,
  worst_displacement_m: 0,
  seen: 3,
  total: 3,
  objects: [],
  frame_seq: 1,
  at_ms: 0,
};

export const contextAt = (now_ms: number, changes: Partial<JudgeContext> = {}): JudgeContext => ({
  vehicle: hovering(now_ms),
  site: hall,
  limits: defaultLimits,
  safety: calm,
  observation: { camera: "live", captured_at_ms: now_ms },
  hold: null,
  control: "station",
  simulation: true,
  ...changes,
});

let proposals = 0;
/** What the reasoning loop would propose from `vehicle`. */
export function proposalOf(call: SkillCall, vehicle: VehicleState, hold: PoseYaw | null = null): Proposal {
  const plan = planSkill(call, vehicle, { limits: defaultLimits, hold });
  const planned = plan.ok ? plan.value : null;
  proposals += 1;
  return {
    id: `p${proposals}`,
    mission_id: "m1",
    step: 1,
    call,
    tier: skillLibrary[call.skill].tier,
    trace: {
      image_description: "a table",
      summary: "start",
      action_predictions: SkillId.options.map((skill) => ({ skill, outcome: "as named" })),
      reasoning: "as asked",
    },
    policy: "rules",
    latency_ms: 1,
    tokens: null,
    attempt: 1,
    invalid: [],
    observation: { camera_seq: 1, captured_at_ms: 0 },
    start: planned?.start ?? null,
    end: planned?.end ?? null,
    path: planned?.path ?? [],
    distance_m: planned?.distance_m ?? 0,
    duration_s: planned?.duration_s ?? 0,
    energy_wh: planned?.energy_wh ?? 0,
    created_at_ms: 0,
  };
}

const modeLabels: Partial<Record<FlightMode, string>> = {
  offboard: "Offboard",
  hold: "Hold",
  land: "Land",
  return: "Return",
  position: "Position",
};

/**
 * A vehicle behind a fake door: it follows setpoints like a second-order system, changes modes and arms as PX4 does
 * (acknowledged at once, shown in a heartbeat once a second), lands and disarms.
 */
export class FakeVehicle {
  readonly clock: FakeClock;
  readonly sent: { readonly at_ms: number; readonly what: string }[] = [];
  readonly setpoints: { readonly at_ms: number; readonly pose: PoseYaw }[] = [];
  state: VehicleState;
  /** Mode and arming as they really are; `state` shows them with the next heartbeat. */
  mode: FlightMode = "hold";
  armed = false;
  failsafe = false;
  /** Modes that are acknowledged but never entered. */
  ignores: ReadonlySet<string> = new Set();
  /** Answers every command with this refusal. */
  refuses: "denied" | "temporarily_rejected" | null = null;
  heartbeats = true;
  #setpoint: PoseYaw | null = null;

  constructor(clock: FakeClock, start: VehicleState = standing()) {
    this.clock = clock;
    this.state = { ...start, position_at_ms: clock.now_ms() };
    this.mode = start.mode;
    this.armed = start.armed;
    clock.every(20, () => this.#fly(0.02));
    clock.every(1000, () => this.heartbeat());
  }

  readonly door: Door = {
    setpoint: (position_ned_m, yaw_ned_rad) => {
      const pose = { position_enu_m: nedToEnu(position_ned_m), yaw_enu_rad: yawNedToEnu(yaw_ned_rad) };
      this.#setpoint = pose;
      this.setpoints.push({ at_ms: this.clock.now_ms(), pose });
    },
    set_mode: (mode) => this.#command(mode, () => (this.mode = mode)),
    arm: () => this.#command("arm", () => (this.armed = true)),
    takeoff: () => this.#command("takeoff", () => {}),
    disarm: () => this.#command("disarm", () => (this.armed = false)),
    kill: () => this.#command("kill", () => (this.armed = false)),
  };

  heartbeat(): void {
    if (!this.heartbeats) return;
    const { mode, armed, failsafe } = this;
    const mode_label = modeLabels[mode] ?? mode;
    this.state = { ...this.state, mode, mode_label, armed, failsafe, heartbeat_at_ms: this.clock.now_ms() };
  }

  names(): readonly string[] {
    return this.sent.map((s) => s.what);
  }

  #command(what: string, act: () => void): ReturnType<Door["arm"]> {
    this.sent.push({ at_ms: this.clock.now_ms(), what });
    if (this.refuses !== null) return Promise.resolve(err(this.refuses));
    if (!this.ignores.has(what)) act();
    return Promise.resolve(ok("accepted"));
  }

  #fly(dt_s: number): void {
    const now_ms = this.clock.now_ms();
    const at = this.state.position_enu_m;
    if (at === null) return;
    const [vx, vy, vz] = this.state.velocity_enu_m_s ?? enu(0, 0, 0);
    const target = this.mode === "offboard" ? this.#setpoint : null;
    const toward = (axis: 0 | 1 | 2): number => {
      if (this.mode === "land") return axis === 2 ? -0.5 : 0;
      return target === null ? 0 : 0.95 * (target.position_enu_m[axis] - at[axis]);
    };
    const next = (v: number, want: number): number => v + 2 * (want - v) * dt_s;
    const v = this.armed ? enu(next(vx, toward(0)), next(vy, toward(1)), next(vz, toward(2))) : enu(0, 0, 0);
    const z = Math.max(0.2, at[2] + v[2] * dt_s);
    const position_enu_m = enu(at[0] + v[0] * dt_s, at[1] + v[1] * dt_s, z);
    const landed = z > 0.25 ? "in_air" : "on_ground";
    if (this.mode === "land" && landed === "on_ground") this.armed = false;
    const yaw = this.state.yaw_enu_rad ?? 0;
    const turn =
      target === null
        ? 0
        : Math.atan2(Math.sin(target.yaw_enu_rad - yaw), Math.cos(target.yaw_enu_rad - yaw));
    const yaw_enu_rad = this.armed ? yaw + turn * 2.5 * dt_s : yaw;
    this.state = {
      ...this.state,
      position_enu_m,
      velocity_enu_m_s: v,
      position_at_ms: now_ms,
      landed,
      yaw_enu_rad,
    };
  }
}
