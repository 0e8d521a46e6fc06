import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reviewDeps } from "./deps";
import { openLog } from "./open";

/**
 * Counts, first and last values and sums of columns as pyulog and pymavlink's DFReader found them in these files, once;
 * those beginning with "golden/" lie in the repository, the full recordings beside it (else they are skipped).
 */
type Figures = Readonly<
  Record<
    string,
    Readonly<Record<string, readonly [number, Readonly<Record<string, readonly (number | null)[]>>]>>
  >
>;
const tests = fileURLToPath(new URL("../../tests", import.meta.url));
const recordings = fileURLToPath(new URL("../../../shared/data/logs", import.meta.url));
const figures = JSON.parse(readFileSync(join(tests, "golden", "figures.json"), "utf8")) as Figures;

for (const [file, topics] of Object.entries(figures)) {
  const path = file.startsWith("golden/") ? join(tests, file) : join(recordings, file);
  const missing = existsSync(path) ? "" : ` (skipped: put ${file} into ${recordings})`;
  const peer = file.endsWith(".bin") ? "pymavlink's DFReader" : "pyulog";
  test.skipIf(missing !== "")(
    `${file}: every figure is that of ${peer}${missing}`,
    async () => {
      const log = await openLog(path, { ...reviewDeps, home: null });
      if (!log.ok) throw new Error(log.error);
      const { reader } = log.value;
      const counts = new Map(reader.topics.map(({ name, count }) => [name, count]));
      const close = (a: number | undefined, b: number | null): boolean =>
        b === null ? !Number.isFinite(a) : Math.abs((a ?? Number.NaN) - b) <= 2e-6 * Math.max(1, Math.abs(b));
      let compared = 0;
      for (const [topic, [count, fields]] of Object.entries(topics)) {
        expect([topic, counts.get(topic)]).toEqual([topic, count]);
        for (const [field, [first = null, last = null, sum = null]] of Object.entries(fields)) {
          const values = reader.column(topic, field)?.values ?? new Float64Array();
          let total = 0;
          for (const value of values) total += value;
          const same = close(values[0], first) && close(values.at(-1), last) && close(total, sum);
          if (!same)
            expect([topic, field, values[0], values.at(-1), total]).toEqual([topic, field, first, last, sum]);
          compared += 1;
        }
      }
      expect(compared).toBeGreaterThan(60);
      reader.close();
    },
    60_000,
  );
}
