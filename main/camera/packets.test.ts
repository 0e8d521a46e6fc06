import fc from "fast-check";
import { expect, test } from "vitest";
import { cameraMagic } from "#contract/camera-wire";
import { type CameraPacket, PacketReader } from "./packets";

function packet(header: unknown, payload: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(12);
  head.writeUInt32LE(cameraMagic, 0);
  head.writeUInt32LE(json.length, 4);
  head.writeUInt32LE(payload.length, 8);
  return Buffer.concat([head, json, payload]);
}
const frame = (seq: number): Buffer =>
  packet(
    { kind: "frame", seq, captured_us: 5, width: 2, height: 1, depth_unit_m: 0.001 },
    Uint8Array.from([1, 2, 3, 4, 5, 6, 0x10, 0x27, 0, 0]),
  );

test("packets survive any cutting of the stream, and the arrays are the receiver's own", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 40 }), (cuts) => {
      const stream = Buffer.concat([frame(1), frame(2), frame(3)]);
      const reader = new PacketReader();
      const got: CameraPacket[] = [];
      let at = 0;
      for (const cut of [...cuts, stream.length]) {
        const read = reader.push(Buffer.from(stream.subarray(at, at + cut)));
        if (read.ok) got.push(...read.value);
        else throw new Error(read.error);
        at += cut;
      }
      expect(got.map((p) => ("frame" in p ? p.frame.header.seq : null))).toEqual([1, 2, 3]);
      const [first] = got;
      expect(first !== undefined && "frame" in first && [...first.frame.depth]).toEqual([10000, 0]);
    }),
  );
});

test.each([
  ["a false start", Buffer.from("hello there, no camera here")],
  ["an impossible size", Buffer.from("KFC1\xff\xff\xff\xff\xff\xff\xff\xff", "latin1")],
  [
    "a header that is no JSON",
    Buffer.concat([packet({}, new Uint8Array(0)).subarray(0, 12), Buffer.from("{x")]),
  ],
  [
    "a payload of the wrong length",
    packet(
      { kind: "frame", seq: 1, captured_us: 5, width: 2, height: 2, depth_unit_m: 1 },
      new Uint8Array(3),
    ),
  ],
])("%s is an error, not a crash", (_, bytes) => {
  expect(new PacketReader().push(bytes).ok).toBe(false);
});
