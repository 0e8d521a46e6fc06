import * as fc from "fast-check";
import { expect, test } from "vitest";
import { crc32 } from "./crc32";

/** The textbook form, one bit at a time. */
function slow(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

test("crc32 gives the check value of the standard", () => {
  expect(crc32(Buffer.from("123456789"))).toBe(0xcbf43926);
});

test("crc32 agrees with the textbook form, whole and in two parts", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(200), (bytes, cut) => {
      expect(crc32(bytes)).toBe(slow(bytes));
      expect(crc32(bytes.subarray(cut), crc32(bytes.subarray(0, cut)))).toBe(slow(bytes));
    }),
  );
});
