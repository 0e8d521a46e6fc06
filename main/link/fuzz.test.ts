import { readFileSync } from "node:fs";
import { MSG_ID_MAGIC_NUMBER, x25crc } from "node-mavlink";
import { expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { ageVehicle, initialVehicle, noTexts, reduceTexts, reduceVehicle } from "../vehicle";
import { createLinkHub } from "./hub";
import type { TransportEvents } from "./port";
import { readTlog } from "./tlog";

const FRAMES = 1_000_000;

/** The checksum seeds of messages that mavlink-mappings lacks, as MAVLink's own generator gives them in common.h. */
const seeds: Readonly<Record<string, number>> = {
  ...MSG_ID_MAGIC_NUMBER,
  8: 117,
  380: 232,
  410: 160,
  411: 106,
  412: 33,
  413: 77,
};

/** Another implementation's judgement of one frame: its start, its length and its checksum. */
function isRight(frame: Uint8Array): boolean {
  const bytes = Buffer.from(frame);
  const two = bytes[0] === 0xfd;
  if (!two && bytes[0] !== 0xfe) return false;
  const head = two ? 10 : 6;
  const signed = two && ((bytes[2] ?? 0) & 1) === 1 ? 13 : 0;
  const id = two ? bytes.readUIntLE(7, 3) : (bytes[5] ?? -1);
  const extra = seeds[String(id)];
  const end = head + (bytes[1] ?? 0);
  if (extra === undefined || bytes.length !== end + 2 + signed) return false;
  return x25crc(bytes, 1, 2 + signed, extra) === bytes.readUInt16LE(end);
}

/** A frame that was damaged on its way, in one of the ways in which links damage. */
function damaged(good: Uint8Array, random: () => number): Uint8Array {
  const bad = good.slice();
  switch (random() % 4) {
    case 0: {
      const flips = 1 + (random() % 3);
      for (let k = 0; k < flips; k++) {
        const at = 4 + (random() % (bad.length - 4));
        bad[at] = (bad[at] ?? 0) ^ (1 << (random() % 8));
      }
      return bad;
    }
    case 1:
      bad[1] = random() & 255;
      return bad;
    case 2:
      for (let k = 10; k < bad.length; k++) bad[k] = random() & 255;
      return bad;
    default:
      return bad.fill(random() & 255, random() % bad.length);
  }
}

it(`${FRAMES} corrupted frames into a station that is connected: no crash, and no state changes by a bad one`, async () => {
  const log = readFileSync("tests/golden/px4-1.17-hexa-gcs-head.tlog");
  const frames: Uint8Array[] = [];
  readTlog(log, (f) => frames.push(Uint8Array.from(log.subarray(f.start, f.end))));
  const clock = new FakeClock(1000);
  let events: TransportEvents | undefined;
  const hub = createLinkHub({
    clock,
    transport: () => ({
      kind: "datagram",
      open: (given) => {
        events = given;
        return Promise.resolve({ ok: true, value: undefined });
      },
      write: () => 1,
      close: () => Promise.resolve(),
    }),
  });
  let state = initialVehicle();
  let texts = noTexts;
  // Frames that became messages; a tlog takes those of unknown kinds as well, the vehicle's state does not.
  const passed: Uint8Array[] = [];
  let raw: Uint8Array = new Uint8Array();
  hub.onRaw(({ bytes }) => {
    raw = bytes;
  });
  hub.onMessage((m) => {
    passed.push(raw);
    state = reduceVehicle(state, m, m.at_ms);
    texts = reduceTexts(texts, m, m.at_ms);
  });
  await hub.open("udpin://127.0.0.1:14550");
  for (const frame of frames) events?.data(frame, "vehicle");
  expect(state.connected).toBe(true);
  expect(passed.length).toBeGreaterThan(frames.length / 2);
  expect(passed.every(isRight)).toBe(true);
  passed.length = 0;
  const [before, textsBefore] = [state, texts];

  let seed = 99;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed >>> 8;
  };
  const wrong: string[] = [];
  let right = 0;
  for (let sent = 0; sent < FRAMES; ) {
    const good = frames[random() % frames.length] ?? new Uint8Array();
    const bad = damaged(good, random);
    if (Buffer.compare(bad, good) === 0) continue;
    const cut = random() % 5 === 0 ? bad.subarray(0, random() % bad.length) : bad;
    events?.data(cut, random() % 2 === 0 ? "vehicle" : "stranger");
    sent += 1;
    if (sent % 1000 === 0) clock.advance(200);
    if (passed.length === 0 && state === before && texts === textsBefore) continue;
    // Chance makes one noise in 65,536 carry a right checksum, and a cut frame whole by the next one's first byte.
    if (passed.length === 0 || !passed.every(isRight)) wrong.push(Buffer.from(cut).toString("hex"));
    right += passed.length;
    passed.length = 0;
    [state, texts] = [before, textsBefore];
  }
  expect(wrong).toEqual([]);
  expect(right).toBeLessThan(FRAMES / 20_000);
  expect(Object.values(hub.status()[0]?.faults ?? {}).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(FRAMES);
  expect(ageVehicle(before, clock.now_ms()).connected).toBe(false);

  // Nothing of it is remembered: the first good frame of the vehicle counts again.
  for (const frame of frames) events?.data(frame, "vehicle");
  expect(state).not.toBe(before);
  expect(state.connected).toBe(true);
  await hub.close();
}, 180_000);
