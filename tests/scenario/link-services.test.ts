import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { startHeartbeat } from "../../main/link/heartbeat";
import { createLinkHub } from "../../main/link/hub";
import type { LinkHub } from "../../main/link/port";
import type { MissionItem } from "../../main/link/protocols/mission-item";
import { openServices, type VehicleServices } from "../../main/link/services";
import { realClock } from "../../main/platform/clock";
import { appRoot } from "../../main/platform/paths";
import { noArmingReport, stepArmingReport } from "../../main/vehicle";
import type { ArmingReport } from "../../main/vehicle/arming-events";
import { freePort } from "../support/free-port";

/** Our end of every protocol against the embedded vehicle's, which was written apart from it, over a good and a bad link. */
let sim: ChildProcess | null = null;
let hub: LinkHub | null = null;
let stop: (() => void)[] = [];
afterEach(async () => {
  for (const one of stop) one();
  stop = [];
  await hub?.close();
  sim?.kill("SIGTERM");
});

async function connect(
  faults: readonly string[],
): Promise<{ services: VehicleServices; report: () => ArmingReport }> {
  const clock = realClock();
  const port = await freePort();
  const opened = createLinkHub({ clock });
  hub = opened;
  expect(await opened.open(`udpin://127.0.0.1:${port}`)).toEqual({ ok: true, value: undefined });
  const heard = new Promise<void>((done) => {
    opened.onMessage((m) => {
      if (m.name === "HEARTBEAT") done();
    });
  });
  const cli = join(appRoot(), "out", "main", "cli.cjs");
  sim = spawn(process.execPath, [cli, "sim", "--port", String(port), "--bind", "0", "--json", ...faults], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { stdout } = sim;
  await new Promise<void>((done) => {
    if (stdout) createInterface({ input: stdout }).once("line", () => done());
  });
  const beat = startHeartbeat(opened, clock);
  stop.push(
    beat.stop,
    clock.every(200, () => beat.alive(true)),
  );
  await heard;
  let report = noArmingReport;
  const services = openServices({
    wire: opened,
    clock,
    target: { system_id: 1, component_id: 1 },
    autopilot: "px4",
    onEvent: (news) => {
      report = stepArmingReport(report, news);
    },
  });
  stop.push(() => services.close());
  return { services, report: () => report };
}

const waypoint = (i: number): MissionItem => ({
  command: 16,
  frame: 6,
  params: [0, 0.5, 0, Number.NaN],
  x: 473_977_418 + i * 10,
  y: 85_455_939,
  z: 2,
  autocontinue: true,
});
const corners: readonly (readonly [number, number])[] = [
  [473_970_000, 85_440_000],
  [473_970_000, 85_460_000],
  [473_990_000, 85_460_000],
];
const fence = corners.map(
  ([x, y]): MissionItem => ({
    command: 5001,
    frame: 0,
    params: [3, 0, 0, 0],
    x,
    y,
    z: 0,
    autocontinue: true,
  }),
);

describe.each([
  ["a good link", []],
  [
    "20 % loss, repeats, reordering and 300 ms of delay both ways",
    ["--faults", "loss=0.2,delay_ms=300,dup=0.1,reorder=0.1"],
  ],
])("over %s", (_, faults) => {
  it("parameters, plans and files equal what the vehicle has", async () => {
    const { services, report } = await connect(faults);
    const { parameters, missions, files } = services;
    const list = await parameters.list();
    expect(list.ok && [list.value.missing, list.value.parameters.size > 800]).toEqual([[], true]);
    expect(await parameters.write("RTL_RETURN_ALT", 2)).toMatchObject({ ok: true, value: { value: 2 } });
    expect(await missions.upload("mission", [0, 1, 2].map(waypoint))).toEqual({ ok: true, value: undefined });
    expect(await missions.upload("fence", fence)).toEqual({ ok: true, value: undefined });
    const extras = await files.list("/etc/extras");
    expect(extras.ok && extras.value.map((entry) => entry.name)).toContain("component_general.json");
    const file = await files.download("/etc/extras/component_general.json");
    expect(file).toMatchObject({ ok: true, value: { verified: true } });
    expect(report().can_arm_modes).not.toBe(0);
  });
});
