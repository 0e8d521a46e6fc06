import { expect, test } from "vitest";
import { enu, quatFromYaw } from "#contract/frames";
import type { GraderTruth } from "#contract/grader-wire";
import type { SafetyState } from "#contract/safety";
import { gradeDisplacement } from "./displacement";
import type { Evidence } from "./evidence";

const end_ms = 10_000;
const cup_m = enu(2, 0, 0.9);

/** A camera that looks straight ahead from where the vehicle is: optical axes right, down, forward into FLU. */
const camera: Evidence["hello"]["camera"] = {
  intrinsics: { width: 400, height: 300, fx: 200, fy: 200, cx: 200, cy: 150 },
  mount_position_flu_m: [0, 0, 0],
  mount_quat: [0.5, -0.5, 0.5, -0.5],
  depth_range_m: [0.4, 6],
};

/** A cup 2 m ahead that is pushed by 10 cm at 4 s; the vehicle looks away, a quarter turn, from 3 s until `back_ms`. */
function flight(back_ms: number, told_ms: number | null): Evidence {
  const truth = (t_ms: number): GraderTruth => ({
    kind: "truth",
    t_ms,
    vehicle: {
      position_enu_m: enu(0, 0, 1),
      velocity_enu_m_s: enu(0, 0, 0),
      quat_flu_enu: quatFromYaw(t_ms >= 3000 && t_ms < back_ms ? Math.PI / 2 : 0),
      rates_flu_rad_s: enu(0, 0, 0),
      ...{ armed: true, battery: 1, rotor_speed_rad_s: [] },
    },
    arm: null,
    objects: [{ p: enu(cup_m[0], t_ms >= 4000 ? 0.1 : 0, cup_m[2]), q: [1, 0, 0, 0] }],
    ...{ movers: [], contacts: [] },
  });
  const said = (at_ms: number): SafetyState => {
    const moved = told_ms !== null && at_ms >= told_ms;
    return {
      ...{ profile: "flight", score: moved ? 25 : 100, level: moved ? "stop" : "ok", worst: null },
      ...{ worst_displacement_m: 0, seen: 1, total: 1, frame_seq: 1, at_ms },
      objects: [
        {
          ...{ id: "o1", label: "red object", state: "seen", baseline_enu_m: cup_m, position_enu_m: cup_m },
          ...{ size_m: [0.08, 0.08, 0.1], colour: [200, 0, 0], displacement_m: moved ? 0.1 : 0 },
          ...{ deadband_m: 0.02, score: moved ? 25 : 100, last_seen_at_ms: at_ms },
        },
      ],
    };
  };
  const times = Array.from({ length: end_ms / 50 + 1 }, (_, i) => 50 * i);
  return {
    hello: {
      ...{ kind: "hello", schema: 1, scene: "x", seed: 1, vehicle: "v", period_ms: 50 },
      objects: [
        {
          ...{ name: "cup", label: "cup", mass_kg: 0.2, footprint_radius_m: 0.04, height_m: 0.1, on: null },
          bounds_m: { min: enu(-0.04, -0.04, 0), max: enu(0.04, 0.04, 0.1) },
          colour: [1, 0, 0],
        },
      ],
      ...{ movers: [], surfaces: [], camera },
    },
    truths: times.map(truth),
    events: [],
    flown: {
      ...{ outcome: "success", why: "", skills: [], armed: true, landed: "in_air", recording: null },
      final_pose: { position_enu_m: null, yaw_rad: null },
      ...{ started_at_ms: 0, ended_at_ms: end_ms },
    },
    recorded: { safety: times.map(said), alerts: [] },
  };
}

test("a push in view counts from the push", () => {
  expect(gradeDisplacement(flight(3000, 4450)).moves).toEqual([
    { name: "cup", reached_ms: 4000, in_view: true, delay_ms: 450 },
  ]);
});

test("a push behind the vehicle's back counts from when the thing is in view again", () => {
  expect(gradeDisplacement(flight(7000, 7500)).moves).toEqual([
    { name: "cup", reached_ms: 4000, in_view: true, delay_ms: 500 },
  ]);
  expect(gradeDisplacement(flight(7000, null)).moves).toMatchObject([{ in_view: true, delay_ms: null }]);
  expect(gradeDisplacement(flight(7000, 9500)).moves).toMatchObject([{ in_view: true, delay_ms: null }]);
});

test("a push that is never in view is not asked for", () => {
  expect(gradeDisplacement(flight(end_ms + 1, null)).moves).toMatchObject([
    { in_view: false, delay_ms: null },
  ]);
});

test("a stop before anything has moved is a false alarm", () => {
  expect(gradeDisplacement(flight(3000, 2500)).false_alarms).toEqual(["cup"]);
  expect(gradeDisplacement(flight(3000, 4450)).false_alarms).toEqual([]);
});
