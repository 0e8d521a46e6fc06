import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Snapshot } from "#contract/ipc";
import { realClock } from "../../main/platform/clock";
import { openLogger } from "../../main/platform/logger";
import { homePaths } from "../../main/platform/paths";
import { createStation, type Station } from "../../main/station";
import { ArduPilot, type ArduPilotOptions } from "../support/ardupilot";
import { indoorParameters } from "../support/ardupilot-copter";
import { freePort } from "../support/free-port";

let folder = "";
let station: Station | null = null;
let vehicle: ArduPilot | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kingfisher-ardupilot-"));
});
afterEach(async () => {
  await station?.close();
  await vehicle?.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(options: Partial<ArduPilotOptions> = {}): Promise<{
  station: Station;
  vehicle: ArduPilot;
  until: (holds: (s: Snapshot) => boolean) => Promise<Snapshot>;
}> {
  const clock = realClock();
  const port = await freePort();
  const home = homePaths({ KINGFISHER_HOME: folder });
  const opened = await createStation({
    clock,
    home,
    logger: openLogger({ folder: home.logs, name: "ardupilot" }),
    address: `udpin://127.0.0.1:${String(port)}`,
    simulated: true,
    approvals: "auto",
  });
  station = opened;
  const copter = new ArduPilot({ clock, port, ...options });
  vehicle = copter;
  await copter.open();
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
  return { station: opened, vehicle: copter, until };
}

test("refused while there is no position estimate, then guided: arm, own take-off, setpoints at 10 Hz or more, land", async () => {
  const { station: s, vehicle: copter, until } = await connect({ ready_after_ms: 6000 });
  const early = await until(
    (now) => now.vehicle.parameters.count === indoorParameters.length && now.vehicle.firmware !== null,
  );
  expect(early.vehicle).toMatchObject({ autopilot: "ardupilot", type: "hexarotor", mode_label: "Stabilize" });
  expect(early.vehicle.arming.some((issue) => issue.severity === "blocks")).toBe(true);
  const ready = await until(
    (now) =>
      now.vehicle.estimate.health === "good" &&
      now.vehicle.position_enu_m !== null &&
      now.vehicle.arming.every((issue) => issue.severity !== "blocks"),
  );
  expect(ready.vehicle.armed).toBe(false);
  expect((await s.startMission("take off to 1 m, turn left 30 degrees and land")).ok).toBe(true);
  const end = await until((now) => now.mission.phase === "complete" || now.mission.phase === "held");
  expect(end.mission.steps.map((step) => [step.proposal.call.skill, step.status])).toEqual([
    ["take_off", "success"],
    ["yaw_left", "success"],
    ["land", "success"],
    ["task_complete", "success"],
  ]);
  expect(end.mission.phase).toBe("complete");
  expect(copter.armed).toBe(false);
  const commands = copter.heard.filter((one) => !/^51[12]:/.test(one)).map((one) => one.replace(/-/g, "0"));
  expect(commands).toContain("176:1,4,0,0,0,0,0");
  expect(commands.find((one) => one.startsWith("22:"))).toMatch(/^22:0,0,0,0,0,0,(1|0\.99|1\.0)/);
  expect(commands.at(-1)).toBe("176:1,9,0,0,0,0,0");
  const gaps_ms = copter.setpoint_times_ms.slice(1).map((t, i) => t - (copter.setpoint_times_ms[i] ?? t));
  expect(gaps_ms.sort((a, b) => a - b)[Math.floor(gaps_ms.length / 2)]).toBeLessThan(100);
});

test("hold is BRAKE, believed when the heartbeat shows it", async () => {
  const { station: s, vehicle: copter, until } = await connect();
  await until(
    (now) => now.vehicle.position_enu_m !== null && now.vehicle.arming.every((i) => i.severity !== "blocks"),
  );
  await s.startMission("take off to 1 m and hold for 60 seconds");
  await until((now) => now.mission.execution?.call.skill === "hold");
  s.emergency("hold", "test");
  const held = await until((now) => now.vehicle.mode === "hold");
  expect([copter.mode, held.vehicle.mode_label]).toEqual([17, "Brake"]);
  await until((now) => now.station.emergency.some((e) => e.action === "hold" && e.state === "confirmed"));
});

test("a return higher than the ceiling blocks arming; the converted integer is read, written and read back", async () => {
  const high = indoorParameters.map(([name, value, type]) =>
    name === "RTL_ALT"
      ? ([name, 1500, type] as const)
      : name === "FS_THR_ENABLE"
        ? ([name, 1, type] as const)
        : ([name, value, type] as const),
  );
  const { station: s, vehicle: copter, until } = await connect({ parameters: high });
  const blocked = await until((now) => now.vehicle.failsafes.some((f) => f.blocks));
  expect(blocked.vehicle.failsafes.find((f) => f.parameter === "FS_THR_ENABLE")?.sentence).toBe(
    "If the remote control is lost, the vehicle will climb to 15 m above home and return home.",
  );
  expect(
    blocked.vehicle.arming.some((i) => i.id === "failsafe:FS_THR_ENABLE" && i.severity === "blocks"),
  ).toBe(true);
  expect(await s.handlers["parameters.write"]({ name: "RTL_ALT", value: 200 })).toEqual({
    ok: true,
    value: { value: 200 },
  });
  expect(copter.parameters.get("RTL_ALT")?.value).toBe(200);
  await until((now) => now.vehicle.failsafes.length > 0 && now.vehicle.failsafes.every((f) => !f.blocks));
});

test("logs: listed, fetched into a folder as .bin, byte for byte", async () => {
  const log = Uint8Array.from({ length: 50_001 }, (_, i) => (i * 31 + (i >> 8)) & 255);
  const { station: s, until } = await connect({ log });
  await until((now) => now.vehicle.parameters.count !== null);
  expect(await s.handlers["logs.list"]({})).toEqual({
    ok: true,
    value: [{ id: 1, size: 50_001, utc_s: 1_700_000_000 }],
  });
  const started = await s.handlers["logs.download"]({ id: 1, folder });
  expect(started.ok).toBe(true);
  const done = await new Promise<string | null>((resolve) => {
    const unlisten = s.on((name) => {
      if (name !== "link") return;
      void s.handlers["link.detail"]({}).then(({ transfers }) => {
        const mine = transfers.find((t) => t.kind === "log" && t.state !== "running");
        if (mine === undefined) return;
        unlisten();
        resolve(mine.path);
      });
    });
  });
  expect(done).toBe(join(folder, "log_1_20231114_221320.bin"));
  expect(new Uint8Array(await readFile(done ?? ""))).toEqual(log);
});
