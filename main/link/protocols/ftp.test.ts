import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FakeClock } from "../../../tests/support/fake-clock";
import { FakeFiles } from "../../../tests/support/fake-files";
import { lossyLink } from "../../../tests/support/lossy-link";
import { settleWithin } from "../../../tests/support/settle";
import type { Faults } from "../faulty";
import { FtpService } from "./ftp";
import { ftpCrc32 } from "./ftp-wire";
import { type LogEntry, LogService } from "./logs";
import { Ranges } from "./ranges";

const target = { system_id: 1, component_id: 1 };
const content = (length: number) => Uint8Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 255);
const bad: Faults = { loss: 0.2, delay_ms: 300, duplicate: 0.1, reorder: 0.1, seed: 77 };

async function setup(faults: Faults = {}) {
  const clock = new FakeClock(1000);
  const link = await lossyLink(clock, faults);
  const fake = new FakeFiles(link.vehicle, clock);
  fake.files.set("/etc/extras/parameters.json.xz", content(5000));
  return {
    ...link,
    clock,
    fake,
    ftp: new FtpService(link.station, clock, target),
    logs: new LogService(link.station, clock, target),
    wait: <T>(promise: Promise<T>) => settleWithin(clock, promise),
  };
}
const PATH = "/etc/extras/parameters.json.xz";

describe("files", () => {
  it("with 20 % loss and 300 ms of delay both ways arrive whole and verified", async () => {
    const { ftp, wait } = await setup(bad);
    expect(await wait(ftp.download(PATH))).toEqual({
      ok: true,
      value: { bytes: content(5000), verified: true },
    });
  });

  it("PX4/PX4-Autopilot#28695: the last block lost in every burst", async () => {
    const { ftp, fake, wait } = await setup();
    fake.holdBackLast = true;
    expect(await wait(ftp.download(PATH))).toMatchObject({ ok: true, value: { verified: true } });
  });

  it("PX4/PX4-Autopilot#28695: the session closed in the middle is opened again and what is there is kept", async () => {
    const { ftp, fake, wait } = await setup();
    fake.closeAfter = 10;
    expect(await wait(ftp.download(PATH))).toMatchObject({ ok: true, value: { bytes: content(5000) } });
    expect(fake.opened).toBe(2);
  });

  it("mavlink/MAVSDK#3106: silently wrong bytes are told by the checksum", async () => {
    const { ftp, fake, wait } = await setup();
    fake.corrupt = true;
    expect(await wait(ftp.download(PATH))).toMatchObject({ ok: false, error: { kind: "corrupt" } });
    fake.corrupt = false;
    fake.noCrc = true;
    expect(await wait(ftp.download(PATH))).toMatchObject({ ok: true, value: { verified: false } });
  });

  it("that are not there, a silent vehicle and a second transfer each say so", async () => {
    const { ftp, faulty, wait } = await setup();
    expect(await wait(ftp.download("/nope"))).toMatchObject({ error: { kind: "not_found" } });
    faulty.cut = true;
    const first = ftp.download(PATH);
    expect(await ftp.list("/")).toMatchObject({ error: { kind: "busy" } });
    expect(await wait(first)).toMatchObject({ error: { kind: "unanswered" } });
  });

  it("are listed over several replies, and an empty one is read", async () => {
    const { ftp, fake, wait } = await setup(bad);
    fake.files.set("b", content(3)).set("c", new Uint8Array(0)).set("d", content(1));
    const list = await wait(ftp.list("/etc"));
    expect(list.ok && list.value.map((entry) => [entry.name, entry.size])).toEqual([
      [PATH, 5000],
      ["b", 3],
      ["c", 0],
      ["d", 1],
    ]);
    expect(await wait(ftp.download("c"))).toMatchObject({ ok: true, value: { bytes: new Uint8Array(0) } });
  });

  it("have the checksum that PX4 computes: from zero, without inversion", () => {
    expect(ftpCrc32(new TextEncoder().encode("123456789"))).toBe(0x2dfd2d88);
  });
});

describe("logs", () => {
  const log = { id: 3, bytes: content(100_000), utc_s: 1_700_000_000 };
  const into = (bytes: Uint8Array) => ({
    write: (offset: number, part: Uint8Array) => bytes.set(part, offset),
  });

  it("with 20 % loss and 300 ms of delay both ways equal what the vehicle has", async () => {
    const { logs, fake, wait } = await setup(bad);
    fake.logs = [log, { id: 5, bytes: content(10), utc_s: 0 }];
    const list = await wait(logs.list());
    expect(list).toEqual({
      ok: true,
      value: [
        { id: 3, size: 100_000, utc_s: 1_700_000_000 },
        { id: 5, size: 10, utc_s: null },
      ],
    });
    const bytes = new Uint8Array(100_000);
    const progress: number[] = [];
    const entry: LogEntry = { id: 3, size: 100_000, utc_s: null };
    const result = await wait(logs.download(entry, into(bytes), { onProgress: (n) => progress.push(n) }));
    expect(result).toEqual({ ok: true, value: undefined });
    expect(bytes).toEqual(log.bytes);
    expect(progress.at(-1)).toBe(100_000);
  });

  it("cut in the middle say how much is there, and go on from it", async () => {
    const { logs, fake, faulty, wait } = await setup();
    fake.logs = [log];
    const bytes = new Uint8Array(100_000);
    const entry: LogEntry = { id: 3, size: 100_000, utc_s: null };
    const cut = await wait(
      logs.download(entry, into(bytes), {
        onProgress: (n) => {
          if (n > 40_000) faulty.cut = true;
        },
      }),
    );
    if (cut.ok) throw new Error("was not cut");
    expect(cut.error.kind).toBe("unanswered");
    expect(cut.error.have).toBeGreaterThan(39_000);
    faulty.cut = false;
    expect((await wait(logs.download(entry, into(bytes), { from: cut.error.have }))).ok).toBe(true);
    expect(bytes).toEqual(log.bytes);
  });

  it("can be stopped, and no logs is an answer", async () => {
    const { logs, fake, wait } = await setup();
    expect(await wait(logs.list())).toEqual({ ok: true, value: [] });
    fake.logs = [log];
    const stop = new AbortController();
    const download = logs.download({ id: 3, size: 100_000, utc_s: null }, into(new Uint8Array(100_000)), {
      signal: stop.signal,
    });
    stop.abort();
    expect(await wait(download)).toMatchObject({ error: { kind: "cancelled" } });
  });
});

it("ranges know what is missing whatever comes in whatever order", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(200), fc.nat(60))), (parts) => {
      const ranges = new Ranges(200);
      const have = new Array<boolean>(200).fill(false);
      for (const [from, length] of parts) {
        ranges.add(from, from + length);
        have.fill(true, from, from + length);
      }
      expect(ranges.received).toBe(have.filter(Boolean).length);
      const first = have.indexOf(false);
      expect(ranges.gap()?.from ?? -1).toBe(first);
      expect(ranges.contiguous).toBe(first < 0 ? 200 : first);
    }),
  );
});
