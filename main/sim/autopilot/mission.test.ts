import { describe, expect, test } from "vitest";
import { FlightRig } from "../../../tests/support/flight-rig";
import { outsideFence, readFence } from "./fence";
import { judgePlan, type PlanItem } from "./plan";
import type { Message } from "./port";

const origin = { latitude_deg: 47.397742, longitude_deg: 8.545594, altitude_amsl_m: 488 };
const metres_per_degree = (6371000 * Math.PI) / 180;

/** An item at metres north and east of the origin, `up_m` above home. */
function item(command: number, north_m = 0, east_m = 0, up_m = 0, params: readonly number[] = []): PlanItem {
  const [a = 0, b = 0, c = 0, d = Number.NaN] = params;
  const east_degree = metres_per_degree * Math.cos((origin.latitude_deg * Math.PI) / 180);
  return {
    frame: 6,
    command,
    autocontinue: 1,
    params: [a, b, c, d],
    x: Math.round((origin.latitude_deg + north_m / metres_per_degree) * 1e7),
    y: Math.round((origin.longitude_deg + east_m / east_degree) * 1e7),
    z: up_m,
  };
}

const fieldsOf = (seq: number, i: PlanItem, type: number): Message["fields"] => ({
  seq,
  mission_type: type,
  frame: i.frame,
  command: i.command,
  autocontinue: i.autocontinue,
  param1: i.params[0],
  param2: i.params[1],
  param3: i.params[2],
  param4: i.params[3],
  x: i.x,
  y: i.y,
  z: i.z,
});

/** Uploads as a station does, answering each request; answers the final MISSION_ACK type. */
function upload(rig: FlightRig, items: readonly PlanItem[], type = 0): number {
  const start = rig.sent.length;
  rig.receive("MISSION_COUNT", { count: items.length, mission_type: type });
  for (let guard = 0; guard < 50; guard++) {
    rig.run(0.05);
    const news = rig.sent.slice(start).map((s) => s.message);
    const ack = news.find((m) => m.name === "MISSION_ACK");
    if (ack) return Number(ack.fields["type"]);
    const ask = news.filter((m) => m.name === "MISSION_REQUEST_INT").at(-1);
    const seq = Number(ask?.fields["seq"] ?? -1);
    const wanted = items[seq];
    if (wanted) rig.receive("MISSION_ITEM_INT", fieldsOf(seq, wanted, type));
  }
  return -1;
}

function download(rig: FlightRig, type = 0): Message["fields"][] {
  rig.receive("MISSION_REQUEST_LIST", { mission_type: type });
  rig.run(0.05);
  const count = Number(rig.last("MISSION_COUNT")["count"]);
  const items: Message["fields"][] = [];
  for (let seq = 0; seq < count; seq++) {
    rig.receive("MISSION_REQUEST_INT", { seq, mission_type: type });
    rig.run(0.05);
    items.push(rig.last("MISSION_ITEM_INT"));
  }
  return items;
}

const square = [
  item(22, 0, 0, 1.2),
  item(16, 0.8, 0, 1.2, [0, 0, 0, 0]),
  item(16, 0.8, 0.8, 1.5, [0.5, 0, 0, 45]),
  item(178, 0, 0, 0, [1, 0.4]),
  item(16, 0, 0.8, 1.2),
  item(21, 0, 0.8, 0),
];

describe("mission protocol", () => {
  test("what is downloaded is what was uploaded, under the id that the acknowledgement carried", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    expect(upload(rig, square)).toBe(0);
    const got = download(rig);
    expect(got.map((f) => [f["command"], f["x"], f["y"], f["z"], f["param1"]])).toEqual(
      square.map((i) => [i.command, i.x, i.y, i.z, i.params[0]]),
    );
    expect(got[2]?.["param4"]).toBe(45);
    const id = Number(rig.last("MISSION_ACK")["opaque_id"]);
    expect(id).toBeGreaterThan(0);
    expect(rig.last("MISSION_COUNT")["opaque_id"]).toBe(id);
  });

  test("duplicate and late items neither shorten nor reorder a mission (mavlink/MAVSDK#1745)", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    const send = (seq: number): void => {
      const i = square[seq];
      if (i) rig.receive("MISSION_ITEM_INT", fieldsOf(seq, i, 0));
    };
    rig.receive("MISSION_COUNT", { count: square.length, mission_type: 0 });
    for (const seq of [0, 0, 2, 1, 1, 0, 2, 3, 2, 5, 4, 4]) send(seq);
    rig.receive("MISSION_COUNT", { count: square.length, mission_type: 0 });
    rig.run(0.05);
    expect(rig.of("MISSION_ACK")).toEqual([]);
    expect(rig.last("MISSION_REQUEST_INT")["seq"]).toBe(5);
    send(5);
    rig.run(0.05);
    expect(rig.last("MISSION_ACK")["type"]).toBe(0);
    send(5);
    rig.run(0.05);
    expect(rig.of("MISSION_ACK").length).toBe(2);
    expect(download(rig).length).toBe(square.length);
  });

  test("a lost request is repeated; an upload given up is cancelled and the old mission stays (mavlink/qgroundcontrol#6718)", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    upload(rig, square);
    rig.receive("MISSION_COUNT", { count: 2, mission_type: 0 });
    rig.run(1.1);
    expect(rig.of("MISSION_REQUEST_INT").filter((f) => f["seq"] === 0).length).toBeGreaterThan(3);
    rig.run(5);
    expect(rig.last("MISSION_ACK")["type"]).toBe(15);
    expect(download(rig).length).toBe(square.length);
  });

  test("unknown commands, frames and places are refused by their own codes and nothing is stored", () => {
    const rig = new FlightRig();
    rig.run(0.1);
    expect(upload(rig, [item(9999)])).toBe(3);
    expect(upload(rig, [{ ...item(16, 0, 0, 1), frame: 1 }])).toBe(2);
    expect(upload(rig, [{ ...item(16, 0, 0, 1), x: 999999999 }])).toBe(10);
    expect(upload(rig, [item(177, 0, 0, 0, [7, 1])])).toBe(6);
    expect(download(rig)).toEqual([]);
    rig.receive("MISSION_COUNT", { count: 9999, mission_type: 0 });
    rig.run(0.05);
    expect(rig.last("MISSION_ACK")["type"]).toBe(4);
  });
});

describe("flying a mission", { timeout: 60_000 }, () => {
  test("take-off, waypoints, speed, heading, landing; items are reported as reached", () => {
    const rig = new FlightRig();
    rig.run(3);
    upload(rig, square);
    expect(rig.command(176, [1, 4, 4])).toBe(0);
    rig.run(0.2);
    expect(rig.command(400, [1])).toBe(0);
    rig.run(40);
    expect(rig.of("MISSION_ITEM_REACHED").map((f) => f["seq"])).toEqual([0, 1, 2, 3, 4]);
    expect(rig.autopilot.armed).toBe(false);
    expect(Math.abs(rig.body.position_m[0] - 0.8)).toBeLessThan(0.1);
    expect(Math.abs(rig.body.position_m[1])).toBeLessThan(0.1);
    expect(Math.max(...rig.track.map((s) => s.position_enu_m[1]))).toBeGreaterThan(0.45);
    expect(rig.of("CURRENT_MODE").some((f) => f["standard_mode"] === 6)).toBe(true);
  });

  test("without a mission the mode is refused in flight; a finished one loiters", () => {
    const rig = new FlightRig();
    rig.takeOff();
    expect(rig.command(176, [1, 4, 4])).toBe(0);
    rig.run(1.2);
    expect(rig.mode()).toBe("4/3");
    upload(rig, [item(16, 0.5, 0, 1.5), item(177, 0, 0, 0, [0, 1])]);
    expect(rig.command(300, [0])).toBe(0);
    rig.run(12);
    expect(rig.mode()).toBe("4/3");
    expect(rig.texts()).toContain("Mission finished, loitering");
    expect(rig.of("MISSION_ITEM_REACHED").filter((f) => f["seq"] === 0).length).toBe(2);
  });
});

describe("fence", { timeout: 60_000 }, () => {
  const box = [
    item(5001, -1, -1, 0, [4]),
    item(5001, 1, -1, 0, [4]),
    item(5001, 1, 1, 0, [4]),
    item(5001, -1, 1, 0, [4]),
  ];
  const hole = item(5004, 0.5, 0.5, 0, [0.2]);

  test("inside every inclusion and outside every exclusion", () => {
    const fence = readFence([...box, hole], origin);
    expect(outsideFence(fence, [0, 0, -1])).toBe(false);
    expect(outsideFence(fence, [0.5, 0.5, -1])).toBe(true);
    expect(outsideFence(fence, [1.1, 0, -1])).toBe(true);
    expect(outsideFence(readFence([], origin), [99, 0, 0])).toBe(false);
  });

  test("an incomplete polygon and a circle without radius are refused", () => {
    expect(judgePlan(1, box)).toBe(0);
    expect(judgePlan(1, box.slice(0, 3))).toBe(6);
    expect(judgePlan(1, [item(5003, 0, 0, 0, [0])])).toBe(6);
    const rig = new FlightRig();
    rig.run(0.1);
    expect(upload(rig, box.slice(0, 3), 1)).toBe(6);
    expect(upload(rig, [...box, hole], 1)).toBe(0);
    expect(download(rig, 1).length).toBe(5);
    expect(upload(rig, [item(5100, 0.2, 0.2, 1)], 2)).toBe(0);
    rig.receive("MISSION_CLEAR_ALL", { mission_type: 255 });
    rig.run(0.1);
    expect([download(rig, 0).length, download(rig, 1).length, download(rig, 2).length]).toEqual([0, 0, 0]);
  });

  test("crossing it acts by GF_ACTION: hold by default, arming refused outside", () => {
    const rig = new FlightRig();
    rig.run(1);
    upload(rig, box, 1);
    rig.takeOff();
    rig.offboard(3, 0, 1.5, 0);
    rig.run(1);
    rig.command(176, [1, 6, 0]);
    rig.run(5);
    expect(rig.mode()).toBe("4/3");
    expect(rig.texts()).toContain("Failsafe activated: geofence violation");
    expect(rig.body.position_m[0]).toBeLessThan(1.6);
    const far = new FlightRig();
    far.run(3);
    upload(far, [item(5003, 5, 5, 0, [1])], 1);
    far.run(0.1);
    expect(far.command(400, [1])).toBe(1);
    far.run(0.1);
    expect(far.texts()).toContain("Preflight Fail: Geofence violation");
  });
});

test("a return ends at the nearer of home and the rally points", { timeout: 60_000 }, () => {
  const rig = new FlightRig();
  rig.run(1);
  upload(rig, [item(5100, 0, 2.2, 1)], 2);
  rig.takeOff();
  rig.offboard(1.8, 0, 1.5, 0);
  rig.run(1);
  rig.command(176, [1, 6, 0]);
  rig.run(6);
  expect(rig.command(20)).toBe(0);
  rig.run(14);
  expect(rig.autopilot.armed).toBe(false);
  expect(Math.abs(rig.body.position_m[0] - 2.2)).toBeLessThan(0.15);
});
