import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../tests/support/fake-clock";
import { type FakeParameter, FakeParameters } from "../../../tests/support/fake-parameters";
import { lossyLink } from "../../../tests/support/lossy-link";
import type { Faults } from "../faulty";
import {
  compareParameters,
  formatParameterFile,
  parseParameterFile,
  searchParameters,
} from "./parameter-file";
import { bitsFromValue, encodingOf, type ParameterEncoding, valueFromBits } from "./parameter-value";
import { ParameterService } from "./parameters";

const target = { system_id: 1, component_id: 1 };
const make = (count: number): FakeParameter[] =>
  Array.from({ length: count }, (_, i) =>
    i % 3 === 0
      ? { name: `INT_${i}`, value: -i - 1, type: 6 }
      : { name: `FLT_${i}`, value: Math.fround(i / 7), type: 9 },
  );

async function setup(faults: Faults = {}, count = 20, encoding: ParameterEncoding = "bytewise") {
  const clock = new FakeClock(1000);
  const link = await lossyLink(clock, faults);
  link.station.send("HEARTBEAT", {
    type: 6,
    autopilot: 8,
    base_mode: 0,
    custom_mode: 0,
    system_status: 4,
    mavlink_version: 3,
  });
  const fake = new FakeParameters(link.vehicle, clock, make(count), encoding);
  const service = new ParameterService(link.station, clock, target, () => encoding);
  /** Lets time pass until the promise settles. */
  const wait = async <T>(promise: Promise<T>, most_ms = 120_000): Promise<T> => {
    const box: { value?: T } = {};
    void promise.then((value) => {
      box.value = value;
    });
    for (let t = 0; t < most_ms && !("value" in box); t += 50) await clock.advanceAsync(50, 25);
    if (!("value" in box)) throw new Error("did not settle");
    return box.value;
  };
  return { ...link, clock, fake, service, wait };
}
const values = (service: ParameterService): [string, number][] =>
  [...service.all.values()].map((p) => [p.name, p.value]);

describe("the list", () => {
  it("mavlink/qgroundcontrol#4716, #6890: 1,000 parameters, 20 % loss, a 6 s gap, one index never sent", async () => {
    const { service, fake, clock, wait } = await setup({ loss: 0.2, delay_ms: 20, seed: 3 }, 1000);
    fake.hidden.add(500);
    const listed = service.list();
    await clock.advanceAsync(500, 25);
    fake.silentUntil_ms = clock.now_ms() + 6000;
    const result = await wait(listed);
    expect(result.ok && [result.value.count, result.value.missing]).toEqual([1000, [500]]);
    expect(service.all.size).toBe(999);
    for (const p of fake.parameters)
      if (p.name !== "FLT_500") expect(service.get(p.name)?.value).toBe(p.value);
  });

  it("with 20 % loss and 300 ms of delay both ways equals what the vehicle has", async () => {
    const { service, fake, wait } = await setup(
      { loss: 0.2, duplicate: 0.1, reorder: 0.1, delay_ms: 300, seed: 9 },
      300,
    );
    const result = await wait(service.list());
    expect(result.ok && result.value.missing).toEqual([]);
    expect(values(service).sort()).toEqual(fake.parameters.map((p) => [p.name, p.value]).sort());
  });

  it("of a vehicle that says nothing is unanswered, not empty", async () => {
    const { service, fake, wait } = await setup();
    fake.silentUntil_ms = Number.POSITIVE_INFINITY;
    expect(await wait(service.list())).toEqual({ ok: false, error: "unanswered" });
  });

  it("reports progress and serves two callers with one download", async () => {
    const { service, wait } = await setup({}, 50);
    const seen: number[] = [];
    service.onProgress(({ received }) => seen.push(received));
    const [a, b] = [service.list(), service.list()];
    expect(a).toBe(b);
    await wait(a);
    expect(seen.at(-1)).toBe(50);
    expect(service.progress).toEqual({ received: 50, count: 50 });
  });
});

describe("writing", () => {
  it("is done when the vehicle says the value", async () => {
    const { service, fake, wait } = await setup({ loss: 0.2, delay_ms: 100, seed: 5 });
    await wait(service.list());
    expect(await wait(service.write("INT_3", -1))).toMatchObject({ ok: true, value: { value: -1 } });
    expect(fake.parameters[3]?.value).toBe(-1);
  });

  it("to a vehicle that keeps its own value says so", async () => {
    const { service, fake, wait } = await setup();
    fake.stubborn.add("FLT_1");
    expect(await wait(service.write("FLT_1", 9))).toMatchObject({ ok: false, error: { kind: "different" } });
  });

  it("refuses before sending what cannot be the value", async () => {
    const { service, fake, wait } = await setup();
    for (const value of [Number.NaN, 1.5, 3e9]) {
      expect(await wait(service.write("INT_3", value))).toMatchObject({ error: { kind: "out_of_range" } });
    }
    expect(await wait(service.write("NOT_THERE", 1))).toMatchObject({ error: { kind: "unknown" } });
    expect(fake.writes).toBe(0);
  });

  it("into silence is unanswered: it may or may not have happened", async () => {
    const { service, faulty, wait } = await setup();
    await wait(service.list());
    faulty.deaf = true;
    expect(await wait(service.write("INT_3", 7))).toMatchObject({ error: { kind: "unanswered" } });
  });
});

describe("values", () => {
  it("go through the float field bit by bit with PX4, as numbers with ArduPilot", () => {
    expect(bitsFromValue(-1, 6, "bytewise")).toEqual({ ok: true, value: 0xffffffff });
    expect(valueFromBits(0xffffffff, 6, "bytewise")).toBe(-1);
    expect(valueFromBits(0x40400000, 6, "c_cast")).toBe(3);
    expect(bitsFromValue(16_777_217, 6, "c_cast").ok).toBe(false);
    fc.assert(
      fc.property(
        fc.integer({ min: -32_768, max: 32_767 }),
        fc.constantFrom<ParameterEncoding>("bytewise", "c_cast"),
        (value, encoding) => {
          const bits = bitsFromValue(value, 4, encoding);
          expect(bits.ok && valueFromBits(bits.value, 4, encoding)).toBe(value);
        },
      ),
    );
    expect(encodingOf(0x10, "ardupilot")).toBe("bytewise");
    expect(encodingOf(0x2_0000, "px4")).toBe("c_cast");
    expect(encodingOf(null, "px4")).toBe("bytewise");
  });
});

describe("a .params file", () => {
  it("is read back as it was written, and differences are named", async () => {
    const { service, wait } = await setup();
    await wait(service.list());
    const text = formatParameterFile(service.all.values(), target, "Onboard parameters for Vehicle 1");
    const parsed = parseParameterFile(text);
    expect(parsed.ok && compareParameters(service.all, parsed.value)).toEqual([]);
    const changed = parseParameterFile(`${text}1\t1\tINT_3\t5\t6\n1\t1\tNEW_ONE\t1.5\t9\n`);
    expect(changed.ok && compareParameters(service.all, changed.value)).toEqual([
      { name: "INT_3", vehicle: -4, file: 5 },
      { name: "NEW_ONE", vehicle: null, file: 1.5 },
    ]);
    expect(parseParameterFile("1\t1\tX\tabc\t9")).toMatchObject({ ok: false });
    expect(searchParameters(service.all.values(), "flt 1").map((p) => p.name)).toContain("FLT_1");
  });
});
