import { describe, expect, it } from "vitest";
import { enu, quatFromYaw } from "#contract/frames";
import type { Site, StaticShape } from "#contract/geometry";
import { armPoints, drawnRotorSpeed, folded_arm_rad, rotor_circle_m, rotors } from "./airframe-shape";
import { hidesInside } from "./culling";
import { gridLines, gridNumbers } from "./floor";
import { defaultLens, lensAxes, lensFov, pictureCorners } from "./lens";
import { colourOf, isLight, paletteFrom } from "./palette";
import { isSoftware, pixelRatio } from "./renderer";
import { emptyTrail, extendTrail } from "./trail";
import { siteBox } from "./twin-state";
import { blend, eyeSight, followSight, frameSight, poseText, sideSight, topSight } from "./views";

const room = { min: [-3, -3, 0], max: [5, 3, 3] } as const;
const wall = (centre: StaticShape["centre_enu_m"], half: StaticShape["half_m"]): StaticShape => ({
  id: "wall",
  kind: "box",
  centre_enu_m: centre,
  half_m: half,
  yaw_enu_rad: 0,
  colour: [1, 1, 1],
  role: "wall",
});

describe("airframe", () => {
  it("has six rotors on one circle, neighbours turning against each other", () => {
    expect(rotors).toHaveLength(6);
    for (const r of rotors)
      expect(Math.hypot(r.centre_flu_m[0], r.centre_flu_m[1])).toBeCloseTo(rotor_circle_m, 3);
    const around = [...rotors].sort(
      (a, b) =>
        Math.atan2(a.centre_flu_m[1], a.centre_flu_m[0]) - Math.atan2(b.centre_flu_m[1], b.centre_flu_m[0]),
    );
    around.forEach((r, i) => expect(r.spin).toBe(-(around[(i + 1) % 6]?.spin ?? 0)));
    expect(rotors.filter((r) => r.front)).toHaveLength(2);
  });

  it("reaches straight ahead with a straight arm and hangs down at a right angle", () => {
    const straight = armPoints([0, 0, 0, 0]).at(-1);
    expect(straight?.[0]).toBeCloseTo(0.84);
    expect(straight?.[2]).toBeCloseTo(-0.08);
    const down = armPoints([Math.PI / 2, 0, 0, 0]).at(-1);
    expect(down?.[0]).toBeCloseTo(0.1);
    expect(down?.[2]).toBeCloseTo(-0.82);
  });

  it("keeps the stowed arm above the feet", () => {
    for (const p of armPoints(folded_arm_rad)) expect(p[2]).toBeGreaterThan(-0.425);
  });

  it("turns the rotors by the armed state alone", () => {
    expect(drawnRotorSpeed(false, true)).toBe(0);
    expect(drawnRotorSpeed(true, true)).toBeGreaterThan(drawnRotorSpeed(true, false));
  });
});

describe("walls", () => {
  const middle = [1, 0, 1.5] as const;
  it("opens the one between observer and room and keeps the others", () => {
    const south = wall([1, -3, 1.5], [4, 0.05, 1.5]);
    const north = wall([1, 3, 1.5], [4, 0.05, 1.5]);
    const eye = [1, -7, 3] as const;
    expect(hidesInside(south, eye, middle)).toBe(true);
    expect(hidesInside(north, eye, middle)).toBe(false);
  });

  it("opens the ceiling from above only", () => {
    const ceiling = wall([1, 0, 3], [4, 3, 0.05]);
    expect(hidesInside(ceiling, [1, 0, 8], middle)).toBe(true);
    expect(hidesInside(ceiling, [1, 0, 1], middle)).toBe(false);
  });
});

describe("floor", () => {
  it("draws no line twice", () => {
    const key = (v: readonly number[], i: number): string => v.slice(i, i + 6).join();
    const lines = [gridLines(room, 0.5, false), gridLines(room, 1, true)];
    const all = lines.flatMap((v) => Array.from({ length: v.length / 6 }, (_, i) => key(v, i * 6)));
    expect(new Set(all).size).toBe(all.length);
    expect(all).toHaveLength(9 + 8 + 7 + 6);
  });

  it("numbers metres with a true minus sign", () => {
    expect(gridNumbers(room).map((n) => n.text)).toContain("−3 m");
  });
});

describe("place", () => {
  const site: Site = {
    schema: 1,
    name: "office",
    seed: 1,
    shapes: [{ ...wall([0, 0, -0.5], [50, 50, 0.5]), role: "floor" }],
    fence: { min_enu_m: enu(-3, -3, 0), max_enu_m: enu(5, 3, 2.7) },
    pad_enu_m: enu(0, 0, 0),
  };
  it("shows no more than a metre beyond the fence of an endless floor", () => {
    expect(siteBox(site)).toEqual({ min: [-4, -4, 0], max: [6, 4, 2.7] });
  });
  it("shows eight metres where nothing is known", () => {
    expect(siteBox(null).max[0] - siteBox(null).min[0]).toBe(8);
  });
});

describe("lens", () => {
  it("looks ahead and down, upright", () => {
    const { forward, up } = lensAxes(defaultLens);
    expect(forward[0]).toBeCloseTo(Math.cos(0.48));
    expect(forward[2]).toBeCloseTo(-Math.sin(0.48));
    expect(up[2]).toBeGreaterThan(0);
  });

  it("has its picture's left on the vehicle's left", () => {
    const [upper_left, upper_right] = pictureCorners(defaultLens, 1);
    expect(upper_left[1]).toBeGreaterThan(0);
    expect(upper_right[1]).toBeLessThan(0);
  });

  it("has the field of view of its focal length", () => {
    expect(lensFov(defaultLens)).toBeCloseTo(71.7, 1);
  });
});

describe("views", () => {
  const q = quatFromYaw(0.4);
  it("follows from behind and above", () => {
    const s = followSight([1, 2, 1], q);
    const ahead = [Math.cos(0.4), Math.sin(0.4)] as const;
    const behind = (s.eye_enu_m[0] - 1) * ahead[0] + (s.eye_enu_m[1] - 2) * ahead[1];
    expect(behind).toBeLessThan(-1);
    expect(s.eye_enu_m[2]).toBeGreaterThan(1.5);
  });

  it("sees the whole room from above in wide and in tall panels", () => {
    for (const aspect of [0.5, 1, 2]) {
      const s = topSight(room, aspect);
      const half_height = Math.tan((s.fov_deg * Math.PI) / 360) * (s.eye_enu_m[2] - room.max[2]);
      expect(half_height).toBeGreaterThanOrEqual(3);
      expect(half_height * aspect).toBeGreaterThanOrEqual(4);
    }
  });

  it("looks level from the side, outside the room", () => {
    const s = sideSight(room, 1.5);
    expect(s.eye_enu_m[1]).toBeLessThan(room.min[1]);
  });

  it("looks through the camera where it is mounted", () => {
    const { forward, up } = lensAxes(defaultLens);
    const s = eyeSight(
      [1, 0, 1],
      quatFromYaw(Math.PI / 2),
      defaultLens.mount_position_flu_m,
      forward,
      up,
      60,
    );
    expect(s.eye_enu_m[1]).toBeCloseTo(0.373);
    expect(s.target_enu_m[1]).toBeGreaterThan(s.eye_enu_m[1]);
  });

  it("frames a thing along the present line of sight", () => {
    const now = followSight([0, 0, 1], q);
    const framed = frameSight(now, [3, 3, 1], 0.5);
    const way = (s: typeof now): number =>
      Math.atan2(s.eye_enu_m[1] - s.target_enu_m[1], s.eye_enu_m[0] - s.target_enu_m[0]);
    expect(framed.target_enu_m).toEqual([3, 3, 1]);
    expect(way(framed)).toBeCloseTo(way(now));
  });

  it("glides from one view to exactly the other", () => {
    const [a, b] = [followSight([0, 0, 1], q), topSight(room, 1)];
    expect(blend(a, b, 0)).toEqual(a);
    expect(blend(a, b, 1)).toEqual(b);
  });

  it("reads out the pose in the site frame, in metres or feet", () => {
    expect(poseText([1.42, -0.18, 1.63], 0.21, "metric")).toBe("E 1.42 · N −0.18 · up 1.63 m · yaw 12°");
    expect(poseText([1, 0, 1], null, "feet")).toBe("E 3.3 · N 0.0 · up 3.3 ft · yaw –");
  });
});

describe("trail", () => {
  it("keeps a point every few centimetres and stays bounded over an hour of flight", () => {
    let trail = emptyTrail;
    for (let i = 0; i < 20_000; i += 1) trail = extendTrail(trail, [i * 0.02, 0, 1]);
    expect(trail.points.length).toBeLessThanOrEqual(4000);
    expect(trail.points.at(-1)?.[0]).toBeCloseTo(399.98, 1);
  });

  it("draws no line across a position reset", () => {
    const trail = extendTrail(extendTrail(emptyTrail, [0, 0, 1]), [5, 0, 1]);
    expect(trail.points).toEqual([[5, 0, 1]]);
  });

  it("ignores positions that are not numbers", () => {
    expect(extendTrail(emptyTrail, [Number.NaN, 0, 1])).toBe(emptyTrail);
  });
});

describe("palette", () => {
  it("takes meanings from the tokens and knows a light theme by its surface", () => {
    const sunlight = paletteFrom((name) => ({ "--bg-1": "#ffffff", "--machine": "#7d0a6e" })[name] ?? "");
    expect(sunlight.machine).toBe("#7d0a6e");
    expect(isLight(sunlight.floor)).toBe(true);
    expect(isLight(paletteFrom(() => "").floor)).toBe(false);
  });

  it("reads colours given as shares and as bytes alike", () => {
    expect(colourOf([255, 0, 128]).getHexString()).toBe(colourOf([1, 0, 128 / 255]).getHexString());
  });
});

it("knows renderers without graphics hardware by name", () => {
  expect(isSoftware("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device), SwiftShader driver)")).toBe(true);
  expect(isSoftware("llvmpipe (LLVM 15.0.6, 256 bits)")).toBe(true);
  expect(isSoftware("ANGLE (Intel, Mesa Intel(R) Iris(R) Xe Graphics, OpenGL 4.6)")).toBe(false);
});

it("is sharp on high-density screens and bounded on a processor (ArduPilot/apm_planner#1300)", () => {
  expect(pixelRatio(800, 600, 1.25, false)).toBe(1.25);
  expect(pixelRatio(800, 600, 3, false)).toBe(2);
  expect(pixelRatio(700, 500, 1, true)).toBe(1);
  expect(pixelRatio(1600, 1000, 2, true)).toBeCloseTo(0.57);
});
