import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import type { ReviewSummary } from "#contract/review";
import { reviewDeps } from "./deps";
import { ReviewService } from "./service";
import type { Session } from "./session";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function session(name: string): Promise<Session> {
  const service = new ReviewService(reviewDeps);
  const opened = await service.open(fileURLToPath(new URL(`../../tests/golden/${name}`, import.meta.url)));
  if (typeof opened === "string") throw new Error(opened);
  open.push(() => {
    service.close(opened.id);
  });
  return opened.view;
}

const laneOf = (summary: ReviewSummary, id: string): (string | number)[][] =>
  (summary.lanes.find((lane) => lane.id === id)?.spans ?? []).map((s) => [
    s.label,
    Number(s.from_s.toFixed(1)),
    Number(s.to_s.toFixed(1)),
  ]);
const countOf = (summary: ReviewSummary, topic: string): number =>
  summary.topics.find(({ name }) => name === topic)?.count ?? 0;

test("a real PX4's telemetry log: figures, modes, texts, parameters and path", async () => {
  const s = await session("px4-1.17-hexa.tlog");
  const summary = s.summary();
  expect(summary).toMatchObject({
    format: "MAVLink telemetry log",
    completeness: { state: "complete", notes: [] },
    message_count: 2520,
    title: "PX4 hexarotor · px4-1.17-hexa.tlog",
    has_track: true,
    audit: { state: "absent" },
  });
  expect(summary.duration_s).toBeCloseTo(58.802, 3);
  expect(new Date(summary.start_utc_ms ?? 0).toISOString()).toBe("2026-11-30T22:17:21.217Z");
  expect(summary.start_boot_ms).toBeCloseTo(8090.66, 1);
  expect([countOf(summary, "HEARTBEAT"), countOf(summary, "HEARTBEAT@255/190")]).toEqual([59, 59]);
  expect(laneOf(summary, "mode").slice(0, 4)).toEqual([
    ["Hold", 0, 17.3],
    ["Takeoff", 17.3, 27.4],
    ["Offboard", 27.4, 44.6],
    ["Land", 44.6, 58.8],
  ]);
  expect(laneOf(summary, "armed")).toContainEqual(["Armed", 17.3, 58.8]);
  expect(summary.messages.map(({ text }) => text.trim())).toEqual([
    "Armed by external command",
    "Takeoff detected",
    "Landing at current position",
    "Landing detected",
    "Disarmed by landing",
  ]);
  expect(summary.parameters).toHaveLength(885);
  // An integer parameter: PX4 carries its bits inside the float.
  expect(summary.parameters.find(({ name }) => name === "MAV_TYPE")?.value).toBe(13);
  const track = s.track();
  expect(Math.max(...(track?.position_enu_m ?? []).map(([, , z]) => z))).toBeGreaterThan(1.5);
  expect(s.series("ATTITUDE", "roll", null, null, 100)?.t_s).toHaveLength(100);
  expect(s.series("ATTITUDE", "nothing", null, null, 100)).toBeNull();
});

test("a real PX4's onboard log: figures, lanes, texts, parameters and path", async () => {
  const s = await session("px4-1.18-hexa.ulg");
  const summary = s.summary();
  expect(summary).toMatchObject({
    format: "PX4 ULog",
    completeness: { state: "complete", notes: [] },
    title: "PX4 hexarotor · px4-1.18-hexa.ulg",
    meta: { version: "1.8.0 beta", ver_hw: "PX4_SITL", sys_name: "PX4" },
  });
  expect(summary.duration_s).toBeCloseTo(58.944, 3);
  expect(new Date(summary.start_utc_ms ?? 0).toISOString()).toBe("2026-11-30T22:42:35.008Z");
  expect(laneOf(summary, "mode").map(([label]) => label)).toEqual([
    "Hold",
    "Takeoff",
    "Hold",
    "Offboard",
    "Land",
    "Offboard",
  ]);
  expect(laneOf(summary, "air")).toContainEqual(["In flight", 19.8, 56.7]);
  expect(summary.parameters).toHaveLength(947);
  expect(s.track()?.t_s.length).toBeGreaterThan(300);
  const q = s.series("vehicle_attitude", "q.0", null, null, 5000);
  expect(q?.raw_count).toBe(countOf(summary, "vehicle_attitude"));
});

test("a real ArduPilot's onboard log: figures, modes, texts, units and path", async () => {
  const s = await session("ardupilot-4.7-hexa.bin");
  const summary = s.summary();
  expect(summary).toMatchObject({
    format: "ArduPilot DataFlash log",
    completeness: { state: "complete", notes: [] },
    title: "ArduCopter hexa/plus · ardupilot-4.7-hexa.bin",
  });
  expect(summary.duration_s).toBeCloseTo(68.418, 3);
  expect(laneOf(summary, "mode")).toEqual([
    ["Guided", 0, 31],
    ["Land", 31, 68.4],
  ]);
  expect(laneOf(summary, "armed")).toContainEqual(["Armed", 8, 53.5]);
  expect(summary.messages.map(({ text }) => text)).toContain("Arm: Need Position Estimate");
  expect(summary.parameters).toHaveLength(1363);
  const attitude = summary.topics.find(({ name }) => name === "ATT");
  expect(attitude?.fields.find(({ path }) => path === "Roll")?.unit).toBe("deg");
  expect(attitude?.fields.find(({ path }) => path === "TimeUS")?.unit).toBe("µs");
  expect(Math.max(...(s.track()?.position_enu_m ?? []).map(([, , z]) => z))).toBeGreaterThan(2);
});

test("the beginning of a RealSense recording, as a recorder that died leaves it: index rebuilt, pictures shown", async () => {
  const s = await session("realsense-cut.bag");
  const summary = s.summary();
  expect(summary.format).toBe("RealSense recording (ROS 1 bag)");
  expect(summary.completeness.state).toBe("truncated");
  expect(summary.image_topics).toEqual([
    { topic: "/device_0/sensor_0/Depth_0/image/data", count: 1 },
    { topic: "/device_0/sensor_1/Color_0/image/data", count: 1 },
  ]);
  expect(summary.completeness.notes).toContain(
    "depth of /device_0 cannot be aligned with colour: its extrinsics are not recorded",
  );
  for (const { topic } of summary.image_topics) {
    const image = s.image(topic, 0);
    expect(image?.media_type).toBe("image/png");
    // Width and height of the PNG header.
    const png = Buffer.from(image?.bytes ?? []);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([640, 480]);
  }
});
