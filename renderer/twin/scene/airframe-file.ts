import { BoxGeometry, CylinderGeometry, Group, type Material, Mesh, SphereGeometry, Vector3 } from "three";
import type { AirframeShape, VehicleFile } from "#contract/airframe";
import { type Airframe, buildAirframe, type Propeller, rotorHead, spinning } from "./airframe";
import { tube } from "./shapes";
import type { AirframeMaterials } from "./vehicle-materials";

type ArmFile = NonNullable<VehicleFile["arm"]>;

/** The hexarotor has a drawing of its own; every other aircraft is drawn from its file. Not knowing shows the hexarotor. */
export const airframeFor = (
  file: VehicleFile | null,
  materials: AirframeMaterials,
  shadows: boolean,
): Airframe =>
  file === null || file.id === drawnByHand
    ? buildAirframe(materials, shadows)
    : buildFromFile(file, materials, shadows);

const drawnByHand = "hexa650";

/** Any aircraft, drawn from its vehicle file: its solids, as many rotors as it has, its legs, its arm link by link. */
function buildFromFile(file: VehicleFile, materials: AirframeMaterials, shadows: boolean): Airframe {
  const group = new Group();
  for (const shape of file.base.shapes) group.add(solid(shape, materials));
  for (const { from_flu_m, foot_flu_m } of file.legs.list) {
    const foot = new Vector3(...foot_flu_m);
    const pad = new Mesh(new SphereGeometry(file.legs.foot_radius_m, 18, 12), materials.light);
    pad.position.copy(foot);
    group.add(tube(new Vector3(...from_flu_m), foot, file.legs.tube_radius_m, materials.dark), pad);
  }
  const propellers: Propeller[] = file.rotors.list.map((rotor) => {
    const spin = rotor.spin === "ccw" ? 1 : -1;
    const head = rotorHead(materials, spin, file.rotors.radius_m);
    head.group.position.fromArray(rotor.position_flu_m);
    head.group.quaternion.setFromUnitVectors(
      new Vector3(0, 0, 1),
      new Vector3(...rotor.axis_flu).normalize(),
    );
    group.add(head.group);
    return head;
  });
  for (const camera of file.cameras)
    if (camera.parent === "body") {
      const housing = new Mesh(new BoxGeometry(0.026, 0.124, 0.029), materials.metal);
      housing.position.fromArray(camera.position_flu_m);
      housing.rotation.y = camera.pitch_down_rad;
      group.add(housing);
    }
  const arm = file.arm === null ? null : armOf(file.arm, materials);
  if (arm !== null && file.arm !== null) {
    group.add(arm.group);
    arm.setJoints(file.arm.stowed_rad);
  }
  if (shadows)
    group.traverse((o) => {
      if (o instanceof Mesh && o.material !== materials.disc && o.material !== materials.rim)
        o.castShadow = true;
    });
  return { group, spin: spinning(propellers), setJoints: (joints) => arm?.setJoints(joints) };
}

/** Neutral, as the vehicle is drawn everywhere: the file's colours only say what is dark and what is light. */
function neutral([r, g, b]: AirframeShape["colour"], m: AirframeMaterials): Material {
  const luminance = 0.21 * r + 0.72 * g + 0.07 * b;
  return luminance < 0.25 ? m.dark : luminance > 0.7 ? m.light : m.metal;
}

function solid(shape: AirframeShape, m: AirframeMaterials): Mesh {
  const material = neutral(shape.colour, m);
  const [a, b, c] = shape.half_m;
  const at = new Vector3(...shape.at_flu_m);
  if (shape.kind === "capsule")
    return tube(at, new Vector3(...(shape.to_flu_m ?? shape.at_flu_m)), a, material);
  const geometry =
    shape.kind === "box"
      ? new BoxGeometry(2 * a, 2 * b, 2 * c)
      : shape.kind === "sphere"
        ? new SphereGeometry(a, 24, 16)
        : new CylinderGeometry(a, a, 2 * c, 32).rotateX(Math.PI / 2);
  const mesh = new Mesh(geometry, material);
  mesh.position.copy(at);
  return mesh;
}

/** The chain as nested groups: joint angles are set as they are measured. */
function armOf(
  arm: ArmFile,
  m: AirframeMaterials,
): { readonly group: Group; setJoints(q: readonly number[]): void } {
  const group = new Group();
  group.position.fromArray(arm.mount_flu_m);
  group.rotation.y = arm.mount_pitch_down_rad;
  let carrier = group;
  const joints = arm.links.map((link) => {
    const joint = new Group();
    carrier.add(joint);
    const end = new Vector3(...(link.next_m ?? [link.length_m, 0, 0]));
    const r = link.radius_m;
    const bearing = new CylinderGeometry(1.15 * r, 1.15 * r, 2.6 * r, 20);
    if (link.axis === "roll") bearing.rotateZ(Math.PI / 2);
    joint.add(new Mesh(bearing, m.dark), tube(new Vector3(0, 0, 0), end, 0.85 * r, m.light));
    const next = new Group();
    next.position.copy(end);
    joint.add(next);
    carrier = next;
    return { joint, axis: link.axis };
  });
  const last = joints.at(-1)?.joint ?? group;
  const [hx, hy, hz] = arm.gripper.finger_half_m;
  const palm_m = arm.gripper.reach_m - hx;
  const palm = new Mesh(new BoxGeometry(0.03, 2 * arm.gripper.stroke_m + 0.01, 2.4 * hz), m.dark);
  palm.position.x = palm_m - 0.015;
  last.add(palm);
  for (const side of [1, -1]) {
    const finger = new Mesh(new BoxGeometry(2 * hx, 2 * hy, 2 * hz), m.metal);
    finger.position.set(arm.gripper.reach_m, side * (hy + 0.6 * arm.gripper.stroke_m), 0);
    last.add(finger);
  }
  return {
    group,
    setJoints(q) {
      joints.forEach(({ joint, axis }, i) => {
        if (axis === "pitch") joint.rotation.y = q[i] ?? 0;
        else joint.rotation.x = q[i] ?? 0;
      });
    },
  };
}
