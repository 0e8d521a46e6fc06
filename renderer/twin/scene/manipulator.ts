import { BoxGeometry, CylinderGeometry, Group, Mesh } from "three";
import { arm_links_m, arm_mount_flu_m } from "./airframe-shape";
import type { AirframeMaterials } from "./vehicle-materials";

export interface Arm {
  readonly group: Group;
  readonly setJoints: (joints_rad: readonly number[]) => void;
  /** 0 closed, 1 open. */
  readonly setGripper: (open: number) => void;
}

const finger_travel_m = 0.04;

/**
 * Shoulder, elbow and wrist pitch about y, then roll about x, as nested groups so that joint angles are set as they are
 * measured. Servo blocks sit on the joints, thin plates between them, two fingers at the end.
 */
export function buildArm(m: AirframeMaterials): Arm {
  const group = new Group();
  group.position.fromArray(arm_mount_flu_m);
  const bracket = new Mesh(new BoxGeometry(0.06, 0.05, 0.07), m.dark);
  bracket.position.set(-0.012, 0, 0.05);
  group.add(bracket);

  const shoulder = new Group();
  const elbow = new Group();
  const wrist = new Group();
  const roll = new Group();
  group.add(shoulder);
  shoulder.add(servo(m, 0.046), ...link(arm_links_m[0], 0.022, m));
  elbow.position.x = arm_links_m[0];
  shoulder.add(elbow);
  elbow.add(servo(m, 0.042), ...link(arm_links_m[1], 0.019, m));
  wrist.position.x = arm_links_m[1];
  elbow.add(wrist);
  wrist.add(servo(m, 0.034));
  const neck = new Mesh(new CylinderGeometry(0.014, 0.014, arm_links_m[2], 14).rotateZ(Math.PI / 2), m.metal);
  neck.position.x = arm_links_m[2] / 2;
  wrist.add(neck);
  roll.position.x = arm_links_m[2];
  wrist.add(roll);

  const palm = new Mesh(new BoxGeometry(0.034, 0.074, 0.034), m.dark);
  palm.position.x = 0.026;
  roll.add(palm);
  const fingers = [1, -1].map((side) => {
    const finger = new Group();
    const plate = new Mesh(new BoxGeometry(0.086, 0.009, 0.022), m.light);
    plate.position.x = 0.086;
    const tip = new Mesh(new BoxGeometry(0.034, 0.006, 0.026), m.metal);
    tip.position.set(0.118, -side * 0.006, 0);
    finger.add(plate, tip);
    roll.add(finger);
    return { finger, side };
  });
  const setGripper = (open: number): void => {
    for (const { finger, side } of fingers) finger.position.y = side * (0.008 + finger_travel_m * open * 0.8);
  };
  setGripper(0.6);
  return {
    group,
    setGripper,
    setJoints(joints_rad) {
      const [q1 = 0, q2 = 0, q3 = 0, q4 = 0] = joints_rad;
      shoulder.rotation.y = q1;
      elbow.rotation.y = q2;
      wrist.rotation.y = q3;
      roll.rotation.x = q4;
    },
  };
}

function servo(m: AirframeMaterials, size_m: number): Group {
  const g = new Group();
  const body = new Mesh(new BoxGeometry(size_m, size_m * 0.86, size_m * 0.9), m.dark);
  const horn = new Mesh(new CylinderGeometry(size_m * 0.36, size_m * 0.36, size_m * 1.12, 20), m.metal);
  g.add(body, horn);
  return g;
}

function link(length_m: number, width_m: number, m: AirframeMaterials): Mesh[] {
  const plates = [1, -1].map((side) => {
    const plate = new Mesh(new BoxGeometry(length_m, 0.004, width_m), m.light);
    plate.position.set(length_m / 2, side * 0.02, 0);
    return plate;
  });
  const spacer = new Mesh(new BoxGeometry(0.012, 0.04, width_m * 0.7), m.metal);
  spacer.position.x = length_m * 0.55;
  return [...plates, spacer];
}
