import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Codec } from "./mavlink";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** CRC-16/MCRF4XX, written out here so that nothing of the codec's own library is in the check. */
function crc(bytes: Uint8Array, extra: number): number {
  let c = 0xffff;
  for (const b of [...bytes, extra]) {
    let t = b ^ (c & 255);
    t = (t ^ (t << 4)) & 255;
    c = ((c >> 8) ^ (t << 8) ^ (t << 3) ^ (t >> 4)) & 0xffff;
  }
  return c;
}

describe("encoding", () => {
  test("a heartbeat is the bytes of the specification: MAVLink 2, our system id, trimmed zeros, checksum", () => {
    const frame = new Codec(7).encode({
      name: "HEARTBEAT",
      fields: {
        type: 13,
        autopilot: 12,
        base_mode: 157,
        custom_mode: 0x02040000,
        system_status: 4,
        mavlink_version: 3,
      },
    });
    expect(hex(frame.slice(0, 19))).toBe("fd09000000" + "0701" + "000000" + "00000402" + "0d0c9d0403");
    expect(frame[19]! | (frame[20]! << 8)).toBe(crc(frame.slice(1, 19), 50));
  });

  test("sequence numbers count per codec and wrap", () => {
    const [a, b] = [new Codec(1), new Codec(1)];
    const message = { name: "PING", fields: { seq: 1 } };
    expect([a.encode(message)[4], a.encode(message)[4], b.encode(message)[4]]).toEqual([0, 1, 0]);
    for (let i = 0; i < 254; i++) a.encode(message);
    expect(a.encode(message)[4]).toBe(0);
  });

  test("NaN in an integer field is a bug here, not a silent zero; out of range is clamped; text stays ASCII", () => {
    const codec = new Codec(1);
    expect(() => codec.encode({ name: "COMMAND_ACK", fields: { command: Number.NaN } })).toThrow("Invariant");
    const [back] = codec.decode(
      codec.encode({ name: "VFR_HUD", fields: { throttle: 99999, airspeed: Number.NaN } }),
    ).messages;
    expect(back?.fields["throttle"]).toBe(65535);
    expect(back?.fields["airspeed"]).toBeNaN();
    const [text] = codec.decode(
      codec.encode({ name: "STATUSTEXT", fields: { text: "no 🚁 here" } }),
    ).messages;
    expect(text?.fields["text"]).toBe("no ?? here");
  });

  test("integer parameters travel bit-cast in the float field, as in PX4", () => {
    const codec = new Codec(1);
    const frame = codec.encode({
      name: "PARAM_VALUE",
      fields: { param_id: "MAV_TYPE", param_value: 13, param_type: 6, param_count: 1, param_index: 0 },
    });
    expect(hex(frame.slice(10, 14))).toBe("0d000000");
    const float = codec.encode({
      name: "PARAM_VALUE",
      fields: { param_id: "MC_ROLL_P", param_value: 6.5, param_type: 9, param_count: 1, param_index: 0 },
    });
    expect(hex(float.slice(10, 14))).toBe("0000d040");
  });

  test("every 32-bit integer parameter survives, also those whose bits are a NaN", () => {
    const codec = new Codec(1);
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -2147483648, max: 2147483647 }), fc.constantFrom(-1, -8388607)),
        (value) => {
          const frame = codec.encode({
            name: "PARAM_SET",
            fields: { param_id: "X", param_value: value, param_type: 6 },
          });
          expect(frame[frame.length - 2]! | (frame[frame.length - 1]! << 8)).toBe(
            crc(frame.slice(1, -2), 168),
          );
          expect(codec.decode(frame).messages[0]?.fields["param_value"]).toBe(value);
        },
      ),
    );
  });
});

describe("decoding", () => {
  test("an event frame recorded from a PX4 1.17.0 passes our definition's checksum", () => {
    const frame = Buffer.concat([
      Buffer.from("fd0d00000001019a0100", "hex"),
      Buffer.from("69454101d86400000b00000066", "hex"),
    ]);
    const sum = crc(frame.subarray(1), 160);
    const whole = Buffer.concat([frame, Buffer.from([sum & 255, sum >> 8])]);
    const { messages, bad } = new Codec(1).decode(whole);
    expect(bad).toBe(0);
    expect(messages[0]).toMatchObject({
      name: "EVENT",
      fields: { id: 0x01414569, sequence: 11, log_levels: 0x66 },
    });
  });

  test("a flipped bit anywhere in a frame never yields a message (mavlink/MAVSDK#2734)", () => {
    const codec = new Codec(1);
    const frame = codec.encode({
      name: "COMMAND_ACK",
      fields: { command: 400, result: 0, target_system: 255 },
    });
    for (let bit = 0; bit < frame.length * 8; bit++) {
      const broken = Uint8Array.from(frame);
      broken[bit >> 3] = broken[bit >> 3]! ^ (1 << (bit & 7));
      expect(codec.decode(broken).messages).toEqual([]);
    }
  });

  test("two frames in one datagram, with rubbish before, between and after", () => {
    const codec = new Codec(1);
    const ping = codec.encode({ name: "PING", fields: { seq: 5 } });
    const datagram = Buffer.concat([
      Buffer.from([0xfd, 3, 7]),
      ping,
      Buffer.from([1, 2]),
      ping,
      Buffer.from([0xfe]),
    ]);
    const { messages, bad } = codec.decode(datagram);
    expect(messages.map((m) => m.fields["seq"])).toEqual([5, 5]);
    expect(bad).toBe(6);
  });

  test("arbitrary bytes throw nothing", () => {
    const codec = new Codec(1);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(codec.decode(bytes).messages.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  test("a MAVLink 1 frame is understood too", () => {
    const body = Buffer.from([9, 0, 255, 190, 0, 0, 0, 0, 0, 6, 8, 0, 0, 3]);
    const sum = crc(body, 50);
    const { messages } = new Codec(1).decode(
      Buffer.concat([Buffer.from([0xfe]), body, Buffer.from([sum & 255, sum >> 8])]),
    );
    expect(messages[0]).toMatchObject({
      name: "HEARTBEAT",
      system_id: 255,
      component_id: 190,
      fields: { type: 6 },
    });
  });
});
