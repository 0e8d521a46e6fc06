import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { McapIndexedReader } from "@mcap/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultSettings } from "#contract/settings";
import { bundleEntry, bundlePath } from "../../tests/support/bundle";
import { FakeClock } from "../../tests/support/fake-clock";
import { verifyAudit } from "./audit";
import { type FlightMeta, flightFolderName, type Logbook, openLogbook } from "./logbook";

const meta: FlightMeta = {
  name: "take off / and *land*",
  version: "0.1.0",
  git: "abc1234",
  address: "sim://office?seed=1",
  scene: "office",
  seed: 1,
  settings: defaultSettings,
};
let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "kingfisher-logbook-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

async function open(clock: FakeClock): Promise<Logbook> {
  const opened = await openLogbook(dir, meta, clock);
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
}

/** The independent reader: @mcap/core's indexed reader needs a complete file. */
async function readIndexed(path: string): Promise<McapIndexedReader> {
  const bytes = readFileSync(path);
  return McapIndexedReader.Initialize({
    readable: {
      size: () => Promise.resolve(BigInt(bytes.length)),
      read: (offset, length) => Promise.resolve(bytes.subarray(Number(offset), Number(offset + length))),
    },
  });
}

test("a closed flight is a complete MCAP file for an independent reader, pictures and metadata included", async () => {
  const clock = new FakeClock();
  const logbook = await open(clock);
  for (let n = 0; n < 500; n++) {
    logbook.write(
      "/kingfisher/text",
      { severity: "info", source: "test", text: `line ${n}` },
      clock.now_ms(),
    );
    if (n % 10 === 0)
      logbook.image("/camera/wrist/colour", Uint8Array.of(0xff, 0xd8, n & 255), clock.now_ms());
    await clock.advanceAsync(20, 20);
  }
  logbook.audit({ kind: "approval", by: "operator 1", detail: { token: "t" } });
  await logbook.close();
  const reader = await readIndexed(join(logbook.folder, "flight.mcap"));
  expect(reader.header).toMatchObject({ profile: "kingfisher", library: "kingfisher 0.1.0" });
  expect(reader.statistics?.messageCount).toBe(551n);
  const topics = new Map([...reader.channelsById.values()].map((c) => [c.topic, c]));
  const image = topics.get("/camera/wrist/colour");
  expect(reader.schemasById.get(image?.schemaId ?? 0)?.name).toBe("foxglove.CompressedImage");
  const texts: string[] = [];
  for await (const message of reader.readMessages({ topics: ["/kingfisher/text"] }))
    texts.push((JSON.parse(Buffer.from(message.data).toString()) as { text: string }).text);
  expect(texts).toHaveLength(500);
  expect(texts[499]).toBe("line 499");
  const metadata = new Map<string, string>();
  for await (const record of reader.readMetadata({}))
    for (const [k, v] of record.metadata) metadata.set(k, v);
  expect(metadata.get("seed")).toBe("1");
  expect(metadata.get("audit_entries")).toBe("1");
});

test("the tlog holds each frame behind its big-endian UTC microseconds, both directions", async () => {
  const clock = new FakeClock(1000);
  const logbook = await open(clock);
  logbook.raw({ bytes: Uint8Array.of(0xfd, 1), at_ms: 1000, direction: "in" });
  logbook.raw({ bytes: Uint8Array.of(0xfd, 2), at_ms: 1500.25, direction: "out" });
  await logbook.close();
  const bytes = readFileSync(join(logbook.folder, "flight.tlog"));
  expect(bytes.length).toBe(20);
  expect(bytes.readBigUInt64BE(0)).toBe(BigInt((1_780_000_000_000 + 1000) * 1000));
  expect(bytes.readBigUInt64BE(10)).toBe(BigInt((1_780_000_000_000 + 1500.25) * 1000));
  expect([...bytes.subarray(18)]).toEqual([0xfd, 2]);
});

test("nothing is held back longer than a flush period", async () => {
  const clock = new FakeClock();
  const logbook = await open(clock);
  await clock.advanceAsync(250);
  while (logbook.status().pending_bytes > 0) await clock.advanceAsync(1, 1);
  const before = statSync(join(logbook.folder, "flight.mcap")).size;
  logbook.write("/kingfisher/text", { severity: "info", source: "test", text: "now" }, clock.now_ms());
  await clock.advanceAsync(250);
  while (logbook.status().pending_bytes > 0) await clock.advanceAsync(1, 1);
  expect(statSync(join(logbook.folder, "flight.mcap")).size).toBeGreaterThan(before);
  await logbook.close();
});

test("when the disk falls behind, pictures are dropped first and the recording says so", async () => {
  const clock = new FakeClock();
  const logbook = await open(clock);
  const picture = Buffer.alloc(1024 * 1024, 1);
  // No turn of the event loop in between: nothing can reach the disk.
  for (let n = 0; n < 30; n++) logbook.image("/camera/wrist/colour", picture, n);
  logbook.write("/kingfisher/text", { severity: "info", source: "test", text: "still here" }, 31);
  const { dropped_images, dropped_messages } = logbook.status();
  expect(dropped_images).toBeGreaterThan(5);
  expect(dropped_messages).toBe(0);
  while (logbook.status().pending_bytes > 0) await clock.advanceAsync(10);
  await clock.advanceAsync(300);
  await logbook.close();
  const text = readFileSync(join(logbook.folder, "flight.mcap")).toString("latin1");
  expect(text).toContain("still here");
  expect(text).toContain(`${dropped_images} pictures and 0 messages so far are missing`);
});

test("a folder that cannot be written is one sentence", async () => {
  writeFileSync(join(dir, "file"), "");
  const opened = await openLogbook(join(dir, "file", "flights"), meta, new FakeClock());
  expect(opened.ok).toBe(false);
  if (!opened.ok) expect(opened.error).toMatch(/^Cannot record into .*flights: ENOTDIR/);
});

test("two flights within one second get folders of their own, with safe names", async () => {
  const clock = new FakeClock();
  const [a, b] = [await open(clock), await open(clock)];
  expect(a.folder).toBe(join(dir, flightFolderName(clock.utc_ms(), meta.name)));
  expect(a.folder).toMatch(/\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_take-off-and-land$/);
  expect(b.folder).toBe(`${a.folder}-2`);
  await Promise.all([a.close(), b.close()]);
});

test("a recorder killed in mid-writing leaves everything that was handed over readable", async () => {
  const entry = bundlePath("logbook-writer");
  await bundleEntry("tests/support/logbook-writer.ts", entry);
  const child = spawn(process.execPath, [entry, dir], { stdio: ["ignore", "pipe", "inherit"] });
  let folder = "";
  let safe = 0;
  for await (const line of createInterface(child.stdout)) {
    const said = JSON.parse(line) as { folder?: string; safe?: number };
    folder = said.folder ?? folder;
    safe = said.safe ?? safe;
    if (safe >= 200) break;
  }
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;

  const { openLog } = await import("../review/open");
  const { reviewDeps } = await import("../review/deps");
  const log = await openLog(folder, reviewDeps);
  if (!log.ok) throw new Error(log.error);
  expect(log.value.reader.completeness.state).toBe("truncated");
  const texts = [...log.value.reader.records("/kingfisher/text")].map(
    ({ value }) => (value as { text: string }).text,
  );
  expect(texts.length).toBeGreaterThanOrEqual(safe);
  expect(texts.slice(0, safe)).toEqual(Array.from({ length: safe }, (_, n) => `line ${n}`));
  expect(log.value.reader.image("/camera/wrist/colour", 1)?.bytes.length).toBe(20_000);
  expect(verifyAudit(log.value.audit, new Map()).state).toBe("verified");
  log.value.reader.close();
});
