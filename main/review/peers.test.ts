import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { peerBag, peerTlog, peerUlog } from "../bench/review-peers";
import { messageById } from "../link/codec";
import { reviewDeps } from "./deps";
import { openLog } from "./open";
import type { LogReader } from "./reader";

/** The full recordings lie beside the project; where they are absent these tests are skipped and say so. */
const folder = fileURLToPath(new URL("../../../shared/data/logs", import.meta.url));
const missing = existsSync(folder) ? "" : ` (skipped: put the recordings into ${folder})`;

async function open(name: string): Promise<LogReader> {
  const log = await openLog(join(folder, name), reviewDeps);
  if (!log.ok) throw new Error(log.error);
  return log.value.reader;
}

const counts = (reader: LogReader): Map<string, number> =>
  new Map(reader.topics.filter((t) => t.count > 0).map((t) => [t.name, t.count]));

for (const name of ["px4-1.18-hexa.ulg", "px4-small.ulg", "px4-events.ulg"]) {
  test.skipIf(missing !== "")(
    `${name}: every topic's count, first and last values are those of @foxglove/ulog${missing}`,
    async () => {
      const reader = await open(name);
      const theirs = new Map<string, number>();
      const first = new Map<string, Record<string, unknown>>();
      const last = new Map<string, Record<string, unknown>>();
      const path = join(folder, name);
      await peerUlog(path, (topic, value) => {
        theirs.set(topic, (theirs.get(topic) ?? 0) + 1);
        const row = value as Record<string, unknown>;
        if (!first.has(topic)) first.set(topic, row);
        last.set(topic, row);
      });
      expect(counts(reader)).toEqual(theirs);
      let compared = 0;
      for (const { name: topic, fields } of reader.topics)
        for (const { path: field, numeric } of fields) {
          const [peerFirst, peerLast] = [first.get(topic)?.[field], last.get(topic)?.[field]];
          if (!numeric || typeof peerFirst !== "number" || typeof peerLast !== "number") continue;
          const values = reader.column(topic, field)?.values ?? new Float64Array();
          // The only sample of a topic may carry a wild time: it is counted, not plotted.
          if (values.length === 0) continue;
          expect([topic, field, values[0], values.at(-1)]).toEqual([topic, field, peerFirst, peerLast]);
          compared += 1;
        }
      expect(compared).toBeGreaterThan(300);
      reader.close();
    },
    60_000,
  );
}

/** The recordings are whole: records can be counted by their lengths alone. */
function walk(bytes: Buffer): Map<number, number> {
  const found = new Map<number, number>();
  for (let at = 0; at + 8 < bytes.length; ) {
    const second = bytes[at + 8] === 0xfd;
    const id = second ? bytes.readUIntLE(at + 15, 3) : (bytes[at + 13] as number);
    found.set(id, (found.get(id) ?? 0) + 1);
    const signature = second && (bytes[at + 10] as number) & 1 ? 13 : 0;
    at += 8 + (second ? 12 : 8) + (bytes[at + 9] as number) + signature;
  }
  return found;
}

for (const name of ["px4-1.17-hexa-gcs.tlog", "ardupilot-vtol.tlog"]) {
  test.skipIf(missing !== "")(
    `${name}: every message's count is that of the file, and node-mavlink never finds more${missing}`,
    async () => {
      const reader = await open(name);
      const path = join(folder, name);
      const ours = new Map<string, number>();
      for (const { type, count } of reader.topics) ours.set(type, (ours.get(type) ?? 0) + count);
      for (const [id, count] of walk(readFileSync(path)))
        expect([id, ours.get(messageById(id)?.name ?? "")]).toEqual([id, count]);
      const theirs = new Map<number, number>();
      const total = await peerTlog(path, (id) => {
        theirs.set(id, (theirs.get(id) ?? 0) + 1);
      });
      expect(total).toBeGreaterThan(20_000);
      // A false start byte costs node-mavlink good frames now and then.
      for (const [id, count] of theirs) {
        const mine = ours.get(messageById(id)?.name ?? "") ?? 0;
        expect(mine).toBeGreaterThanOrEqual(count);
        expect(mine - count).toBeLessThanOrEqual(Math.max(2, mine * 0.01));
      }
      reader.close();
    },
    60_000,
  );
}

const ALIGNED = "/device_0/aligned_depth_to_color/image";
for (const name of ["ros1-lz4.bag", "ros1-bz2.bag", "realsense-640-lz4.bag"]) {
  test.skipIf(missing !== "")(
    `${name}: every topic's count and each number are those of @foxglove/rosbag${missing}`,
    async () => {
      const reader = await open(name);
      const theirs = new Map<string, number>();
      const sums = new Map<string, number>();
      await peerBag(join(folder, name), (topic, message) => {
        theirs.set(topic, (theirs.get(topic) ?? 0) + 1);
        const { x } = message as { x?: unknown };
        if (typeof x === "number") sums.set(topic, (sums.get(topic) ?? 0) + x);
      });
      const ours_counted = counts(reader);
      // Not recorded but made: depth as the colour camera sees it.
      if (ours_counted.delete(ALIGNED)) {
        // A wall and a box in front of it, seen 59 mm from the side: the box moves by 327 px * 0.059 m / its distance.
        const picture = reader.image(ALIGNED, 0.1);
        expect([picture?.index, picture?.media_type]).toEqual([2, "image/png"]);
        const aligned = reader.image_topics.find(({ topic }) => topic === ALIGNED);
        expect(aligned?.count).toBe(theirs.get("/device_0/sensor_0/Depth_0/image/data"));
      }
      expect(ours_counted).toEqual(theirs);
      for (const [topic, sum] of sums) {
        let ours = 0;
        for (const value of reader.column(topic, "x")?.values ?? []) ours += value;
        expect(ours).toBeCloseTo(sum, 4);
      }
      for (const { topic, count } of reader.image_topics) {
        const pictures = new Set<number>();
        for (const t of reader.column(topic, "width")?.t_s ?? [])
          pictures.add(reader.image(topic, t)?.index ?? -1);
        expect(pictures.size).toBe(count);
      }
      reader.close();
    },
    60_000,
  );
}
