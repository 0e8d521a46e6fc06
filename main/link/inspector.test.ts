import { describe, expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { Inspector } from "./inspector";
import type { Received } from "./port";

function rig() {
  const clock = new FakeClock();
  let listener: (received: Received) => void = () => {};
  const inspector = new Inspector(
    {
      onMessage: (l) => {
        listener = l;
        return () => {};
      },
    },
    clock,
  );
  const hear = (name: string, fields: Received["fields"]): void => {
    const at_ms = clock.now_ms();
    listener({ name, id: 30, system_id: 1, component_id: 1, link: "udp", at_ms, bytes: 40, fields });
  };
  return { clock, inspector, hear };
}
const attitude = { system_id: 1, component_id: 1, name: "ATTITUDE" };

describe("Inspector", () => {
  it("counts, rates and shows the newest fields with their units", () => {
    const { clock, inspector, hear } = rig();
    for (let i = 0; i < 100; i++) {
      hear("ATTITUDE", { time_boot_ms: i, roll: i / 100, pitch: Number.NaN });
      clock.advance(20);
    }
    const [row] = inspector.messages();
    expect(row).toMatchObject({ ...attitude, count: 100 });
    expect(row?.rate_hz).toBeCloseTo(50, 0);
    expect(row?.bytes_per_s).toBeCloseTo(2000, -2);
    const fields = inspector.fields(attitude);
    expect(fields.ok && fields.value.find((f) => f.name === "roll")).toEqual({
      name: "roll",
      text: "0.99",
      value: 0.99,
      unit: "rad",
    });
    expect(fields.ok && fields.value.find((f) => f.name === "pitch")?.value).toBeNull();
  });

  it("keeps the newest 3,000 values of a field, elements of arrays too, and no more than eight fields", () => {
    const { clock, inspector, hear } = rig();
    expect(inspector.plot(attitude, "roll").ok).toBe(false);
    hear("ATTITUDE", { roll: -1, q: [1, 2] });
    expect(inspector.plot(attitude, "roll")).toEqual({ ok: true, value: undefined });
    expect(inspector.plot(attitude, "q[1]")).toEqual({ ok: true, value: undefined });
    expect(inspector.plot(attitude, "q[2]").ok).toBe(false);
    for (let i = 0; i < 3100; i++) {
      clock.advance(1);
      hear("ATTITUDE", { roll: i, q: [0, -i] });
    }
    const series = inspector.series(attitude, "roll", null);
    expect(
      series.ok && [series.value.values.length, series.value.values[0], series.value.values.at(-1)],
    ).toEqual([3000, 100, 3099]);
    const last = series.ok ? (series.value.at_ms.at(-2) ?? 0) : 0;
    expect(inspector.series(attitude, "q[1]", last)).toMatchObject({ value: { values: [-3099] } });
    inspector.unplot(attitude, "roll");
    expect(inspector.series(attitude, "roll", null).ok).toBe(false);
    for (let i = 0; i < 9; i++) hear("M", Object.fromEntries([...Array(9).keys()].map((n) => [`f${n}`, 1])));
    const m = { ...attitude, name: "M" };
    const accepted = [...Array(9).keys()].filter((n) => inspector.plot(m, `f${n}`).ok);
    expect(accepted).toHaveLength(7);
  });
});
