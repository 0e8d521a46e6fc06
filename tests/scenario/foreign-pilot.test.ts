import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { common } from "node-mavlink";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appRoot } from "../../main/platform/paths";
import { ForeignPilot } from "../support/foreign-pilot";

let sim: ChildProcess | null = null;
let pilot: ForeignPilot | null = null;

beforeEach(async () => {
  pilot = await ForeignPilot.open();
  const cli = join(appRoot(), "out", "main", "cli.cjs");
  sim = spawn(process.execPath, [cli, "sim", "--port", String(pilot.port), "--bind", "0", "--json"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { stdout } = sim;
  if (stdout !== null)
    await new Promise((resolve) => createInterface({ input: stdout }).once("line", resolve));
});
afterEach(async () => {
  sim?.kill("SIGTERM");
  await pilot?.close();
});

const ignore = common.PositionTargetTypemask;
/** Position alone; the vehicle keeps its heading. */
const positionOnly: common.PositionTargetTypemask =
  ignore.VX_IGNORE |
  ignore.VY_IGNORE |
  ignore.VZ_IGNORE |
  ignore.AX_IGNORE |
  ignore.AY_IGNORE |
  ignore.AZ_IGNORE |
  ignore.YAW_IGNORE |
  ignore.YAW_RATE_IGNORE;
const north_e7 = 473977420;
const items = [
  { command: common.MavCmd.NAV_TAKEOFF, x: north_e7, y: 85455940, z: 1.5 },
  { command: common.MavCmd.NAV_WAYPOINT, x: north_e7 + 90, y: 85455940, z: 1.5 },
  { command: common.MavCmd.NAV_LAND, x: north_e7, y: 85455940, z: 0 },
];

async function allParameters(p: ForeignPilot): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  const last = p.next(common.ParamValue, (v) => {
    if (v.paramIndex < v.paramCount) found.set(v.paramIndex, v.paramId);
    return found.size === v.paramCount;
  });
  p.send(common.ParamRequestList, { targetSystem: 1, targetComponent: 1 });
  await last;
  return found;
}

async function upload(p: ForeignPilot): Promise<number> {
  const accepted = p.next(common.MissionAck);
  const serve = (seq: number): void => {
    const item = items[seq];
    if (item === undefined) return;
    if (seq + 1 < items.length)
      void p
        .next(common.MissionRequestInt, (r) => r.seq === seq + 1)
        .then((r) => {
          serve(r.seq);
        });
    const frame = common.MavFrame.GLOBAL_RELATIVE_ALT_INT;
    const fixed = { targetSystem: 1, targetComponent: 1, frame, seq, autocontinue: 1 };
    p.send(common.MissionItemInt, { ...fixed, ...item, param4: Number.NaN });
  };
  void p
    .next(common.MissionRequestInt, (r) => r.seq === 0)
    .then(() => {
      serve(0);
    });
  p.send(common.MissionCount, { targetSystem: 1, targetComponent: 1, count: items.length });
  return (await accepted).type;
}

async function readBack(p: ForeignPilot): Promise<common.MissionItemInt[]> {
  const counted = p.next(common.MissionCount);
  p.send(common.MissionRequestList, { targetSystem: 1, targetComponent: 1 });
  const { count } = await counted;
  const read: common.MissionItemInt[] = [];
  for (let seq = 0; seq < count; seq++) {
    const item = p.next(common.MissionItemInt, (i) => i.seq === seq);
    p.send(common.MissionRequestInt, { targetSystem: 1, targetComponent: 1, seq });
    read.push(await item);
  }
  p.send(common.MissionAck, { targetSystem: 1, targetComponent: 1, type: common.MavMissionResult.ACCEPTED });
  return read;
}

test("another MAVLink implementation flies the vehicle: heartbeat, parameters, mission up and down, arm, take-off, offboard square, land", async () => {
  const p = pilot;
  if (p === null) throw new Error("Invariant: a pilot is there");
  await p.shows(4, 3, false);
  const parameters = await allParameters(p);
  expect(parameters.size).toBeGreaterThan(800);
  expect([...parameters.values()]).toContain("MPC_XY_CRUISE");

  expect(await upload(p)).toBe(common.MavMissionResult.ACCEPTED);
  const read = await readBack(p);
  expect(read.map((i) => ({ command: i.command, x: i.x, y: i.y, z: i.z }))).toEqual(items);

  await p.next(common.SysStatus, (s) => (s.onboardControlSensorsHealth & 0x10000000) !== 0);
  expect(await p.command(common.MavCmd.COMPONENT_ARM_DISARM, 1)).toBe(0);
  expect(await p.command(common.MavCmd.NAV_TAKEOFF, 0, 0, 0, Number.NaN, Number.NaN, Number.NaN, 489.4)).toBe(
    0,
  );
  await p.next(common.LocalPositionNed, (l) => l.z < -1.2);
  await p.shows(4, 3, true);

  const home = p.position;
  if (home === null) throw new Error("Invariant: a position has been heard");
  let target: readonly [number, number] = [home.x, home.y];
  let count = 0;
  p.onPosition = () => {
    if (count++ % 2 !== 0) return;
    p.send(common.SetPositionTargetLocalNed, {
      targetSystem: 1,
      targetComponent: 1,
      coordinateFrame: common.MavFrame.LOCAL_NED,
      typeMask: positionOnly,
      x: target[0],
      y: target[1],
      z: -1.4,
    });
  };
  await p.next(common.LocalPositionNed, () => count > 20);
  expect(await p.command(common.MavCmd.DO_SET_MODE, 1, 6, 0)).toBe(0);
  await p.shows(6, 0, true);
  const reached: (readonly [number, number])[] = [];
  for (const [dx, dy] of [
    [0.6, 0],
    [0.6, 0.6],
    [0, 0.6],
    [0, 0],
  ] as const) {
    target = [home.x + dx, home.y + dy];
    const there = await p.next(
      common.LocalPositionNed,
      (l) => Math.hypot(l.x - target[0], l.y - target[1]) < 0.1,
    );
    reached.push([there.x - home.x, there.y - home.y]);
  }
  expect(reached).toHaveLength(4);
  expect(await p.command(common.MavCmd.NAV_LAND)).toBe(0);
  await p.shows(4, 6, true);
  // A finished landing leaves for the mode flown before it, as PX4 1.17 does.
  await p.shows(6, 0, false);
  expect(Math.abs((p.position?.z ?? Number.NaN) - home.z)).toBeGreaterThan(0.8);
});
