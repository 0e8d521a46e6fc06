import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../tests/support/fake-clock";
import { FakeMission } from "../../../tests/support/fake-mission";
import { lossyLink } from "../../../tests/support/lossy-link";
import { settleWithin } from "../../../tests/support/settle";
import type { Faults } from "../faulty";
import { MissionService } from "./mission";
import type { MissionItem } from "./mission-item";
import { formatPlanFile, parsePlanFile } from "./plan-file";

const item = (i: number): MissionItem => ({
  command: 16,
  frame: 6,
  params: [0, 0.5, 0, i % 2 === 0 ? Number.NaN : i],
  x: 473_977_418 + i,
  y: 85_455_939 - i,
  z: 10 + i / 3,
  autocontinue: true,
});
const items = (count: number) => Array.from({ length: count }, (_, i) => item(i));

async function setup(faults: Faults = {}) {
  const clock = new FakeClock(1000);
  const link = await lossyLink(clock, faults);
  const fake = new FakeMission(link.vehicle, clock);
  const service = new MissionService(link.station, clock, { system_id: 1, component_id: 1 });
  return { ...link, clock, fake, service, wait: <T>(promise: Promise<T>) => settleWithin(clock, promise) };
}

describe("plans over a link", () => {
  it.each(["mission", "fence", "rally"] as const)(
    "a %s with 20 %% loss and 300 ms of delay both ways, repeats and reordering arrives as it was sent",
    async (kind) => {
      const bad = { loss: 0.2, delay_ms: 300, duplicate: 0.1, reorder: 0.1, seed: 21 };
      const { service, fake, wait } = await setup(bad);
      expect(await wait(service.upload(kind, items(25)))).toEqual({ ok: true, value: undefined });
      expect(fake.stored[kind].length).toBe(25);
      expect(fake.uploads).toBe(1);
      const back = await wait(service.download(kind));
      expect(back.ok && back.value.map((i) => [i.x, i.y, i.command])).toEqual(
        items(25).map((i) => [i.x, i.y, i.command]),
      );
    },
  );

  it("mavlink/MAVSDK#1745: a mission that the vehicle keeps shorter than it was sent is not reported as uploaded", async () => {
    const { service, fake, wait } = await setup({ duplicate: 0.3, reorder: 0.3, seed: 4 });
    fake.truncate = 7;
    expect(await wait(service.upload("mission", items(9)))).toEqual({
      ok: false,
      error: {
        kind: "different",
        text: "the vehicle kept something else: 9 items were sent, the vehicle has 7",
      },
    });
  });

  it("mavlink/qgroundcontrol#6718: an error about the sequence in mid-transfer is not final", async () => {
    const { service, fake, wait } = await setup();
    fake.complainAt = 3;
    expect((await wait(service.upload("mission", items(6)))).ok).toBe(true);
  });

  it("a refusal is final and says why; a silent vehicle is unanswered; one transfer at a time", async () => {
    const { service, fake, faulty, wait } = await setup();
    fake.refuse = 4;
    expect(await wait(service.upload("mission", items(3)))).toMatchObject({
      error: { kind: "refused", text: "the vehicle refused the mission: there is no room for so many items" },
    });
    faulty.cut = true;
    const silent = service.download("fence");
    expect(await service.download("fence")).toMatchObject({ error: { kind: "busy" } });
    expect(await wait(silent)).toMatchObject({ error: { kind: "unanswered" } });
  });

  it("an empty list clears, and that is read back as well", async () => {
    const { service, fake, wait } = await setup({ loss: 0.2, seed: 8 });
    fake.stored.fence = items(3);
    expect((await wait(service.upload("fence", []))).ok).toBe(true);
    expect(fake.stored.fence).toEqual([]);
  });

  it("a link cut in the middle of an upload is not reported as done", async () => {
    const { service, faulty, clock, wait } = await setup();
    const upload = service.upload("mission", items(200), (share) => {
      if (share > 0.2) faulty.cut = true;
    });
    await clock.advanceAsync(100, 10);
    expect(await wait(upload)).toMatchObject({ ok: false, error: { kind: "unanswered" } });
  });
});

describe("a .plan file", () => {
  it("is read back as it was written, polygons, circles and unused parameters included", () => {
    const corner = (i: number): MissionItem => ({
      ...item(i),
      command: 5001,
      frame: 0,
      params: [3, 0, 0, 0],
      z: 0,
    });
    const circle: MissionItem = { ...item(9), command: 5004, frame: 0, params: [12.5, 0, 0, 0], z: 0 };
    const rally: MissionItem = { ...item(1), command: 5100, frame: 3, params: [0, 0, 0, 0], z: 20 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), (count) => {
        const plan = {
          mission: items(count),
          fence: [corner(0), corner(1), corner(2), circle],
          rally: [rally],
          planned_home: [47.39, 8.54, 488] as const,
        };
        expect(parsePlanFile(formatPlanFile(plan))).toEqual({ ok: true, value: plan });
      }),
    );
  });

  it.each([
    ["{", "not JSON"],
    ["{}", "fileType"],
    [
      '{"fileType":"Plan","mission":{"plannedHomePosition":[1,2,3],"items":[{"type":"ComplexItem"}]}}',
      "ComplexItem",
    ],
    [
      '{"fileType":"Plan","mission":{"plannedHomePosition":[1,2,3],"items":[{"type":"SimpleItem"}]}}',
      "item 1 has no command",
    ],
  ])("%s is one clear line", (text, line) => {
    const result = parsePlanFile(text);
    expect(result.ok ? "" : result.error).toContain(line);
  });
});
