import { type ChildProcess, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GraderMessage } from "#contract/grader-wire";
import type { Snapshot } from "#contract/ipc";
import { realClock } from "../../main/platform/clock";
import { openLogger } from "../../main/platform/logger";
import { appRoot, homePaths } from "../../main/platform/paths";
import { createStation, type Station } from "../../main/station";
import { freePort } from "../support/free-port";

/** Motion capture over real UDP: a tracker turned and moved against the site, the relay's process, and a vehicle that has no other position. */
const tracker = { yaw_rad: 0.7, offset_enu_m: [3, -1, 0.4] as const };
let folder = "";
let sim: ChildProcess | null = null;
let station: Station | null = null;
let socket: Socket | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kingfisher-relay-"));
});
afterEach(async () => {
  socket?.close();
  await station?.close();
  sim?.kill("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** What the tracker sees of a true pose: the site seen from its own frame. */
function seen(t_ms: number, position: readonly number[], q: readonly number[]): string {
  const [x = 0, y = 0, z = 0] = position.map((v, i) => v - (tracker.offset_enu_m[i] ?? 0));
  const [c, s] = [Math.cos(-tracker.yaw_rad), Math.sin(-tracker.yaw_rad)];
  const [cw, sz] = [Math.cos(-tracker.yaw_rad / 2), Math.sin(-tracker.yaw_rad / 2)];
  const [w = 1, a = 0, b = 0, d = 0] = q;
  return JSON.stringify({
    t: t_ms / 1000,
    p: [c * x - s * y, s * x + c * y, z],
    q: [cw * w - sz * d, cw * a - sz * b, cw * b + sz * a, cw * d + sz * w],
    quality: 95,
  });
}

test("a vehicle with no position but the relayed one takes off, turns, lands; the screens say rate, age, quality", async () => {
  const [port, poses] = [await freePort(), await freePort()];
  const home = homePaths({ KINGFISHER_HOME: folder });
  const clock = realClock();
  const opened = await createStation({
    clock,
    home,
    logger: openLogger({ folder: home.logs, name: "relay" }),
    address: `udpin://127.0.0.1:${String(port)}`,
    simulated: true,
    approvals: "auto",
  });
  station = opened;
  const until = (holds: (s: Snapshot) => boolean): Promise<Snapshot> =>
    new Promise((resolve) => {
      const look = (): void => {
        const now = opened.snapshot();
        if (!holds(now)) return;
        unlisten();
        resolve(now);
      };
      const unlisten = opened.on(look);
      look();
    });
  const truth = join(folder, "truth.sock");
  sim = spawn(
    process.execPath,
    [
      ...[join(appRoot(), "out", "main", "sim.cjs"), "--port", String(port), "--bind", "0"],
      ...["--position", "external", "--grader", truth],
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const out = sim.stdout;
  if (out === null) throw new Error("Invariant: the vehicle has an output");
  await new Promise((resolve) => createInterface({ input: out }).once("line", resolve));

  await until(
    (s) =>
      s.vehicle.parameters.count !== null && s.vehicle.parameters.received === s.vehicle.parameters.count,
  );
  expect((await opened.handlers["parameters.write"]({ name: "EKF2_EV_CTRL", value: 11 })).ok).toBe(true);
  expect(
    (await opened.handlers["relay.set"]({ source: "http://x", ...tracker, offset_enu_m: [0, 0, 0] })).ok,
  ).toBe(false);
  expect(
    await opened.handlers["relay.set"]({ source: `udp://127.0.0.1:${String(poses)}`, ...tracker }),
  ).toEqual({ ok: true });
  const sender = createSocket("udp4");
  socket = sender;
  const lines = createInterface({ input: connect(truth) });
  lines.on("line", (line) => {
    const message = GraderMessage.parse(JSON.parse(line));
    if (message.kind !== "truth") return;
    const { position_enu_m, quat_flu_enu } = message.vehicle;
    sender.send(seen(message.t_ms, position_enu_m, quat_flu_enu), poses, "127.0.0.1");
  });

  const ready = await until(
    (s) =>
      s.vehicle.estimate.health === "good" &&
      s.vehicle.position_enu_m !== null &&
      s.vehicle.arming.every((issue) => issue.severity !== "blocks"),
  );
  expect(
    Math.hypot(ready.vehicle.position_enu_m?.[0] ?? 9, ready.vehicle.position_enu_m?.[1] ?? 9),
  ).toBeLessThan(0.1);
  const { external } = await opened.handlers["link.detail"]({});
  expect(external.relay).toMatchObject({ state: "relaying", quality: 95, refused: 0 });
  expect(external.relay.rate_hz).toBeGreaterThan(0);
  expect(external.fused).toBe(true);

  expect((await opened.startMission("take off to 1 m, turn left 30 degrees and land")).ok).toBe(true);
  const end = await until((s) => s.mission.phase === "complete" || s.mission.phase === "held");
  expect([end.mission.phase, end.mission.why]).toEqual(["complete", ""]);

  // The tracker goes silent: it is said, and the vehicle's estimate is not called good for long.
  lines.close();
  lines.removeAllListeners("line");
  await until(() => true);
  const quiet = await new Promise<string>((resolve) => {
    const unlisten = opened.on((name) => {
      if (name !== "link") return;
      void opened.handlers["link.detail"]({}).then((d) => {
        if (d.external.relay.state !== "waiting") return;
        unlisten();
        resolve(d.external.relay.detail);
      });
    });
  });
  expect(quiet).toBe("the tracker has fallen silent");
  expect(await opened.handlers["relay.set"]({ source: null, ...tracker })).toEqual({ ok: true });
});
