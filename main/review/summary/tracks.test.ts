import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { f32, u64, ulog } from "../../../tests/support/log-builders";
import { reviewDeps } from "../deps";
import { ReviewService } from "../service";
import { memorySource } from "../source";
import { Ulog } from "../ulog/open";
import { tracksOf } from "./tracks";

const golden = (name: string): string =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));

const tracks = async (name: string) => {
  const service = new ReviewService({ ...reviewDeps, home: null });
  const review = await service.open(golden(name));
  if (typeof review === "string") throw new Error(review);
  const answer = await service.answer("review.tracks", { id: review.id });
  service.close(review.id);
  if (!answer.ok) throw new Error(answer.reason);
  return answer.value;
};
const rolesOf = (list: Awaited<ReturnType<typeof tracks>>) =>
  Object.fromEntries(list.map(({ id, role, topic }) => [id, [role, topic]]));

test("an ULog flies its estimate, its setpoint, what vision said and the simulator's truth", () => {
  const xyz = (name: string): Buffer => ulog.format(`${name}:uint64_t timestamp;float x;float y;float z;`);
  const names = [
    "vehicle_local_position",
    "vehicle_local_position_setpoint",
    "vehicle_local_position_groundtruth",
  ];
  const bytes = Buffer.concat([
    ulog.header(1e6),
    ulog.flags(),
    ...names.map(xyz),
    ulog.format("vehicle_visual_odometry:uint64_t timestamp;float[3] position;float[4] q;"),
    ...names.map((name, id) => ulog.subscribe(id, name)),
    ulog.subscribe(3, "vehicle_visual_odometry"),
    ...Array.from({ length: 20 }, (_, n) => {
      const t = u64(1e6 + n * 1e5);
      const at = (x: number): Buffer[] => [f32(x), f32(2 * n), f32(-1)];
      return [
        ulog.data(0, t, ...at(n)),
        ulog.data(1, t, ...at(n + 0.5)),
        ulog.data(2, t, ...at(n + 0.1)),
        ulog.data(3, t, ...at(n + 0.2), f32(1), f32(0), f32(0), f32(0)),
      ];
    }).flat(),
  ]);
  const list = tracksOf(new Ulog(memorySource(bytes)));
  expect(rolesOf(list)).toEqual({
    estimate: ["estimate", "vehicle_local_position"],
    setpoint: ["setpoint", "vehicle_local_position_setpoint"],
    truth: ["ground_truth", "vehicle_local_position_groundtruth"],
    vision: ["sensor", "vehicle_visual_odometry"],
  });
  // North 10, east 20, one metre up.
  expect(list.map(({ track }) => track.position_enu_m[10]?.map((v) => Number(v.toFixed(3))))).toEqual([
    [20, 10, 1],
    [20, 10.5, 1],
    [20, 10.1, 1],
    [20, 10.2, 1],
  ]);
});

test("telemetry flies estimate, target and what the station commanded", async () => {
  expect(rolesOf(await tracks("px4-1.17-hexa.tlog"))).toMatchObject({
    estimate: ["estimate", "LOCAL_POSITION_NED"],
    setpoint: ["setpoint", "POSITION_TARGET_LOCAL_NED"],
    gps: ["sensor", "GPS_RAW_INT"],
  });
});

test("a DataFlash log flies both estimator cores, the target and the simulator's truth", async () => {
  const list = await tracks("ardupilot-4.7-hexa.bin");
  expect(rolesOf(list)).toMatchObject({
    estimate: ["estimate", "XKF1"],
    setpoint: ["setpoint", "PSCN"],
    truth: ["ground_truth", "SIM2"],
  });
});
