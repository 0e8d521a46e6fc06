import { describe, expect, test } from "vitest";
import { type Enu, quatFromYaw } from "#contract/frames";
import type { TrackedObject } from "#contract/perception";
import { type Box, floor, gaussian, hello, render, table, wall } from "../../tests/support/ray-cast";
import { initialTracker, perceive } from "./pipeline";

/** Far more than noise makes of a standing thing, far less than the 5 cm that stop a flight. */
const still_m = 0.025;
/** Focal length x baseline of the camera of these views: a blind band of 8 pixels at 2 m. */
const blind_fb = 168.6 * 0.095;

interface View {
  readonly position: Enu;
  readonly yaw?: number;
  readonly more?: readonly Box[];
}

/** The thing as it is reported from one view after the other; null before it is known. */
function reported(thing: readonly Box[], views: readonly View[], band = 0): (TrackedObject | null)[] {
  const noise = gaussian(11);
  let state = initialTracker;
  return views.map(({ position, yaw = 0, more = [] }, i) => {
    const frame = render([floor, wall, table, ...thing, ...more], position, yaw, noise, band);
    const pose = { position_enu_m: position, quat_flu_enu: quatFromYaw(yaw) };
    const timing = { captured_at_ms: 100 * i, latency_ms: 0, frames_per_s: 10, pose_gap_ms: 0 };
    const seen = perceive(state, hello, frame, pose, timing);
    state = seen.state;
    return seen.report.objects[0] ?? null;
  });
}

const views = (n: number, view: (share: number) => View): View[] =>
  Array.from({ length: n }, (_, i) => view(n === 1 ? 0 : i / (n - 1)));
const hover = (n: number, position: Enu, yaw = 0): View[] => views(n, () => ({ position, yaw }));
const apart_m = (a: TrackedObject, b: TrackedObject): number =>
  Math.hypot(a.position_enu_m[0] - b.position_enu_m[0], a.position_enu_m[1] - b.position_enu_m[1]);

/** Whenever it is called seen it is where it was; how often it is seen. */
function standsStill(
  all: readonly (TrackedObject | null)[],
  within_m = still_m,
): {
  readonly first: number;
  readonly last: boolean;
} {
  const first = all.findIndex((o) => o?.seen === true);
  const base = all[first];
  if (base === null || base === undefined) throw new Error("Invariant: it is seen from somewhere");
  for (const o of all) if (o?.seen === true) expect(apart_m(o, base)).toBeLessThan(within_m);
  return { first, last: all.at(-1)?.seen === true };
}

const tall: Box = { at: [2.25, 0.3, 0.86], half: [0.035, 0.075, 0.11], rgb: [200, 40, 45] };

describe("a standing thing that is seen in part only is not seen, and never moves", {
  timeout: 60_000,
}, () => {
  test("while the vehicle comes closer and the picture's lower edge takes the foot and the table around it", () => {
    const all = reported(
      [tall],
      [...hover(6, [0, 0, 1.9]), ...views(32, (s) => ({ position: [1.9 * s, 0.1, 1.9] }))],
    );
    expect(standsStill(all).last).toBe(false);
    expect(all.filter((o) => o?.seen === true).length).toBeGreaterThan(18);
  });

  test("while the vehicle climbs above it", () => {
    const all = reported(
      [tall],
      [...hover(6, [1.5, 0.1, 1.6]), ...views(24, (s) => ({ position: [1.5, 0.1, 1.6 + s] }))],
    );
    expect(standsStill(all).last).toBe(false);
  });

  test("while the vehicle turns and it slides into the band that only one imager sees", () => {
    const all = reported(
      [tall],
      [...hover(6, [0.6, 0, 1.6]), ...views(36, (s) => ({ position: [0.6, 0, 1.6], yaw: -0.7 * s }))],
      blind_fb,
    );
    expect(standsStill(all).last).toBe(false);
    expect(all.filter((o) => o?.seen === true).length).toBeGreaterThan(12);
  });

  test("while the vehicle comes down to where its top no longer shows how deep it is", () => {
    const deep: Box = { ...tall, half: [0.08, 0.03, 0.11] };
    const all = reported(
      [deep],
      [...hover(6, [0, 0, 1.9]), ...views(24, (s) => ({ position: [0, 0, 1.9 - 0.8 * s] }))],
    );
    // Of its top only a few rows are left then.
    expect(standsStill(all, 0.03).last).toBe(false);
    expect(all.filter((o) => o?.seen === true).length).toBeGreaterThan(12);
  });

  test("while something lower stands before its foot", () => {
    const before: Box = { at: [1.98, 0.3, 0.81], half: [0.01, 0.15, 0.06], rgb: [60, 60, 60] };
    const known = hover(8, [0, 0, 1.6]);
    const all = reported([tall], [...known, ...views(4, () => ({ position: [0, 0, 1.6], more: [before] }))]);
    expect(standsStill(all).last).toBe(false);
    expect(all[7]?.seen).toBe(true);
  });

  test("while only its head is told from what is behind: what does not reach down to the table is no thing on it", () => {
    const head: Box = { at: [2.25, 0, 1.05], half: [0.1, 0.1, 0.05], rgb: [30, 30, 30] };
    expect(reported([head], hover(6, [0, 0.2, 1.8])).every((o) => o === null)).toBe(true);
  });
});

describe("a whole thing", { timeout: 60_000 }, () => {
  test("has its middle in the same place from every side: a long, narrow box", () => {
    const long: Box = { at: [2.3, 0, 0.855], half: [0.08, 0.03, 0.105], rgb: [220, 120, 30] };
    const round = views(24, (s) => {
      const bearing = -0.6 + 1.2 * s;
      return { position: [2.3 - 1.7 * Math.cos(bearing), -1.7 * Math.sin(bearing), 1.7], yaw: bearing };
    });
    const all = reported([long], [...hover(6, round[0]?.position ?? [0, 0, 1.7], -0.6), ...round]);
    expect(standsStill(all).last).toBe(true);
    const last = all.at(-1)?.position_enu_m ?? [0, 0, 0];
    expect(Math.hypot(last[0] - 2.3, last[1])).toBeLessThan(0.02);
  });

  test("that hangs over the end of what is seen of its surface is measured as a whole", () => {
    const over: Box = { at: [2.0, 0.1, 0.81], half: [0.08, 0.05, 0.06], rgb: [40, 90, 190] };
    const all = reported([over], hover(8, [0.7, 0, 1.8]));
    const last = all.at(-1);
    expect(last?.seen).toBe(true);
    expect(Math.abs((last?.position_enu_m[0] ?? 9) - 2.0)).toBeLessThan(0.02);
  });
});
