import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../tests/support/fake-clock";
import { lossyLink } from "../../../tests/support/lossy-link";
import { type EventNews, noArmingReport, px4EventId, stepArmingReport } from "../../vehicle/arming-events";
import { decode } from "../codec";
import { readTlog } from "../tlog";
import { startEvents } from "./events";

const target = { system_id: 1, component_id: 1 };
const u32 = (value: number) => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24];
const pad = (bytes: number[]) => [...bytes, ...new Array<number>(40 - bytes.length).fill(0)];

async function setup() {
  const clock = new FakeClock();
  const { station, vehicle } = await lossyLink(clock);
  const sent = new Map<number, Record<string, unknown>>();
  const lost = new Set<number>();
  let oldest = 0;
  vehicle.onMessage(({ name, fields }) => {
    if (name !== "REQUEST_EVENT") return;
    for (let s = fields["first_sequence"] as number; s <= (fields["last_sequence"] as number); s++) {
      if (s < oldest) {
        vehicle.send("RESPONSE_EVENT_ERROR", {
          target_system: 255,
          target_component: 190,
          sequence: s,
          sequence_oldest_available: oldest,
          reason: 0,
        });
        return;
      }
      const again = sent.get(s);
      if (again) vehicle.send("EVENT", again);
    }
  });
  const news: EventNews[] = [];
  startEvents(station, clock, target, (n) => news.push(n));
  return {
    clock,
    news,
    lost,
    forget: (before: number) => {
      oldest = before;
    },
    event: (sequence: number, name: string, args: number[], level = 3) => {
      const fields = {
        destination_component: 0,
        destination_system: 0,
        id: px4EventId(name),
        event_time_boot_ms: 0,
        sequence,
        log_levels: level * 17,
        arguments: pad(args),
      };
      sent.set(sequence, fields);
      if (!lost.has(sequence)) vehicle.send("EVENT", fields);
    },
    current: (sequence: number) => vehicle.send("CURRENT_EVENT_SEQUENCE", { sequence, flags: 0 }),
  };
}
type Setup = Awaited<ReturnType<typeof setup>>;

/** Three failed checks between the two summaries. */
function report({ event }: Setup): void {
  event(5, "commander_arming_check_summary", [0, ...u32(0), ...u32(0), ...u32(0)], 8);
  event(6, "check_modes_local_pos", [...u32(0xffffffff), 17]);
  event(7, "check_battery_missing", [...u32(0xffffffff), 11]);
  event(8, "check_never_heard_of", [...u32(0xffffffff), 27]);
  event(9, "commander_health_summary", [0], 8);
}
const arming = (news: readonly EventNews[]) =>
  news.reduce((report, one) => stepArmingReport(report, one), noArmingReport);

describe("events", () => {
  it("PX4/PX4-Autopilot#22885, ArduPilot/ardupilot#10662: a lost one is asked for again, and all reasons show at once", async () => {
    const t = await setup();
    t.lost.add(7);
    report(t);
    await t.clock.advanceAsync(1000);
    expect(t.news.map((n) => n.kind)).toEqual(new Array(5).fill("event"));
    expect(arming(t.news).issues.map((i) => [i.severity, i.text])).toEqual([
      ["blocks", "there is no valid position estimate"],
      ["blocks", "a battery is missing"],
      ["blocks", `magnetometer: check ${px4EventId("check_never_heard_of").toString(16)} fails`],
    ]);
  });

  it("PX4/PX4-Autopilot#22885, ArduPilot/ardupilot#10662: what cannot be had any more is told as missing beside what is known", async () => {
    const t = await setup();
    t.lost.add(7);
    t.forget(8);
    report(t);
    await t.clock.advanceAsync(3000);
    expect(arming(t.news).issues.map((i) => i.text)).toEqual([
      "there is no valid position estimate",
      `magnetometer: check ${px4EventId("check_never_heard_of").toString(16)} fails`,
      "one more reason was lost on the way",
    ]);
  });

  it("a vehicle that never answers costs a few requests, then the order goes on", async () => {
    const t = await setup();
    t.event(1, "check_modes_mission", []);
    t.lost.add(2);
    t.lost.add(3);
    t.event(2, "check_modes_mission", []);
    t.event(4, "check_modes_mission", []);
    await t.clock.advanceAsync(300);
    t.current(4);
    await t.clock.advanceAsync(8000);
    const kinds = t.news.map((n) => (n.kind === "event" ? n.event.sequence : `lost ${n.count}`));
    expect(kinds).toEqual([1, 2, "lost 1", 4]);
  });

  it("the last one lost is noticed by the vehicle's own counter", async () => {
    const t = await setup();
    t.event(1, "check_modes_mission", []);
    t.lost.add(2);
    t.event(2, "check_modes_mission", []);
    await t.clock.advanceAsync(100);
    expect(t.news.length).toBe(1);
    t.current(2);
    await t.clock.advanceAsync(500);
    expect(t.news.length).toBe(2);
  });

  it("of a real PX4 1.17 read as what it said: missing remote control warns, nothing blocks", () => {
    let state = noArmingReport;
    readTlog(readFileSync("tests/golden/px4-1.17-hexa-gcs-head.tlog"), (frame) => {
      if (frame.def?.name !== "EVENT") return;
      const payload = frame.bytes.subarray(frame.payload_start, frame.payload_start + frame.payload_length);
      const fields = decode(frame.def, payload);
      const event = {
        sequence: fields["sequence"] as number,
        id: fields["id"] as number,
        level: (fields["log_levels"] as number) & 15,
        arguments: fields["arguments"] as number[],
      };
      state = stepArmingReport(state, { kind: "event", event });
    });
    expect(state.issues.map((issue) => [issue.severity, issue.text])).toEqual([
      ["warns", "no valid mission is loaded"],
      ["warns", "no setpoints arrive for offboard mode"],
      ["warns", "there is no remote control"],
    ]);
    expect(state.can_arm_modes! & (1 << 4)).not.toBe(0);
  });
});
