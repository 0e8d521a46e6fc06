import { expect, test } from "vitest";
import { enu } from "#contract/frames";
import type { GraderHello, GraderTruth } from "#contract/grader-wire";
import type { Evidence } from "../evidence";
import { apart_m, held, opened, restsOn, risen_m } from "./objects";

const object = (name: string): GraderHello["objects"][number] => ({
  ...{ name, label: name, mass_kg: 0.2, footprint_radius_m: 0.04, height_m: 0.1, on: null },
  bounds_m: { min: enu(-0.04, -0.04, 0), max: enu(0.04, 0.04, 0.1) },
  colour: [1, 0, 0],
});

const truth = (
  t_ms: number,
  cup_m: number,
  door: number,
  contacts: GraderTruth["contacts"],
): GraderTruth => ({
  kind: "truth",
  t_ms,
  vehicle: {
    position_enu_m: enu(0, 0, 1),
    velocity_enu_m_s: enu(0, 0, 0),
    quat_flu_enu: [1, 0, 0, 0],
    rates_flu_rad_s: enu(0, 0, 0),
    ...{ armed: true, battery: 1, rotor_speed_rad_s: [] },
  },
  arm: null,
  objects: [
    { p: enu(0, 0, cup_m), q: [1, 0, 0, 0] },
    { p: enu(0.3, 0.4, 0), q: [1, 0, 0, 0] },
  ],
  movers: [door],
  contacts,
});

const standing = [["bowl", "cup"]] as const;
const gripped = [
  ["cup", "finger/left"],
  ["cup", "finger/right"],
] as const;

const evidence = (truths: readonly GraderTruth[]): Evidence => ({
  hello: {
    ...{ kind: "hello", schema: 1, scene: "x", seed: 1, vehicle: "v", period_ms: 50 },
    objects: [object("cup"), object("bowl")],
    movers: [{ name: "door", joint: "hinge", range: [0, 2], at_enu_m: enu(0, 0, 0), axis_enu: enu(0, 0, 1) }],
    ...{ surfaces: [], camera: null },
  },
  truths,
  events: [],
  flown: {
    ...{ outcome: "success", why: "", skills: [], armed: false, landed: "on_ground", recording: null },
    final_pose: { position_enu_m: null, yaw_rad: null },
    ...{ started_at_ms: 0, ended_at_ms: 10_000 },
  },
  recorded: { safety: [], alerts: [] },
});

test("held is both fingers and nothing else that carries", () => {
  expect(held(truth(0, 0, 0, gripped), "cup")).toBe(true);
  expect(held(truth(0, 0, 0, gripped.slice(1)), "cup")).toBe(false);
  expect(held(truth(0, 0, 0, [...gripped, ...standing]), "cup")).toBe(false);
});

test("at rest on something for half a second; held above it or still sliding is not resting", () => {
  const times = [0, 100, 200, 300, 400, 500, 600];
  const resting = evidence(times.map((t) => truth(t, 0, 0, standing)));
  expect(restsOn(resting, "cup", "bowl", 600)).toBe(true);
  expect(restsOn(resting, "bowl", "cup", 600)).toBe(true);
  expect(restsOn(resting, "cup", "table", 600)).toBe(false);
  const sinking = evidence(times.map((t) => truth(t, -t / 10_000, 0, standing)));
  expect(restsOn(sinking, "cup", "bowl", 600)).toBe(false);
  const gripping = evidence(times.map((t) => truth(t, 0, 0, [...gripped, ...standing])));
  expect(restsOn(gripping, "cup", "bowl", 600)).toBe(false);
});

test("how far risen, how far apart, how far open; unknown names are NaN, which fails every check", () => {
  const flight = evidence([truth(0, 0, 0.1, standing), truth(50, 0.25, 1.2, gripped)]);
  const [, last] = flight.truths;
  if (last === undefined) throw new Error("two truths");
  expect(risen_m(flight, last, "cup")).toBeCloseTo(0.25, 9);
  expect(apart_m(flight, last, "cup", "bowl")).toBeCloseTo(0.5, 9);
  expect(opened(flight, last, "door")).toBeCloseTo(1.1, 9);
  expect([
    risen_m(flight, last, "hat"),
    apart_m(flight, last, "cup", "hat"),
    opened(flight, last, "lid"),
  ]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});
