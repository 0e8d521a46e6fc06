import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame } from "./encode-frame";
import type { FrameView } from "./frame";
import { beginsWithFrame, Framer } from "./framing";
import { readTlog } from "./tlog";

const heartbeat = {
  type: 2,
  autopilot: 12,
  base_mode: 29,
  custom_mode: 50_593_792,
  system_status: 3,
  mavlink_version: 3,
};
const ack = {
  command: 400,
  result: 0,
  progress: 0,
  result_param2: 0,
  target_system: 255,
  target_component: 190,
};
const frame = (
  seq: number,
  version: 1 | 2 = 2,
  name = "HEARTBEAT",
  fields: Record<string, unknown> = heartbeat,
) => encodeFrame(name, fields, { version, seq, system_id: 1, component_id: 1 });
const join = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

interface Seen {
  readonly seqs: number[];
  readonly names: (string | number)[];
  readonly sink: (frame: FrameView) => void;
}
function seen(): Seen {
  const seqs: number[] = [];
  const names: (string | number)[] = [];
  return {
    seqs,
    names,
    sink: (f) => {
      seqs.push(f.seq);
      names.push(f.def?.name ?? f.id);
    },
  };
}

describe("good frames", () => {
  it("mavlink/MAVSDK#2864: one stream alternating MAVLink 1 and 2", () => {
    const framer = new Framer();
    const out = seen();
    framer.push(join(...Array.from({ length: 20 }, (_, i) => frame(i, i % 2 === 0 ? 1 : 2))), out.sink);
    expect(out.seqs).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(framer.faults.garbage_bytes).toBe(0);
  });

  it("are found whatever way the stream is cut", () => {
    const bytes = join(
      ...Array.from({ length: 12 }, (_, i) => frame(i, i % 3 === 0 ? 1 : 2, "COMMAND_ACK", ack)),
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 40 }), (cuts) => {
        const framer = new Framer();
        const out = seen();
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        for (let i = 1; i < at.length; i++) framer.push(bytes.slice(at[i - 1], at[i]), out.sink);
        expect(out.seqs).toEqual(Array.from({ length: 12 }, (_, i) => i));
      }),
    );
  });

  it("are never lost to false start bytes before them: random noise full of them", () => {
    const noise = fc.array(fc.oneof(fc.constantFrom(0xfe, 0xfd), fc.integer({ min: 0, max: 255 })), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.array(noise, { minLength: 1, maxLength: 8 }), (noises) => {
        const framer = new Framer();
        const out = seen();
        const parts = noises.flatMap((bytes, i) => [Uint8Array.from(bytes), frame(i)]);
        framer.push(join(...parts), out.sink);
        framer.flush(out.sink);
        expect(out.names.filter((name) => name === "HEARTBEAT").length).toBe(noises.length);
      }),
      { numRuns: 500 },
    );
  });

  it("node-mavlink's fault: a false start of length 255 does not hold back the frame inside it", () => {
    const framer = new Framer();
    const out = seen();
    framer.push(join(Uint8Array.of(0xfd, 255, 0, 0, 1, 2, 3, 0xaa, 0xbb, 0xcc), frame(5)), out.sink);
    expect(out.seqs).toEqual([5]);
  });

  it("node-mavlink's fault: an unknown id does not swallow the good frame inside its alleged length", () => {
    const framer = new Framer();
    const out = seen();
    const false_start = Uint8Array.of(0xfd, 40, 0, 0, 1, 2, 3, 0xaa, 0xbb, 0xcc);
    framer.push(join(false_start, frame(5), frame(6), frame(7)), out.sink);
    expect(out.seqs).toEqual([5, 6, 7]);
  });
});

describe("bad frames", () => {
  it("mavlink/MAVSDK#2734: one flipped bit of a COMMAND_ACK, any bit, and it is not accepted", () => {
    const good = frame(1, 2, "COMMAND_ACK", ack);
    for (let bit = 0; bit < good.length * 8; bit++) {
      const bad = good.slice();
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const framer = new Framer();
      const out = seen();
      framer.push(bad, out.sink);
      framer.flush(out.sink);
      expect(out.names.filter((name) => typeof name === "string")).toEqual([]);
    }
  });

  it("are counted by kind", () => {
    const framer = new Framer();
    const out = seen();
    const bad_crc = frame(1);
    bad_crc[12] = (bad_crc[12] ?? 0) ^ 1;
    const bad_flags = frame(2);
    bad_flags[2] = 0x40;
    const bad_length = frame(3, 1);
    bad_length[1] = 8;
    framer.push(join(bad_crc, frame(4), bad_flags, frame(5), bad_length, frame(6)), out.sink);
    expect(out.seqs).toEqual([4, 5, 6]);
    expect(framer.faults).toMatchObject({ bad_checksum: 1, bad_flags: 1, bad_length: 1, unknown_message: 0 });
  });

  it("unknown messages pass as unknown when they stand between frames, and only then", () => {
    const unknown = Uint8Array.of(0xfd, 3, 0, 0, 9, 1, 1, 0xaa, 0xbb, 0xcc, 1, 2, 3, 0x12, 0x34);
    const framer = new Framer();
    const out = seen();
    framer.push(join(frame(1), unknown, frame(2), unknown), out.sink);
    expect(out.names).toEqual(["HEARTBEAT", 0xccbbaa, "HEARTBEAT", 0xccbbaa]);
    framer.push(join(unknown, Uint8Array.of(1, 2, 3), frame(3)), out.sink);
    expect(out.names.slice(4)).toEqual(["HEARTBEAT"]);
  });

  it("a cut frame is given up at the flush, and what began inside it is found", () => {
    const framer = new Framer();
    const out = seen();
    const cut = frame(1, 2, "COMMAND_ACK", ack).slice(0, 12);
    framer.push(join(cut, frame(2).slice(0, 4)), out.sink);
    expect(out.seqs).toEqual([]);
    framer.push(frame(2).slice(4), out.sink);
    framer.flush(out.sink);
    expect(out.seqs).toEqual([2]);
    expect(beginsWithFrame(frame(3))).toBe(true);
    expect(beginsWithFrame(cut)).toBe(false);
  });
});

/** A small generator, so that a failing run can be repeated from its seed. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (state ^ (state >>> 16)) >>> 0;
  };
}

it("a hundred thousand mutated frames of a real flight: no crash, and none of them passes", () => {
  const log = readFileSync("tests/golden/px4-1.17-hexa-gcs-head.tlog");
  const frames: Uint8Array[] = [];
  readTlog(log, (f) => frames.push(log.subarray(f.start, f.end)));
  const next = random(7);
  let passed = 0;
  const framer = new Framer();
  for (let i = 0; i < 100_000; i++) {
    const bad = (frames[next() % frames.length] as Uint8Array).slice();
    // One to three flipped bits: always caught by the checksum while the length is untouched.
    const flips = 1 + (next() % 3);
    for (let k = 0; k < flips; k++) {
      const at = 4 + (next() % (bad.length - 4));
      bad[at] = (bad[at] ?? 0) ^ (1 << (next() % 8));
    }
    const same = frames.some((f) => f.length === bad.length && Buffer.compare(f, bad) === 0);
    if (same) continue;
    framer.push(bad, (f) => {
      if (f.def !== undefined && f.start === 0) passed++;
    });
    framer.flush(() => {});
  }
  expect(passed).toBe(0);
});

it("random bytes never crash the framer and never look like messages", () => {
  const next = random(11);
  const framer = new Framer();
  let known = 0;
  const bytes = new Uint8Array(4096);
  for (let i = 0; i < 500; i++) {
    for (let k = 0; k < bytes.length; k++) bytes[k] = next() & 0xff;
    framer.push(bytes, (f) => {
      if (f.def !== undefined) known++;
    });
  }
  expect(known).toBe(0);
});
