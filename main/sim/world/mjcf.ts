import type { AirframeShape, VehicleFile } from "#contract/airframe";
import { fingerStiffness_n_m } from "./arm-figures";
import type { FreeBody, Layout, PlacedMover } from "./layout";
import { distributeMass } from "./mass";
import { away_m, personBody, personParts, personPieces } from "./person";
import type { PlacedPart } from "./placed";
import { aboutAxis, identity, type Q4, type V3, zOnto } from "./rigid";

/** Names by which the rest of sim finds things in the compiled model. */
export const vehicleBody = "vehicle";
export const motorName = (i: number): string => `motor-${i}`;
export const jointName = (link: string): string => `joint-${link}`;
export const linkBody = (link: string): string => `link-${link}`;
export const fingers = ["left", "right"] as const;
export const fingerName = (side: (typeof fingers)[number]): string => `finger-${side}`;
export const bodyName = (name: string): string => `object-${name}`;

const number = (x: number): string => Number(x.toFixed(6)).toString();
const list = (...values: readonly number[]): string => values.map(number).join(" ");
const pose = (at: V3, quat: Q4): string => `pos="${list(...at)}" quat="${list(...quat)}"`;

/** The whole world as MJCF: structure, movable objects, vehicle. */
export function toMjcf(layout: Layout, vehicle: VehicleFile, timestep_s = 0.002): string {
  const { scene } = layout;
  const structures = layout.structures.flatMap((s) =>
    s.parts.filter((p) => p.part.collides).map(structureGeom),
  );
  return `<mujoco model="${scene.name}">
<compiler angle="radian" autolimits="true"/>
<option timestep="${timestep_s}" integrator="implicitfast" cone="elliptic" impratio="5" noslip_iterations="0" density="0" viscosity="0"><flag sleep="enable"/></option>
<default>
<geom condim="4" friction="0.6 0.003 0.0002" solref="0.01 1"/>
</default>
<worldbody>
${structures.join("\n")}
${layout.bodies.map(freeBody).join("\n")}
${layout.movers.map(mover).join("\n")}
${person(layout.seed)}
${vehicleXml(vehicle, scene.pad.at, scene.room.min[2], (scene.pad.yaw_deg * Math.PI) / 180)}
</worldbody>
${actuators(vehicle)}
<sensor>
<accelerometer name="accel" site="imu"/>
<gyro name="gyro" site="imu"/>
${vehicle.arm === null ? "" : fingers.map(touchSensor).join("\n")}
</sensor>
</mujoco>`;
}

function structureGeom(placed: PlacedPart): string {
  return `<geom ${shape(placed.part)} ${pose(placed.at, placed.quat)} contype="1" conaffinity="2"/>`;
}

function shape(part: PlacedPart["part"]): string {
  switch (part.kind) {
    case "box":
      return `type="box" size="${list(...part.half)}"`;
    case "ellipsoid":
      return `type="ellipsoid" size="${list(...part.half)}"`;
    case "sphere":
      return `type="sphere" size="${list(part.radius)}"`;
    case "capsule":
      return `type="capsule" size="${list(part.radius, part.half_height)}"`;
    case "cylinder":
      return `type="cylinder" size="${list(part.radius, part.half_height)}"`;
    case "cone":
    case "vessel":
      throw new Error(`Invariant: a ${part.kind} is a picture, not a collision shape`);
  }
}

function freeBody(body: FreeBody): string {
  const solids = body.parts.filter((p) => p.part.collides);
  const masses = distributeMass(solids, body.asset.mass_kg);
  // Rolling friction takes part only from condim 6 on.
  const condim = body.asset.rolling_m > 0.001 ? 6 : 4;
  const geoms = solids.map(
    (p, i) =>
      `<geom ${shape(p.part)} ${pose(p.at, p.quat)} mass="${number(masses[i] ?? 0)}" condim="${condim}" friction="${list(body.asset.friction, 0.003, body.asset.rolling_m)}" contype="3" conaffinity="3" priority="1"/>`,
  );
  const { com_m: com, mass_kg: m, footprint_radius_m: r, height_m: h } = body.asset;
  // Off-centre loads get the inertia of a box of the same size.
  const side = (m / 12) * (2 * r * r + h * h);
  const inertial =
    com === undefined
      ? ""
      : `<inertial pos="${list(...com)}" mass="${number(m)}" diaginertia="${list(side, side, (m / 3) * r * r)}"/>`;
  return `<body name="${bodyName(body.name)}" ${pose(body.at, body.quat)}><freejoint name="free-${body.name}"/>${inertial}${geoms.join("")}</body>`;
}

/** Joints in the furniture's frame; the parts too, so that the body's frame is the furniture's. */
function mover(placed: PlacedMover): string {
  const { mover: m, parts } = placed;
  const solids = parts.filter((p) => p.part.collides);
  const masses = distributeMass(solids, m.mass_kg);
  const geoms = solids.map(
    (p, i) =>
      `<geom ${shape(p.part)} ${pose(p.at, p.quat)} mass="${number(masses[i] ?? 0)}" friction="0.8 0.003 0.0002" contype="1" conaffinity="2"/>`,
  );
  return `<body name="${bodyName(placed.name)}" ${pose(placed.at, placed.quat)}><joint name="${bodyName(placed.name)}" type="${m.joint}" pos="${list(...m.at)}" axis="${list(...m.axis)}" range="${list(...m.range)}" damping="${number(m.damping)}" frictionloss="${number(m.friction)}" armature="0.001"/>${geoms.join("")}</body>`;
}

/** Moved by a plan, not by forces (mocap): felt by what it meets, never pushed itself. Waits below the floor. */
function person(seed: number): string {
  const parts = personParts(seed);
  return personPieces
    .map((piece, i) => {
      const geoms = parts[piece]
        .filter((p) => p.part.collides)
        .map((p) => `<geom ${shape(p.part)} ${pose(p.at, p.quat)} contype="1" conaffinity="2"/>`);
      return `<body name="${personBody(piece)}" mocap="true" pos="${list(0, i, away_m)}">${geoms.join("")}</body>`;
    })
    .join("\n");
}

function vehicleXml(
  vehicle: VehicleFile,
  pad: readonly [number, number],
  floor_m: number,
  yaw_rad: number,
): string {
  const { base, legs } = vehicle;
  const stand_m = Math.max(...legs.list.map((leg) => legs.foot_radius_m - leg.foot_flu_m[2]));
  const geoms = [
    ...base.shapes.filter((s) => s.collides).map(airframeGeom),
    ...legs.list.flatMap((leg) => [
      `<geom type="capsule" fromto="${list(...leg.from_flu_m, ...leg.foot_flu_m)}" size="${number(legs.tube_radius_m)}" mass="0" contype="2" conaffinity="3"/>`,
      `<geom type="sphere" pos="${list(...leg.foot_flu_m)}" size="${number(legs.foot_radius_m)}" mass="0" friction="0.9 0.005 0.0005" contype="2" conaffinity="3"/>`,
    ]),
    ...vehicle.rotors.list.map(
      (rotor) =>
        `<geom type="cylinder" pos="${list(...rotor.position_flu_m)}" size="${list(vehicle.rotors.radius_m, 0.004)}" mass="0" contype="2" conaffinity="3"/>`,
    ),
  ];
  const sites = vehicle.rotors.list.map(
    (rotor, i) => `<site name="${motorName(i)}" ${pose(rotor.position_flu_m, zOnto(rotor.axis_flu))}/>`,
  );
  const quat: Q4 = [Math.cos(yaw_rad / 2), 0, 0, Math.sin(yaw_rad / 2)];
  return `<body name="${vehicleBody}" ${pose([pad[0], pad[1], floor_m + stand_m + 0.003], quat)}>
<freejoint name="free-vehicle"/>
<inertial pos="${list(...base.com_flu_m)}" mass="${number(base.mass_kg)}" diaginertia="${list(...base.inertia_kg_m2)}"/>
<site name="imu"/>
${geoms.join("\n")}
${sites.join("\n")}
${vehicle.arm === null ? "" : armXml(vehicle.arm)}
</body>`;
}

function airframeGeom(s: AirframeShape): string {
  const common = `mass="0" contype="2" conaffinity="3"`;
  if (s.kind === "capsule" && s.to_flu_m !== undefined)
    return `<geom type="capsule" fromto="${list(...s.at_flu_m, ...s.to_flu_m)}" size="${number(s.half_m[0])}" ${common}/>`;
  const size =
    s.kind === "box"
      ? list(...s.half_m)
      : s.kind === "sphere"
        ? list(s.half_m[0])
        : list(s.half_m[0], s.half_m[2]);
  return `<geom type="${s.kind}" pos="${list(...s.at_flu_m)}" size="${size}" ${common}/>`;
}

function armXml(arm: NonNullable<VehicleFile["arm"]>): string {
  let open = "";
  let close = "";
  let at: V3 = arm.mount_flu_m;
  let quat = aboutAxis(1, arm.mount_pitch_down_rad);
  arm.links.forEach((link, i) => {
    const last = i === arm.links.length - 1;
    const grip = last ? gripperXml(arm.gripper) : "";
    // The fingers' masses are part of the last link's figure.
    const end: V3 = link.next_m ?? [link.length_m, 0, 0];
    const mass = link.mass_kg - (last ? 2 * arm.gripper.finger_mass_kg : 0);
    open += `<body name="${linkBody(link.name)}" ${pose(at, quat)}>
<joint name="${jointName(link.name)}" type="hinge" axis="${link.axis === "pitch" ? "0 1 0" : "1 0 0"}" range="${list(...link.range_rad)}" damping="${number(link.damping)}" armature="${number(link.armature)}"/>
<inertial pos="${list(...link.com_m)}" mass="${number(mass)}" diaginertia="${list(...link.inertia_kg_m2)}"/>
<geom type="capsule" fromto="0 0 0 ${list(...end)}" size="${number(link.radius_m)}" mass="0" contype="0" conaffinity="1"/>
${grip}`;
    close += "</body>";
    at = end;
    quat = identity;
  });
  return open + close;
}

/** Net contact force on a finger: found, then three components. */
const touchSensor = (side: (typeof fingers)[number]): string =>
  `<contact name="touch-${side}" body1="${fingerName(side)}" num="1" reduce="netforce" data="found force"/>`;

function gripperXml(gripper: NonNullable<VehicleFile["arm"]>["gripper"]): string {
  const [hx, hy, hz] = gripper.finger_half_m;
  return fingers
    .map((side) => {
      const sign = side === "left" ? 1 : -1;
      return `<body name="${fingerName(side)}" pos="${list(gripper.reach_m, sign * hy, 0)}">
<joint name="${fingerName(side)}" type="slide" axis="0 ${sign} 0" range="0 ${number(gripper.stroke_m)}" damping="4" armature="0.02" solreflimit="0.004 1"/>
<geom type="box" size="${list(hx, hy, hz)}" mass="${number(gripper.finger_mass_kg)}" friction="${list(gripper.friction, 0.01, 0.0005)}" contype="0" conaffinity="1" solref="0.01 1" priority="2"/>
</body>`;
    })
    .join("\n");
}

function actuators(vehicle: VehicleFile): string {
  const motors = vehicle.rotors.list.map((rotor, i) => {
    // A rotor that turns counter-clockwise pulls the airframe clockwise.
    const reaction = vehicle.rotors.torque_ratio_m * (rotor.spin === "ccw" ? -1 : 1);
    return `<motor name="${motorName(i)}" site="${motorName(i)}" gear="0 0 1 0 0 ${number(reaction)}"/>`;
  });
  const arm = vehicle.arm;
  const servos =
    arm === null
      ? []
      : [
          ...arm.links.map(
            (link) =>
              `<position name="${jointName(link.name)}" joint="${jointName(link.name)}" kp="${number(link.kp)}" kv="${number(link.kv)}" forcerange="${list(-link.torque_max_nm, link.torque_max_nm)}"/>`,
          ),
          ...fingers.map(
            (side) =>
              `<position name="${fingerName(side)}" joint="${fingerName(side)}" kp="${number(fingerStiffness_n_m)}" kv="20" forcerange="${list(-arm.gripper.force_max_n, arm.gripper.force_max_n)}"/>`,
          ),
        ];
  return `<actuator>\n${[...motors, ...servos].join("\n")}\n</actuator>`;
}
