import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { everyMessage } from "../../tests/support/every-message";
import { tlogRecord } from "../../tests/support/log-builders";
import { reviewDeps } from "./deps";
import { openLog } from "./open";

const golden = fileURLToPath(new URL("../../tests/golden/every-message.tlog", import.meta.url));
const written = everyMessage();
const bytes = Buffer.concat(written.map(({ frame }, n) => tlogRecord(1.78e15 + n * 1e5, frame)));

test("a telemetry log with every message: each field of each is what was written", async () => {
  // Made once, and kept: a change of the definitions shows as a difference.
  if (!existsSync(golden)) writeFileSync(golden, bytes);
  expect(readFileSync(golden).equals(bytes)).toBe(true);
  const log = await openLog(golden, { ...reviewDeps, home: null });
  if (!log.ok) throw new Error(log.error);
  const { reader } = log.value;
  expect(reader.completeness).toEqual({ state: "complete", notes: [] });
  expect(reader.duration_s).toBeCloseTo((written.length - 1) / 10, 3);
  expect(new Set(reader.topics.map(({ type }) => type))).toEqual(new Set(written.map(({ name }) => name)));
  let compared = 0;
  for (const { name, values } of written) {
    const [record] = reader.records(name);
    expect([name, record?.value]).toMatchObject([name, values]);
    for (const [path, value] of Object.entries(values)) {
      if (typeof value === "string") continue;
      expect([name, path, reader.column(name, path)?.values[0]]).toEqual([name, path, value]);
      compared += 1;
    }
  }
  expect(written.length).toBeGreaterThan(280);
  expect(compared).toBeGreaterThan(3000);
  reader.close();
});
