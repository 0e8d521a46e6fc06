import {
  BoxGeometry,
  CircleGeometry,
  CylinderGeometry,
  ExtrudeGeometry,
  Group,
  type Material,
  Mesh,
  type Object3D,
  RingGeometry,
  Shape,
  SphereGeometry,
  Vector3,
} from "three";
import type { Flu } from "#contract/frames";
import {
  battery_centre_flu_m,
  camera_boom_m,
  folded_arm_rad,
  legs,
  propeller_radius_m,
  rotor_circle_m,
  rotors,
} from "./airframe-shape";
import { buildArm } from "./manipulator";
import { hexagon, roundedRect, tube } from "./shapes";
import type { AirframeMaterials } from "./vehicle-materials";

export interface Airframe {
  /** Origin at the body frame's, axes FLU. */
  readonly group: Group;
  /** Turns the propellers by `angle_rad` and shows the discs when they spin. */
  spin(angle_rad: number, spinning: boolean): void;
  readonly setJoints: (joints_rad: readonly number[]) => void;
}

/** A rotor's turning part with the disc that is seen when it spins; origin at the rotor's centre, z along its thrust. */
export interface Propeller {
  readonly group: Group;
  readonly turning: Group;
  readonly disc: Object3D;
  readonly spin: number;
}

export function rotorHead(materials: AirframeMaterials, spin: 1 | -1, radius_m: number): Propeller {
  const group = new Group();
  const turning = propeller(materials, spin, radius_m);
  turning.position.z = 0.022;
  const disc = new Group();
  disc.position.z = 0.024;
  disc.add(new Mesh(new CircleGeometry(radius_m, 48), materials.disc));
  disc.add(new Mesh(new RingGeometry(radius_m - 0.004, radius_m, 64), materials.rim));
  group.add(turning, disc);
  return { group, turning, disc, spin };
}

export const spinning =
  (propellers: readonly Propeller[]): Airframe["spin"] =>
  (angle_rad, shown) => {
    for (const p of propellers) {
      p.turning.rotation.z = angle_rad * p.spin;
      p.disc.visible = shown;
    }
  };

/** Builds the hexarotor. Geometry and materials belong to the caller's disposal (see `disposeTree`). */
export function buildAirframe(materials: AirframeMaterials, shadows: boolean): Airframe {
  const group = new Group();
  const props: Propeller[] = [];
  group.add(buildHub(materials));
  for (const rotor of rotors) {
    const [x, y, z] = rotor.centre_flu_m;
    const angle = Math.atan2(y, x);
    const armMaterial = rotor.front ? materials.accent : materials.dark;
    group.add(boom(angle, armMaterial, materials));
    const hub = new Group();
    hub.position.set(x, y, z);
    hub.add(motor(materials));
    const head = rotorHead(materials, rotor.spin, propeller_radius_m);
    hub.add(head.group);
    group.add(hub);
    props.push(head);
  }
  for (const { from, foot } of legs) group.add(leg(from, foot, materials));
  group.add(cameraBoom(materials));
  const arm = buildArm(materials);
  arm.setJoints(folded_arm_rad);
  group.add(arm.group);
  if (shadows) {
    group.traverse((o) => {
      if (o instanceof Mesh && o.material !== materials.disc && o.material !== materials.rim)
        o.castShadow = true;
    });
  }
  return { group, spin: spinning(props), setJoints: arm.setJoints };
}

function buildHub(m: AirframeMaterials): Group {
  const hub = new Group();
  const plate = new ExtrudeGeometry(hexagon(0.118), {
    depth: 0.004,
    bevelEnabled: true,
    bevelSize: 0.003,
    bevelThickness: 0.0015,
    bevelSegments: 1,
  });
  for (const z of [0.0, 0.042]) {
    const mesh = new Mesh(plate, m.dark);
    mesh.position.z = z - 0.004;
    hub.add(mesh);
  }
  const stand = new CylinderGeometry(0.0045, 0.0045, 0.042, 8).rotateX(Math.PI / 2);
  for (let i = 0; i < 6; i += 1) {
    const a = (i * Math.PI) / 3;
    const post = new Mesh(stand, m.metal);
    post.position.set(0.094 * Math.cos(a), 0.094 * Math.sin(a), 0.021);
    hub.add(post);
  }
  // Autopilot and computer under a shallow cover.
  const cover = new Mesh(
    new ExtrudeGeometry(roundedRect(0.1, 0.078, 0.014), {
      depth: 0.026,
      bevelEnabled: true,
      bevelSize: 0.006,
      bevelThickness: 0.008,
      bevelSegments: 3,
    }),
    m.light,
  );
  cover.position.set(0.004, 0, 0.05);
  hub.add(cover);
  // The battery hangs aft under the plates, so that the arm ahead balances it.
  const battery = new Mesh(
    new ExtrudeGeometry(roundedRect(0.17, 0.08, 0.01), {
      depth: 0.046,
      bevelEnabled: true,
      bevelSize: 0.003,
      bevelThickness: 0.003,
      bevelSegments: 2,
    }),
    m.metal,
  );
  const [bx, by, bz] = battery_centre_flu_m;
  battery.position.set(bx, by, bz - 0.023);
  hub.add(battery);
  for (const dx of [-0.045, 0.035]) {
    const strap = new Mesh(new BoxGeometry(0.02, 0.091, 0.058), m.dark);
    strap.position.set(bx + dx, by, bz);
    hub.add(strap);
  }
  const tray = new Mesh(new BoxGeometry(0.2, 0.06, 0.004), m.dark);
  tray.position.set(bx + 0.03, 0, bz + 0.03);
  hub.add(tray);
  // Mast with the tracking marker ball: a height cue that reads from every side.
  const mast = new Mesh(new CylinderGeometry(0.003, 0.003, 0.07, 8).rotateX(Math.PI / 2), m.metal);
  mast.position.set(-0.05, 0, 0.1);
  const puck = new Mesh(new CylinderGeometry(0.021, 0.024, 0.012, 24).rotateX(Math.PI / 2), m.light);
  puck.position.set(-0.05, 0, 0.135);
  hub.add(mast, puck);
  return hub;
}

function boom(angle_rad: number, tube: Material, m: AirframeMaterials): Group {
  const g = new Group();
  const length = rotor_circle_m - 0.07;
  const mesh = new Mesh(new CylinderGeometry(0.0115, 0.0115, length, 14).rotateZ(Math.PI / 2), tube);
  mesh.position.set(0.07 + length / 2, 0, 0.02);
  const clamp = new Mesh(new BoxGeometry(0.036, 0.034, 0.036), m.metal);
  clamp.position.set(0.098, 0, 0.02);
  const speedController = new Mesh(new BoxGeometry(0.052, 0.024, 0.01), m.dark);
  speedController.position.set(0.19, 0, 0.005);
  g.add(mesh, clamp, speedController);
  g.rotation.z = angle_rad;
  return g;
}

function motor(m: AirframeMaterials): Group {
  const g = new Group();
  const mount = new Mesh(new CylinderGeometry(0.021, 0.019, 0.016, 20).rotateX(Math.PI / 2), m.dark);
  mount.position.z = -0.024;
  const stator = new Mesh(new CylinderGeometry(0.0195, 0.0195, 0.012, 20).rotateX(Math.PI / 2), m.metal);
  stator.position.z = -0.01;
  const bell = new Mesh(new CylinderGeometry(0.02, 0.0225, 0.018, 24).rotateX(Math.PI / 2), m.dark);
  bell.position.z = 0.005;
  const nut = new Mesh(new CylinderGeometry(0.003, 0.006, 0.016, 12).rotateX(Math.PI / 2), m.metal);
  nut.position.z = 0.026;
  g.add(mount, stator, bell, nut);
  return g;
}

/** Two blades with the twist of a real propeller: leading edge up in the turning direction. */
function propeller(m: AirframeMaterials, spin: number, r: number): Group {
  const g = new Group();
  const s = new Shape();
  s.moveTo(0.008, -0.004);
  s.bezierCurveTo(0.03, -0.016 * spin, 0.07, -0.018, r, -0.004);
  s.quadraticCurveTo(r + 0.001, 0.001, r - 0.004, 0.004);
  s.bezierCurveTo(0.08, 0.012, 0.04, 0.012, 0.008, 0.006);
  const blade = new ExtrudeGeometry(s, { depth: 0.0018, bevelEnabled: false, curveSegments: 6 });
  for (const turn of [0, Math.PI]) {
    const mesh = new Mesh(blade, m.dark);
    mesh.rotation.set(0, 0, turn);
    mesh.rotateX(0.22 * spin);
    g.add(mesh);
  }
  return g;
}

function leg(from: Flu, foot: Flu, m: AirframeMaterials): Group {
  const g = new Group();
  const top = new Vector3(...from);
  const end = new Vector3(...foot);
  const knee = top.clone().lerp(end, 0.12);
  g.add(tube(top, end, 0.007, m.dark), tube(top, knee, 0.011, m.metal));
  const pad = new Mesh(new SphereGeometry(0.016, 18, 12), m.light);
  pad.position.copy(end);
  g.add(pad);
  return g;
}

function cameraBoom(m: AirframeMaterials): Group {
  const g = new Group();
  const { from, to } = camera_boom_m;
  g.add(tube(new Vector3(from, 0, 0), new Vector3(to, 0, 0), 0.008, m.dark));
  const bracket = new Mesh(new BoxGeometry(0.008, 0.07, 0.026), m.metal);
  bracket.position.x = to;
  g.add(bracket);
  return g;
}
