import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { ageVehicle, initialVehicle, noTexts, reduceTexts, reduceVehicle } from "../vehicle";
import { createLinkHub } from "./hub";
import type { TransportEvents } from "./port";
import { readTlog } from "./tlog";

/** A million in the nightly run; enough of them in every run to find a mistake. */
const FRAMES = Number(process.env["KINGFISHER_FUZZ"] ?? 60_000);

it(`${FRAMES} corrupted frames into a station that is connected: no crash, and no state changes by any of them`, async () => {
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
  hub.onMessage((m) => {
    state = reduceVehicle(state, m, m.at_ms);
    texts = reduceTexts(texts, m, m.at_ms);
  });
  await hub.open("udpin://127.0.0.1:14550");
  for (const frame of frames) events?.data(frame, "vehicle");
  expect(state.connected).toBe(true);
  const [before, textsBefore] = [state, texts];

  let seed = 99;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed >>> 8;
  };
  for (let i = 0; i < FRAMES; i++) {
    const good = frames[random() % frames.length]!;
    const bad = good.slice();
    switch (random() % 4) {
      case 0: {
        // One to three bits: the checksum's guarantee.
        const flips = 1 + (random() % 3);
        for (let k = 0; k < flips; k++) {
          const at = 4 + (random() % (bad.length - 4));
          bad[at] = (bad[at] ?? 0) ^ (1 << (random() % 8));
        }
        break;
      }
      case 1:
        bad[1] = random() & 255;
        break;
      case 2:
        for (let k = 10; k < bad.length; k++) bad[k] = random() & 255;
        break;
      default:
        bad.fill(random() & 255, random() % bad.length);
    }
    if (Buffer.compare(bad, good) !== 0)
      events?.data(random() % 5 === 0 ? bad.subarray(0, random() % bad.length) : bad, "stranger");
    if (i % 1000 === 0) clock.advance(200);
  }
  expect(state).toBe(before);
  expect(texts).toBe(textsBefore);
  expect(ageVehicle(state, clock.now_ms()).connected).toBe(false);
  await hub.close();
});
