import { expect, test } from "vitest";
import { sceneOf, vehicleOf } from "../../../tests/support/sim-scene";
import { bodyName, toMjcf } from "./mjcf";
import { compile, type Physics } from "./mujoco";
import { scale, turn, type V3 } from "./rigid";

interface Opened {
  readonly physics: Physics;
  /** Opens with this force (N) along a slide, or torque (N m) about a hinge, for so long; answers how far it went. */
  pull(effort: number, seconds: number): number;
}

async function mover(scene: string, name: string): Promise<Opened> {
  const layout = sceneOf(scene, 3);
  const physics = await compile(toMjcf(layout, vehicleOf("hexa650")));
  const found = layout.movers.find((m) => m.name === name);
  if (found === undefined) throw new Error(`${name} is not in the ${scene}`);
  const body = physics.id("body", bodyName(name));
  const q = physics.model("jnt_qposadr")[physics.id("joint", bodyName(name))] ?? 0;
  const along: V3 = turn(found.quat, found.mover.axis);
  return {
    physics,
    pull: (effort, seconds) => {
      const push = scale(along, effort);
      const slides = found.mover.joint === "slide";
      for (let i = 0; i < seconds * 500; i++) {
        physics.write("xfrc_applied", body * 6, slides ? [...push, 0, 0, 0] : [0, 0, 0, ...push]);
        physics.step();
      }
      physics.write("xfrc_applied", body * 6, [0, 0, 0, 0, 0, 0]);
      return physics.value("qpos", q);
    },
  };
}

test.each([
  // Stiction holds against the first effort; the second opens it as far as the papers ask, in metres or radians.
  ["household", "drawers-drawer-top", 1, 12, 0.3],
  ["household", "drawers-drawer-bottom", 1, 12, 0.3],
  ["industrial", "tools-drawer-middle", 1, 12, 0.3],
  ["outdoor", "chest-drawer-top", 1, 12, 0.3],
  ["household", "stove-knob", 0.015, 0.08, (75 * Math.PI) / 180],
  ["laboratory", "cabinet-door-left", 0.06, 0.6, (55 * Math.PI) / 180],
  ["laboratory", "cabinet-door-right", 0.06, 0.6, (55 * Math.PI) / 180],
] as const)(
  "%s, %s: a touch does not open it, a pull does, and it stays where it was left",
  async (scene, name, touch, pull, far) => {
    const opened = await mover(scene, name);
    // Dry friction in the physics creeps a little: less than three degrees, or five centimetres, in two seconds.
    expect(Math.abs(opened.pull(touch, 2))).toBeLessThan(0.05);
    const reached = opened.pull(pull, 4);
    expect(reached).toBeGreaterThan(far);
    const rest = opened.pull(0, 2);
    expect(Math.abs(opened.pull(0, 2) - rest)).toBeLessThan(0.01);
    opened.physics.close();
  },
  60_000,
);

test("a drawer pulled at 0.1 m/s resists with its damping: about 8 N and the stiction", async () => {
  const opened = await mover("household", "drawers-drawer-top");
  // Steady speed is (effort - 2 N) / 80 N s/m.
  const way = opened.pull(10, 2);
  expect(way).toBeGreaterThan(0.17);
  expect(way).toBeLessThan(0.2);
  opened.physics.close();
}, 60_000);
