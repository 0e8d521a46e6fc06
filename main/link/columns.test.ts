import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodePayload } from "./codec";
import { tlogToColumns } from "./columns";
import { encodeFrame } from "./encode-frame";
import { readTlog, tlogRecord } from "./tlog";

const bytes = new Uint8Array(readFileSync("tests/golden/px4-1.17-hexa-gcs-head.tlog"));

describe("columns of a recording", () => {
  it("hold, row by row, what the messages hold", () => {
    const rows = new Map<string, number>();
    const { tables, frames, skipped_bytes } = tlogToColumns(bytes);
    const byKey = new Map(tables.map((t) => [`${t.id}/${t.system_id}/${t.component_id}`, t]));
    let compared = 0;
    readTlog(bytes, (frame, time_us) => {
      if (frame.def === undefined) return;
      const key = `${frame.id}/${frame.system_id}/${frame.component_id}`;
      const table = byKey.get(key)!;
      const row = rows.get(key) ?? 0;
      rows.set(key, row + 1);
      expect(table.time_us[row]).toBe(time_us);
      const fields = decodePayload(
        frame.def,
        frame.bytes,
        frame.view,
        frame.payload_start,
        frame.payload_length,
      );
      for (const { name, width, values } of table.columns) {
        const cell = [...values.subarray(row * width, (row + 1) * width)].map((v) => Number(v));
        const field = fields[name];
        const expected =
          typeof field === "string"
            ? [...Buffer.from(field), ...new Array<number>(width).fill(0)].slice(0, width)
            : Array.isArray(field)
              ? field.map(Number)
              : [Number(field)];
        if (!cell.every((v, i) => Object.is(v, expected[i]))) expect([name, cell]).toEqual([name, expected]);
        compared++;
      }
    });
    expect(compared).toBeGreaterThan(8000);
    expect([frames, skipped_bytes]).toEqual([1112, 0]);
    for (const [key, count] of rows) expect(byKey.get(key)?.rows).toBe(count);
  });

  it("mavlink/qgroundcontrol#7474, #7709: survive damage in the middle and a cut tail, and say how much was lost", () => {
    const damaged = bytes.slice(0, bytes.length - 7);
    damaged.fill(0x55, 10_000, 10_100);
    const { frames, skipped_bytes } = tlogToColumns(damaged);
    const walked = readTlog(damaged, () => {});
    expect(frames).toBe(walked.frames);
    expect(frames).toBeGreaterThan(1100);
    expect(skipped_bytes).toBeGreaterThan(100);
    expect(skipped_bytes).toBe(walked.skipped_bytes);
  });

  it("keep the bits of integers that PX4 packs into floats, and values cut in half by trimming", () => {
    const frame = encodeFrame(
      "PARAM_VALUE",
      {
        param_id: "",
        param_value: 0,
        param_value_bits: 0x00ff00ff,
        param_type: 0,
        param_count: 0,
        param_index: 0,
      },
      { version: 2, seq: 0, system_id: 1, component_id: 1 },
    );
    expect(frame.length).toBe(12 + 3);
    const { tables } = tlogToColumns(tlogRecord(1.7e15, frame));
    const value = tables[0]?.columns.find((c) => c.name === "param_value");
    expect(new Uint32Array(value!.values.buffer)[0]).toBe(0x00ff00ff);
  });
});
