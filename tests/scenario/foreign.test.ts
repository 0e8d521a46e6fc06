import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { common, MavLinkProtocolV2, minimal } from "node-mavlink";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import type { Snapshot } from "#contract/ipc";
import { realClock } from "../../main/platform/clock";
import { openLogger } from "../../main/platform/logger";
import { appRoot, homePaths } from "../../main/platform/paths";
import { createStation, type Station } from "../../main/station";
import { freePort } from "../support/free-port";

/** A separately started vehicle, reached as any PX4 in software is: over UDP, in real time, with nothing but MAVLink between. */
let folder = "";
let sim: ChildProcess | null = null;
let station: Station | null = null;
let bind = 0;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kingfisher-foreign-"));
  const port = await freePort();
  station = await open(`udpin://127.0.0.1:${String(port)}`);
  sim = spawn(
    process.execPath,
    [join(appRoot(), "out", "main", "cli.cjs"), "sim", "--port", String(port), "--bind", "0", "--json"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const line = await new Promise<string>((resolve) => {
    if (sim?.stdout) createInterface({ input: sim.stdout }).once("line", resolve);
  });
  bind = z.looseObject({ bind: z.number() }).parse(JSON.parse(line)).bind;
});
afterEach(async () => {
  await station?.close();
  sim?.kill("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

function open(address: string): Promise<Station> {
  const home = homePaths({ KINGFISHER_HOME: folder });
  return createStation({
    clock: realClock(),
    home,
    logger: openLogger({ folder: home.logs, name: "foreign" }),
    address,
    simulated: true,
    approvals: "auto",
  });
}

function until(holds: (s: Snapshot) => boolean): Promise<Snapshot> {
  const s = station;
  if (s === null) throw new Error("Invariant: a station is open");
  return new Promise((resolve) => {
    const look = (): void => {
      const now = s.snapshot();
      if (!holds(now)) return;
      unlisten();
      resolve(now);
    };
    const unlisten = s.on(look);
    look();
  });
}
const ready = (s: Snapshot): boolean =>
  s.vehicle.connected &&
  s.vehicle.position_enu_m !== null &&
  s.vehicle.arming.every((i) => i.severity !== "blocks");

/** Another ground station says AUTO.LOITER, POSCTL...: what a pilot's switch does. */
async function pilotSwitches(mainMode: number, subMode: number): Promise<void> {
  const message = new common.CommandLong();
  message.targetSystem = 1;
  message.targetComponent = 1;
  message.command = common.MavCmd.DO_SET_MODE;
  message._param1 = minimal.MavModeFlag.CUSTOM_MODE_ENABLED;
  message._param2 = mainMode;
  message._param3 = subMode;
  const bytes = new MavLinkProtocolV2(254, 1).serialize(message, 0);
  const socket = createSocket("udp4");
  await new Promise((resolve) => socket.send(bytes, bind, "127.0.0.1", resolve));
  socket.close();
}

test("flies, lands and disarms; a declared simulator is not hardware, and says so", async () => {
  await until(ready);
  expect(station?.snapshot().station.vehicle_kind).toBe("foreign_simulator");
  expect((await station?.startMission("take off to 1 m, turn left 30 degrees and land"))?.ok).toBe(true);
  const end = await until((s) => s.mission.phase === "complete" || s.mission.phase === "held");
  expect(end.mission.why).toBe("");
  expect(end.mission.phase).toBe("complete");
  expect(end.vehicle.armed).toBe(false);
});

test("the pilot wins: a mode change from outside stops the skill, voids everything, and only a hand-back resumes", async () => {
  await until(ready);
  await station?.startMission("take off to 1 m, hold for 30 seconds and land");
  await until((s) => s.mission.execution?.call.skill === "hold");
  await pilotSwitches(3, 0);
  const taken = await until((s) => s.mission.phase === "pilot");
  expect(taken.mission.why).toContain("pilot");
  expect(taken.mission.steps.at(-1)?.status ?? "stopped").toBe("stopped");
  expect(taken.approval).toBeNull();
  await until((s) => s.vehicle.mode === "position");
  const back = await station?.handlers["mission.hand_back"]({});
  expect(back).toEqual({ ok: true });
  const again = await until((s) => s.mission.execution?.call.skill === "hold");
  expect(again.vehicle.armed).toBe(true);
});

test("the vehicle dies in flight: link lost is said with its age, and the station lives on", async () => {
  await until(ready);
  await station?.startMission("take off to 1 m and hold for 30 seconds");
  await until((s) => s.mission.execution?.call.skill === "hold");
  sim?.kill("SIGKILL");
  const lost = await until((s) => s.alerts.some((a) => a.id === "link_lost"));
  expect(lost.alerts.find((a) => a.id === "link_lost")?.text).toMatch(/silent for \d/);
  const held = await until((s) => s.mission.phase === "held");
  expect(held.vehicle.connected).toBe(false);
});
