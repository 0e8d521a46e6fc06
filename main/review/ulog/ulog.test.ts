import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { f32, heightLog, u16, u64, ulog, ulogRecord } from "../../../tests/support/log-builders";
import { reviewDeps } from "../deps";
import { openLog, readerFor } from "../open";
import type { LogReader } from "../reader";
import { memorySource } from "../source";
import { lostEvents } from "./events";

async function read(bytes: Uint8Array): Promise<LogReader> {
  const reader = await readerFor(memorySource(bytes), "test.ulg", reviewDeps);
  if (!reader.ok) throw new Error(reader.error);
  return reader.value;
}

const keyed = (type: string, key: string, value: Uint8Array): Buffer =>
  ulogRecord(type, Uint8Array.of(key.length), Buffer.from(key), value);
const list = (more: number, key: string, text: string): Buffer =>
  ulogRecord("M", Uint8Array.of(more, key.length), Buffer.from(key), Buffer.from(text));

test("every kind of record: nested formats, instances, parameters and their changes, texts, tags, dropouts, lists", async () => {
  const height = (id: number, t_us: number, z: number): Buffer =>
    ulog.data(id, u64(t_us), f32(z), u16(9), Uint8Array.of(1, 2, 250, 0, 0));
  const reader = await read(
    Buffer.concat([
      ulog.header(1e6),
      ulog.flags(),
      ulog.format("inner:uint16_t count;int8_t[3] small;uint8_t[2] _padding0;"),
      ulog.format("height:uint64_t timestamp;float z;inner part;"),
      ulog.info("char[5] sys_name", Buffer.from("PX4\0\0")),
      ulog.info("uint32_t ver_sw_release", Buffer.from([0xff, 0, 0x11, 1])),
      list(0, "char[6] perf_top", "first "),
      list(1, "char[6] perf_top", "second"),
      ulog.parameter("MPC_XY_VEL_MAX", 5),
      keyed("P", "int32_t SYS_AUTOSTART", Buffer.from([0x71, 0x17, 0, 0])),
      ulogRecord("Q", Uint8Array.of(1, 10), Buffer.from("float A_Bcd"), f32(1)),
      ulog.subscribe(3, "height", 0),
      ulog.subscribe(4, "height", 1),
      height(3, 1e6, 1),
      height(4, 1.1e6, -1),
      ulog.text(4, 1.2e6, "a warning"),
      ulog.tagged(6, 77, 1.3e6, "from a tag"),
      ulog.parameter("MPC_XY_VEL_MAX", 8),
      height(3, 1.5e6, 2),
      ulog.dropout(250),
      ulogRecord("S", Uint8Array.of(0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12)),
      ulogRecord("R", u16(4)),
      height(3, 3e6, 3),
    ]),
  );
  expect(reader.topics.map(({ name, count }) => [name, count])).toEqual([
    ["height", 3],
    ["height[1]", 1],
  ]);
  expect(reader.topics[0]?.fields.map(({ path }) => path)).toEqual([
    "timestamp",
    "z",
    "part.count",
    "part.small[0]",
    "part.small[1]",
    "part.small[2]",
  ]);
  expect([...(reader.column("height", "part.small.2")?.values ?? [])]).toEqual([-6, -6, -6]);
  const second = reader.column("height[1]", "z");
  expect(second?.t_s[0]).toBeCloseTo(0.1, 9);
  expect([...(second?.values ?? []), second?.unit]).toEqual([-1, "m"]);
  expect(reader.parameters).toEqual([
    { name: "MPC_XY_VEL_MAX", value: 5, changes: [{ at_s: expect.closeTo(0.1, 9) as number, value: 8 }] },
    { name: "SYS_AUTOSTART", value: 6001, changes: [] },
  ]);
  expect(reader.messages.map(({ severity, source, text }) => [severity, source, text])).toEqual([
    ["warning", "vehicle", "a warning"],
    ["info", "vehicle, tag 77", "from a tag"],
  ]);
  expect(reader.meta).toMatchObject({ sys_name: "PX4", version: "1.17.0" });
  expect(reader.completeness).toEqual({
    state: "complete",
    notes: ["the vehicle itself dropped data 1 times, 0.25 s in all"],
  });
  expect(reader.duration_s).toBe(2);
});

test("data appended after a crash is read past a record that was cut where it begins", async () => {
  const whole = heightLog(20);
  const cut = Buffer.concat([whole.subarray(0, whole.length - 7)]);
  const appended = Buffer.concat([ulog.text(3, 5e6, "hard fault"), ulog.text(3, 5.1e6, "registers")]);
  const flags = whole.indexOf(ulog.flags());
  const bytes = Buffer.concat([cut, appended]);
  ulog.flags([cut.length]).copy(bytes, flags);
  const reader = await read(bytes);
  expect(reader.column("height", "z")?.values).toHaveLength(19);
  expect(reader.messages.map(({ text }) => text)).toEqual(["hard fault", "registers"]);
});

const golden = fileURLToPath(new URL("../../../tests/golden/px4-1.18-hexa.ulg", import.meta.url));

test("a real PX4's events are put into words with the definitions in its log", async () => {
  const log = await openLog(golden, reviewDeps);
  if (!log.ok) throw new Error(log.error);
  const { reader } = log.value;
  const events = reader.messages.filter(({ source }) => source.startsWith("event"));
  expect(events).toHaveLength(27);
  expect(events.slice(0, 3).map(({ severity, source, text }) => [severity, source, text])).toEqual([
    ["warning", "event, default", "Failsafe warning:"],
    ["info", "event, default", "logging: opening log file 2026-11-30/22_42_35.ulg"],
    ["error", "event, arming_check", "No heading reference"],
  ]);
  expect(events.map(({ text }) => text)).toContain("Takeoff detected");
  expect(events.at(-2)).toMatchObject({ severity: "info", text: "Disarmed by landing" });
  // The same is not said twice: texts that PX4 also sends as events are left to these.
  expect(reader.messages.filter(({ text }) => text === "Takeoff detected")).toHaveLength(1);
  reader.close();
});

test("definitions beside a log are taken when it embeds none; without any, an event is a number", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kingfisher-test-"));
  try {
    const format =
      "event:uint64_t timestamp;uint32_t id;uint16_t event_sequence;uint8_t[4] arguments;uint8_t log_levels;";
    const event = (sequence: number, id: number): Buffer =>
      ulog.data(
        1,
        u64(1e6 + sequence * 1e6),
        Buffer.from([id & 255, id >> 8, 0, 1]),
        u16(sequence),
        Uint8Array.of(42, 0, 0, 0, 0x44),
      );
    const path = join(folder, "flight.ulg");
    writeFileSync(
      path,
      Buffer.concat([
        ulog.header(1e6),
        ulog.flags(),
        ulog.format(format),
        ulog.subscribe(1, "event"),
        event(7, 1000),
        event(8, 2000),
        event(11, 1000),
      ]),
    );
    const texts = async (): Promise<string[]> => {
      const log = await openLog(path, reviewDeps);
      if (!log.ok) throw new Error(log.error);
      expect(log.value.reader.completeness.notes).toEqual([
        "2 events are missing: their sequence numbers jump",
      ]);
      log.value.reader.close();
      return log.value.reader.messages.map(({ text }) => text);
    };
    const bare = "no description of events in this log";
    expect(await texts()).toEqual([1000, 2000, 1000].map((id) => `event ${0x1000000 + id} (${bare})`));
    const definition = {
      version: 2,
      components: {
        "1": {
          namespace: "px4",
          event_groups: {
            default: {
              events: {
                "1000": {
                  name: "low",
                  message: "Battery at {1}%",
                  arguments: [{ type: "uint8_t", name: "level" }],
                },
              },
            },
          },
        },
      },
    };
    writeFileSync(join(folder, "all_events.json"), JSON.stringify(definition));
    expect(await texts()).toEqual(["Battery at 42%", "event 16779216 (not described)", "Battery at 42%"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("sequence numbers go around at 65,536 and repeat after a restart without counting as lost", () => {
  expect(lostEvents(Float64Array.of(65_534, 65_535, 0, 1))).toBe(0);
  expect(lostEvents(Float64Array.of(5, 6, 9))).toBe(2);
  expect(lostEvents(Float64Array.of(900, 3, 4))).toBe(0);
});
