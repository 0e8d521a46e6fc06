import { describe, expect, test } from "vitest";
import { encodeFrame } from "../link/encode-frame";
import { Framer } from "../link/framing";
import { keyFromPassphrase, Signing, setupSigningFields, signingTime } from "../link/signing";
import type { Incoming } from "./autopilot/port";
import { Codec } from "./mavlink";

const now_ms = Date.UTC(2026, 11, 1);
const vehicle = { system_id: 1, component_id: 1 };

/** A station's end on the station's own codec and signing, so that each end checks the other. */
class Station {
  readonly signing: Signing;
  now_ms = now_ms;
  #seq = 0;

  constructor(passphrase: string | null, link_id = 3) {
    const key = passphrase === null ? null : keyFromPassphrase(passphrase);
    this.signing = new Signing({ key, link_id, utc_ms: () => this.now_ms, accept_unsigned: false });
  }

  frame(name: string, fields: Readonly<Record<string, unknown>>): Uint8Array {
    const header = { version: 2, seq: this.#seq++ & 255, system_id: 255, component_id: 190 } as const;
    return this.signing.sign(
      encodeFrame(name, fields, { ...header, incompat_flags: this.signing.signs ? 1 : 0 }),
    );
  }
  arm(): Uint8Array {
    const params = { param2: 0, param3: 0, param4: 0, param5: 0, param6: 0, param7: 0 };
    return this.frame("COMMAND_LONG", {
      target_system: 1,
      target_component: 1,
      command: 400,
      confirmation: 0,
      param1: 1,
      ...params,
    });
  }
  setup(passphrase: string | null): Uint8Array {
    const key = passphrase === null ? null : keyFromPassphrase(passphrase);
    return this.frame("SETUP_SIGNING", setupSigningFields(vehicle, key, this.now_ms));
  }
  /** What it makes of the vehicle's frames. */
  check(bytes: Uint8Array): string {
    const seen: string[] = [];
    new Framer().push(bytes, (frame) => seen.push(this.signing.check(frame)));
    return seen.join();
  }
}

const heard = (codec: Codec, bytes: Uint8Array): string[] =>
  codec.decode(bytes).messages.map((m: Incoming) => m.name);
const heartbeat = { name: "HEARTBEAT", fields: { type: 13, autopilot: 12 } };

describe("signing of the embedded vehicle, as PX4 1.18", () => {
  test("off until SETUP_SIGNING; afterwards everything is signed with that key and answers come to signed commands only", () => {
    const codec = new Codec(1);
    const plain = new Station(null);
    expect(plain.check(codec.encode(heartbeat))).toBe("unsigned");
    expect(heard(codec, plain.arm())).toEqual(["COMMAND_LONG"]);
    expect(heard(codec, plain.setup("open sesame"))).toEqual([]);
    const own = new Station("open sesame");
    expect(own.check(codec.encode(heartbeat))).toBe("ok");
    expect(own.check(codec.encode(heartbeat))).toBe("ok");
    expect(heard(codec, plain.arm())).toEqual([]);
    expect(heard(codec, own.arm())).toEqual(["COMMAND_LONG"]);
  });

  test("another key and a replay are ignored; a later frame is not", () => {
    const codec = new Codec(1);
    heard(codec, new Station(null).setup("open sesame"));
    const own = new Station("open sesame");
    const once = own.arm();
    expect(heard(codec, new Station("guess").arm())).toEqual([]);
    expect(heard(codec, once)).toEqual(["COMMAND_LONG"]);
    expect(heard(codec, once)).toEqual([]);
    own.now_ms += 1;
    expect(heard(codec, own.arm())).toEqual(["COMMAND_LONG"]);
    const late = new Station("open sesame", 9);
    late.now_ms -= 120_000;
    expect(heard(codec, late.arm())).toEqual([]);
  });

  test("an unsigned zero key does nothing, a signed one ends signing; an unsigned new key is ignored", () => {
    const codec = new Codec(1);
    heard(codec, new Station(null).setup("open sesame"));
    const own = new Station("open sesame");
    heard(codec, new Station(null).setup(null));
    heard(codec, new Station(null).setup("thief"));
    expect(own.check(codec.encode(heartbeat))).toBe("ok");
    heard(codec, own.setup(null));
    expect(own.check(codec.encode(heartbeat))).toBe("unsigned");
    expect(heard(codec, new Station(null).arm())).toEqual(["COMMAND_LONG"]);
  });

  test("its time stamps rise strictly from the one it was set up with, and with its clock", () => {
    const codec = new Codec(1);
    heard(codec, new Station(null).setup("open sesame"));
    const stamp = (): number => Buffer.from(codec.encode(heartbeat)).subarray(-12, -6).readUIntLE(0, 6);
    const first = stamp();
    expect(first).toBeGreaterThanOrEqual(signingTime(now_ms));
    expect(stamp()).toBe(first + 1);
    codec.signing.tick(1000);
    expect(stamp()).toBe(first + 2 + 100_000);
  });
});

describe("a station that speaks MAVLink 1", () => {
  const v1 = (): Uint8Array =>
    encodeFrame(
      "PARAM_REQUEST_READ",
      { target_system: 1, target_component: 1, param_id: "MAV_TYPE", param_index: -1 },
      { version: 1, seq: 0, system_id: 255, component_id: 190 },
    );

  test("is understood and answered in MAVLink 2 by default (MAV_PROTO_VER 2 in 1.17)", () => {
    const codec = new Codec(1);
    expect(heard(codec, v1())).toEqual(["PARAM_REQUEST_READ"]);
    expect(codec.encode(heartbeat)[0]).toBe(0xfd);
  });

  test("MAV_PROTO_VER 0 answers in 1 until 2 is heard, 1 for ever; messages above 255 are left out there", () => {
    const codec = new Codec(1);
    codec.protocol = 0;
    const integer = { name: "PARAM_VALUE", fields: { param_id: "MAV_TYPE", param_value: 13, param_type: 6 } };
    const bytes = codec.encode(integer);
    expect(bytes[0]).toBe(0xfe);
    expect(heard(new Codec(2), bytes)).toEqual(["PARAM_VALUE"]);
    expect(new Codec(2).decode(bytes).messages[0]?.fields["param_value"]).toBe(13);
    expect(codec.encode({ name: "ODOMETRY", fields: {} })).toHaveLength(0);
    heard(codec, new Station(null).arm());
    expect(codec.encode(heartbeat)[0]).toBe(0xfd);
    codec.protocol = 1;
    expect(codec.encode(heartbeat)[0]).toBe(0xfe);
  });
});
