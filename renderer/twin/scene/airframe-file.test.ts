import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Mesh, MeshBasicMaterial, type Object3D, Vector3 } from "three";
import { expect, test } from "vitest";
import { VehicleFile } from "#contract/airframe";
import { armFrames } from "#contract/airframe-shape";
import { airframeFor } from "./airframe-file";
import {
  arm_links_m,
  arm_mount_flu_m,
  folded_arm_rad,
  legs,
  propeller_radius_m,
  rotors,
} from "./airframe-shape";
import type { AirframeMaterials } from "./vehicle-materials";

const fileOf = (id: string): VehicleFile =>
  VehicleFile.parse(JSON.parse(readFileSync(join("resources", "vehicles", `${id}.json`), "utf8")));

const plain = (): MeshBasicMaterial => new MeshBasicMaterial();
const materials: AirframeMaterials = {
  light: plain(),
  dark: plain(),
  metal: plain(),
  accent: plain(),
  disc: plain(),
  rim: plain(),
};

const meshes = (root: Object3D): Mesh[] => {
  const found: Mesh[] = [];
  root.traverse((o) => {
    if (o instanceof Mesh) found.push(o as Mesh);
  });
  return found;
};

test.each([
  ["airvla-quad7", 4],
  ["flybycode-tilt", 8],
  ["hexa650", 6],
])("%s is drawn with as many rotors as its file has, as large as it says", (id, count) => {
  const file = fileOf(id);
  const airframe = airframeFor(file, materials, false);
  const { group } = airframe;
  airframe.spin(0.3, true);
  group.updateMatrixWorld(true);
  const discs = meshes(group).filter((m) => m.material === materials.disc);
  expect(discs.length).toBe(count);
  file.rotors.list.forEach((rotor) => {
    const near = discs.filter((disc) => {
      const at = disc.getWorldPosition(new Vector3());
      const [x, y, z] = rotor.position_flu_m;
      return at.distanceTo(new Vector3(x, y, z)) < 0.03;
    });
    expect(near.length).toBe(1);
  });
});

test.each(["airvla-quad7", "flybycode-tilt"])(
  "the drawn arm of %s ends where the file's chain ends",
  (id) => {
    const file = fileOf(id);
    const { arm } = file;
    if (arm === null) throw new Error("no arm");
    const { group, setJoints } = airframeFor(file, materials, false);
    const joints = arm.links.map((link, i) =>
      Math.max(link.range_rad[0], Math.min(link.range_rad[1], 0.3 - 0.2 * i)),
    );
    setJoints(joints);
    group.updateMatrixWorld(true);
    const centre = armFrames(arm, joints).at(-1)?.at_flu_m ?? [0, 0, 0];
    const fingers = meshes(group)
      .slice(-2)
      .map((m) => m.getWorldPosition(new Vector3()));
    const middle = new Vector3()
      .addVectors(fingers[0] ?? new Vector3(), fingers[1] ?? new Vector3())
      .multiplyScalar(0.5);
    expect(middle.distanceTo(new Vector3(...centre))).toBeLessThan(0.002);
  },
);

test("the hexarotor's own drawing has the measures of its vehicle file", () => {
  const file = fileOf("hexa650");
  expect(file.rotors.radius_m).toBeCloseTo(propeller_radius_m, 4);
  rotors.forEach((rotor, i) => {
    const said = file.rotors.list[i];
    for (const k of [0, 1, 2] as const)
      expect(rotor.centre_flu_m[k]).toBeCloseTo(said?.position_flu_m[k] ?? Number.NaN, 3);
    expect(rotor.spin).toBe(said?.spin === "ccw" ? 1 : -1);
  });
  expect(legs.map((l) => l.foot)).toEqual(expect.arrayContaining(file.legs.list.map((l) => l.foot_flu_m)));
  const { arm } = file;
  expect(arm?.mount_flu_m).toEqual(arm_mount_flu_m);
  expect(arm?.stowed_rad).toEqual([...folded_arm_rad]);
  const [l1, l2, l3] = arm?.links.map((l) => l.length_m) ?? [];
  expect([l1, l2, l3, arm?.gripper.reach_m]).toEqual([...arm_links_m]);
});
