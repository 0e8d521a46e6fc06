import { describe, expect, it } from "vitest";
import { eulerFluEnu, quatFrdNedToFluEnu } from "#contract/frames";
import { initialFrame, type LocalFrame, stepFrame } from "./frame";
import type { VehicleMessage } from "./message";
import { pointToSite, quatToSite, yawToLocalNed } from "./site-transform";

const from = { system_id: 1, component_id: 1 };
const position = (at_ms: number, x: number): VehicleMessage => ({
  ...from,
  name: "LOCAL_POSITION_NED",
  at_ms,
  fields: { time_boot_ms: at_ms, x, y: 0, z: -1.5, vx: 0.5, vy: 0, vz: 0 },
});
const quat = (yaw_rad: number): readonly [number, number, number, number] => [
  Math.cos(yaw_rad / 2),
  0,
  0,
  Math.sin(yaw_rad / 2),
];
const attitude = (at_ms: number, yaw_rad: number): VehicleMessage => {
  const [q1, q2, q3, q4] = quat(yaw_rad);
  return {
    ...from,
    name: "ATTITUDE_QUATERNION",
    at_ms,
    fields: { time_boot_ms: at_ms, q1, q2, q3, q4, yawspeed: 0 },
  };
};
const odometry = (at_ms: number, x: number, yaw_rad: number, reset_counter: number): VehicleMessage => ({
  ...from,
  name: "ODOMETRY",
  at_ms,
  fields: {
    time_usec: at_ms * 1000,
    x,
    y: 0,
    z: -1.5,
    q: [...quat(yaw_rad)],
    yawspeed: 0,
    reset_counter,
  },
});

/** Flies north at 0.5 m/s with positions at 50 Hz and odometry at 10 Hz; what is believed, as places in the site. */
function fly(options: { jump_m: number; turn_rad: number; counted: boolean; flying: boolean }) {
  let frame: LocalFrame = initialFrame();
  const north_m: number[] = [];
  const headings_rad: number[] = [];
  const resets: number[] = [];
  const take = (message: VehicleMessage): void => {
    const step = stepFrame(frame, message, options.flying, message.at_ms);
    frame = step.frame;
    if (step.reset !== null) resets.push(message.at_ms);
    for (const m of step.pass) {
      const f = m.fields;
      if (m.name === "LOCAL_POSITION_NED") {
        north_m.push(
          pointToSite(frame.anchor.site, [Number(f["x"]), 0, -1.5])[1] - Number(f["time_boot_ms"]) / 2000,
        );
      } else if (m.name === "ATTITUDE_QUATERNION") {
        const q = quatFrdNedToFluEnu([Number(f["q1"]), 0, 0, Number(f["q4"])]);
        headings_rad.push(eulerFluEnu(quatToSite(frame.anchor.site, q)).yaw_rad);
      }
    }
  };
  for (let at_ms = 0; at_ms <= 2000; at_ms += 20) {
    const after = at_ms >= 1010;
    const x = at_ms / 2000 + (after ? options.jump_m : 0);
    const yaw_rad = after ? options.turn_rad : 0;
    take(position(at_ms, x));
    take(attitude(at_ms, yaw_rad));
    if (at_ms % 100 === 0) take(odometry(at_ms, x, yaw_rad, after && options.counted ? 5 : 4));
  }
  return { frame, north_m, headings_rad, resets };
}

describe("PX4/PX4-Autopilot#7491, #11970: the position shows a reset before the counter does", () => {
  it("nothing is believed in between, and afterwards the vehicle is where it was", () => {
    const { north_m, resets, frame } = fly({ jump_m: 2, turn_rad: 0, counted: true, flying: true });
    expect(north_m).toHaveLength(101);
    for (const off_m of north_m) expect(off_m).toBeCloseTo(0, 6);
    expect(resets).toEqual([1100]);
    expect(frame.anchor.last_jump_m).toBeCloseTo(2, 6);
  });

  it("a heading that was reset turns nothing, and setpoints go out in the new heading", () => {
    const { headings_rad, frame } = fly({ jump_m: 0, turn_rad: 0.5, counted: true, flying: true });
    expect(headings_rad).toHaveLength(101);
    for (const yaw_rad of headings_rad) expect(yaw_rad).toBeCloseTo(Math.PI / 2, 6);
    expect(yawToLocalNed(frame.anchor.site, Math.PI / 2)).toBeCloseTo(0.5, 6);
  });

  it("a step without a counted reset is believed as soon as odometry agrees with it", () => {
    const { north_m, resets } = fly({ jump_m: 2, turn_rad: 0, counted: false, flying: true });
    expect(resets).toEqual([]);
    expect(north_m).toHaveLength(101);
    expect(north_m.at(-1)).toBeCloseTo(2, 6);
  });

  it("on the ground the site goes along: the estimator is still finding its frame", () => {
    const { north_m, frame } = fly({ jump_m: 2, turn_rad: 0, counted: true, flying: false });
    expect(north_m.at(-1)).toBeCloseTo(2, 6);
    expect([frame.anchor.resets, frame.anchor.site.offset_enu_m]).toEqual([1, [0, 0, 0]]);
  });

  it("without odometry nothing waits", () => {
    let frame = initialFrame();
    const passed = [position(0, 0), position(20, 3)].flatMap((m) => {
      const step = stepFrame(frame, m, true, m.at_ms);
      frame = step.frame;
      return step.pass;
    });
    expect(passed).toHaveLength(2);
  });
});
