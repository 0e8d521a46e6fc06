import { afterEach, describe, expect, it } from "vitest";
import type { MissionItem } from "../../main/link/protocols/mission-item";
import { noArmingReport, stepArmingReport } from "../../main/vehicle";
import { type SimLink, simLink } from "../support/sim-link";

/** Our end of every protocol against the embedded vehicle's, which was written apart from it, over a good and a bad link. */
let link: SimLink | null = null;
afterEach(async () => {
  await link?.close();
  link = null;
});

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
    link = await simLink(faults);
    const { parameters, missions, files } = link.services;
    const list = await parameters.list();
    expect(list.ok && [list.value.missing, list.value.parameters.size > 800]).toEqual([[], true]);
    expect(await parameters.write("RTL_RETURN_ALT", 2)).toMatchObject({ ok: true, value: { value: 2 } });
    expect(await missions.upload("mission", [0, 1, 2].map(waypoint))).toEqual({ ok: true, value: undefined });
    expect(await missions.upload("fence", fence)).toEqual({ ok: true, value: undefined });
    const extras = await files.list("/etc/extras");
    expect(extras.ok && extras.value.map((entry) => entry.name)).toContain("component_general.json");
    const file = await files.download("/etc/extras/component_general.json");
    expect(file).toMatchObject({ ok: true, value: { verified: true } });
    const report = link.news.reduce((before, news) => stepArmingReport(before, news), noArmingReport);
    expect(report.can_arm_modes).not.toBe(0);
  });
});
