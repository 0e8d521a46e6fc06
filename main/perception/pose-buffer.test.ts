import { expect, test } from "vitest";
import { enu, eulerFluEnu, quatFromYaw } from "#contract/frames";
import { PoseBuffer } from "./pose-buffer";

function filled(): PoseBuffer {
  const poses = new PoseBuffer();
  for (let t = 0; t <= 200; t += 20) {
    poses.addPosition(t, enu(t / 100, 0, 1));
    poses.addAttitude(t + 7, quatFromYaw(t / 1000));
  }
  return poses;
}

test("interpolates position and attitude at the exposure, each on its own times", () => {
  const pose = filled().at(110);
  expect(pose?.position_enu_m[0]).toBeCloseTo(1.1, 6);
  expect(eulerFluEnu(pose?.quat_flu_enu ?? [1, 0, 0, 0]).yaw_rad).toBeCloseTo(0.103, 4);
});

test("knows when waiting longer would not help", () => {
  const poses = filled();
  expect(poses.covers(200)).toBe(true);
  expect(poses.covers(201)).toBe(false);
});

test("gives no pose when the nearest sample is too far: frozen telemetry is not extrapolated", () => {
  const poses = filled();
  expect(poses.at(260)?.position_enu_m[0]).toBeCloseTo(2, 6);
  expect(poses.at(400)).toBeNull();
  expect(new PoseBuffer().at(0)).toBeNull();
});

test("says how far a pose lags behind the exposure, of what was known then", () => {
  const poses = filled();
  expect(poses.gap_ms(200)).toBe(0);
  expect(poses.gap_ms(230)).toBe(30);
  expect(new PoseBuffer().gap_ms(0)).toBe(Infinity);
  poses.mark(300);
  poses.addPosition(240, enu(2.4, 0, 1));
  poses.addAttitude(247, quatFromYaw(0.24));
  expect([poses.covers(230, 300), poses.gap_ms(230, 300)]).toEqual([false, 30]);
  expect([poses.covers(230), poses.gap_ms(230)]).toEqual([true, 0]);
});

test("forgets everything when the vehicle's boot time goes back", () => {
  const poses = new PoseBuffer();
  poses.addPosition(60_000, enu(5, 5, 5));
  poses.addAttitude(60_000, quatFromYaw(1));
  poses.addPosition(10, enu(0, 0, 0));
  poses.addAttitude(10, quatFromYaw(0));
  expect(poses.at(60_000)).toBeNull();
  expect(poses.at(10)?.position_enu_m).toEqual([0, 0, 0]);
});

test("on simulated time a picture's pose is of what was known in its step, whether it comes then or long after", () => {
  const poses = new PoseBuffer();
  const poseOf = (): readonly [number | undefined, number] => {
    const known_ms = poses.markFrom(140) ?? Number.NaN;
    return [poses.at(100, known_ms)?.position_enu_m[0], poses.offsetAt(100, known_ms)];
  };
  poses.addPosition(90, enu(1, 0, 0), 3);
  poses.addAttitude(90, quatFromYaw(0));
  poses.mark(100);
  expect(poses.markFrom(140)).toBeNull();
  poses.addAttitude(120, quatFromYaw(0));
  poses.mark(145);
  const inTime = poseOf();
  expect(inTime).toEqual([1, 3]);
  // Delayed on the link: of that time, but not known then.
  poses.addPosition(110, enu(9, 0, 0), 5);
  poses.addPosition(150, enu(9, 0, 0), 5);
  poses.mark(155);
  expect(poseOf()).toEqual(inTime);
  expect(poses.at(100)?.position_enu_m[0]).toBeCloseTo(5, 6);
});
