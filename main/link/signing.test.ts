import { describe, expect, it } from "vitest";
import { encodePayload } from "./codec";
import { encodeFrame } from "./encode-frame";
import { type FrameView, INCOMPAT_SIGNED } from "./frame";
import { Framer } from "./framing";
import { keyFromPassphrase, Signing, setupSigningFields, signingTime } from "./signing";

const NOW_ms = Date.UTC(2026, 5, 1);
const key = keyFromPassphrase("correct horse");
const heartbeat = {
  type: 2,
  autopilot: 12,
  base_mode: 0,
  custom_mode: 7,
  system_status: 3,
  mavlink_version: 3,
};
const plain = (signed: boolean, system_id = 1) =>
  encodeFrame("HEARTBEAT", heartbeat, {
    version: 2,
    seq: 1,
    system_id,
    component_id: 1,
    incompat_flags: signed ? INCOMPAT_SIGNED : 0,
  });
const signer = (change: Partial<ConstructorParameters<typeof Signing>[0]> = {}) =>
  new Signing({ key, link_id: 1, utc_ms: () => NOW_ms, accept_unsigned: false, ...change });

/** Runs bytes through a framer and hands each frame over. */
function frames(bytes: Uint8Array, each: (frame: FrameView) => void): void {
  new Framer().push(bytes, each);
}
function judged(station: Signing, bytes: Uint8Array): [boolean, string, string] {
  let result: [boolean, string, string] = [false, "no frame", ""];
  frames(bytes, (frame) => {
    const accepted = station.accept(frame);
    result = [accepted, station.state, station.advice];
  });
  return result;
}

describe("signing", () => {
  it("ArduPilot/ardupilot#12077, mavlink/qgroundcontrol#14160: signed, unsigned, replayed, wrong key, no key are five different things", () => {
    const vehicle = signer({ link_id: 7 });
    const good = vehicle.sign(plain(true));
    const station = signer();
    expect(judged(station, good)).toEqual([true, "ok", ""]);
    expect(judged(station, good).slice(0, 2)).toEqual([false, "replayed"]);
    expect(judged(station, plain(false)).slice(0, 2)).toEqual([false, "unsigned"]);
    expect(
      judged(station, signer({ key: keyFromPassphrase("wrong") }).sign(plain(true))).slice(0, 2),
    ).toEqual([false, "wrong_key"]);
    expect(judged(signer({ key: null }), good).slice(0, 2)).toEqual([true, "no_key"]);
    const advices = [good, plain(false)].map((bytes) => judged(station, bytes)[2]);
    expect(new Set(advices).size).toBe(2);
  });

  it("takes unsigned frames only while it is being set up, but says so; radios never sign", () => {
    expect(judged(signer({ accept_unsigned: true }), plain(false)).slice(0, 2)).toEqual([true, "unsigned"]);
    expect(judged(signer({ key: null }), plain(false))).toEqual([true, "off", ""]);
    const radio = { rssi: 1, remrssi: 1, txbuf: 1, noise: 1, remnoise: 1, rxerrors: 0, fixed: 0 };
    const frame = encodeFrame("RADIO_STATUS", radio, { version: 2, seq: 0, system_id: 51, component_id: 68 });
    expect(judged(signer(), frame)[0]).toBe(true);
  });

  it("uses each time stamp once, within one millisecond, with the clock set back and after a restart", () => {
    let utc_ms = NOW_ms;
    const ours = signer({ utc_ms: () => utc_ms });
    const stamps: number[] = [];
    const stamp = (signing: Signing) => {
      signing.sign(plain(true));
      stamps.push(signing.last_timestamp);
    };
    for (let i = 0; i < 500; i++) stamp(ours);
    utc_ms -= 60_000;
    for (let i = 0; i < 500; i++) stamp(ours);
    const again = signer({ utc_ms: () => utc_ms, last_timestamp: ours.last_timestamp });
    stamp(again);
    expect(stamps.every((value, i) => i === 0 || value > (stamps[i - 1] ?? 0))).toBe(true);
  });

  it("keeps the streams of components and links apart, and refuses an old recording from the start", () => {
    const station = signer();
    const [a, b] = [signer({ link_id: 1 }), signer({ link_id: 2 })];
    const [first, second] = [a.sign(plain(true)), b.sign(plain(true))];
    expect(judged(station, first)[0]).toBe(true);
    expect(judged(station, second)[0]).toBe(true);
    expect(judged(station, b.sign(plain(true, 2)))[0]).toBe(true);
    const yesterday = signer({ utc_ms: () => NOW_ms - 86_400_000 }).sign(plain(true));
    expect(judged(signer(), yesterday).slice(0, 2)).toEqual([false, "replayed"]);
  });

  it("is what node-mavlink signs and checks", async () => {
    const peer = await import("node-mavlink");
    const protocol = new peer.MavLinkProtocolV2(1, 1, peer.MavLinkProtocolV2.IFLAG_SIGNED);
    const theirs = protocol.sign(Buffer.from(plain(true)), 3, Buffer.from(key), NOW_ms);
    expect(judged(signer(), theirs)).toEqual([true, "ok", ""]);
    const ours = Buffer.from(signer().sign(plain(true)));
    const signature = new peer.MavLinkPacketSignature(ours.subarray(0));
    expect(signature.matches(Buffer.from(key))).toBe(true);
    expect(peer.MavLinkPacketSignature.key("correct horse")).toEqual(Buffer.from(key));
  });

  it("one flipped bit anywhere in a signed frame is never accepted", () => {
    const good = signer().sign(plain(true));
    for (let bit = 0; bit < good.length * 8; bit++) {
      const bad = good.slice();
      bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(judged(signer(), bad)[0]).toBe(false);
    }
  });

  it("hands the key over, or takes it back with a zero key", () => {
    const fields = setupSigningFields({ system_id: 1, component_id: 1 }, key, NOW_ms);
    expect(encodePayload("SETUP_SIGNING", fields).ok).toBe(true);
    expect(fields["initial_timestamp"]).toBe(signingTime(NOW_ms));
    const off = setupSigningFields({ system_id: 1, component_id: 1 }, null, NOW_ms);
    expect((off["secret_key"] as number[]).every((byte) => byte === 0)).toBe(true);
  });
});
