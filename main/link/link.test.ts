import { describe, expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { lossyLink } from "../../tests/support/lossy-link";
import { initialVehicle, reduceVehicle } from "../vehicle";
import { encodeFrame } from "./encode-frame";
import { FaultyTransport } from "./faulty";
import { startForwarder } from "./forwarder";
import { createLinkHub } from "./hub";
import type { RawFrame, Received, Transport, TransportEvents } from "./port";

const heartbeat = {
  type: 2,
  autopilot: 12,
  base_mode: 29,
  custom_mode: 0,
  system_status: 3,
  mavlink_version: 3,
};
const from = (system_id: number, version: 1 | 2 = 2, change = {}, seq = 0) =>
  encodeFrame("HEARTBEAT", { ...heartbeat, ...change }, { version, seq, system_id, component_id: 1 });

/** A transport whose other end is the test. */
class Loose implements Transport {
  kind: "datagram" | "stream" = "datagram";
  events: TransportEvents | undefined;
  written: { bytes: Uint8Array; to: string | undefined }[] = [];
  open(events: TransportEvents) {
    this.events = events;
    return Promise.resolve({ ok: true as const, value: undefined });
  }
  write(bytes: Uint8Array, to: string | undefined) {
    this.written.push({ bytes, to });
    return 1;
  }
  close() {
    return Promise.resolve();
  }
}
async function setup(count = 1) {
  const clock = new FakeClock(1000);
  const ends: Loose[] = [];
  const hub = createLinkHub({
    clock,
    transport: () => {
      const end = new Loose();
      ends.push(end);
      return end;
    },
  });
  for (let i = 0; i < count; i++) await hub.open(`udpin://127.0.0.1:${14_550 + i}`);
  const heard: Received[] = [];
  hub.onMessage((message) => heard.push(message));
  return { clock, hub, ends, heard };
}

describe("several links to one vehicle", () => {
  it("use one at a time; a silent one gives way, and commands follow", async () => {
    const { clock, hub, ends, heard } = await setup(2);
    const [wifi, radio] = ends as [Loose, Loose];
    const both = () => {
      wifi.events?.data(from(1), "a");
      radio.events?.data(from(1), "b");
    };
    both();
    both();
    expect(heard.map((m) => m.link)).toEqual(["udpin://127.0.0.1:14550", "udpin://127.0.0.1:14550"]);
    expect(hub.status().map((s) => s.primary)).toEqual([true, false]);
    clock.advance(1600);
    radio.events?.data(from(1), "b");
    expect(heard.at(-1)?.link).toBe("udpin://127.0.0.1:14551");
    hub.send("PARAM_REQUEST_LIST", { target_system: 1, target_component: 1 });
    expect([wifi.written.length, radio.written.length]).toEqual([0, 1]);
    await hub.closeLink("udpin://127.0.0.1:14551");
    wifi.events?.data(from(1), "a");
    expect(hub.status()).toMatchObject([{ primary: true }]);
  });

  it("a vehicle that comes from another port is answered there", async () => {
    const { hub, ends } = await setup();
    ends[0]?.events?.data(from(1), "10.0.0.1:1000");
    ends[0]?.events?.data(from(1), "10.0.0.1:2000");
    hub.send("PARAM_REQUEST_LIST", { target_system: 1, target_component: 1 });
    expect(ends[0]?.written[0]?.to).toBe("10.0.0.1:2000");
  });

  it("cut, half open and restored: what is known ages, and goes on without a restart", async () => {
    const clock = new FakeClock(1000);
    const { station, vehicle, faulty } = await lossyLink(clock, { delay_ms: 10 });
    let state = initialVehicle();
    station.onMessage((m) => {
      state = reduceVehicle(state, m, m.at_ms);
    });
    const beat = async (times: number) => {
      for (let i = 0; i < times; i++) {
        vehicle.send("HEARTBEAT", heartbeat);
        await clock.advanceAsync(500, 50);
      }
    };
    await beat(4);
    const before = state.heartbeat_at_ms ?? 0;
    expect(station.status()[0]).toMatchObject({ state: "open", loss: 0 });
    faulty.deaf = true;
    await beat(8);
    expect(state.heartbeat_at_ms).toBe(before);
    expect(station.status()[0]).toMatchObject({ state: "silent" });
    faulty.deaf = false;
    faulty.peerSuffix = "-moved";
    await beat(2);
    expect(state.heartbeat_at_ms).toBeGreaterThan(before);
    expect(station.status()[0]).toMatchObject({ state: "open", advice: "" });
    expect(faulty).toBeInstanceOf(FaultyTransport);
  });
});

describe("a link", () => {
  it("ArduPilot/apm_planner#1228: another station with our number is told, not fought", async () => {
    const { hub, ends, heard } = await setup();
    ends[0]?.events?.data(from(1), "a");
    ends[0]?.events?.data(from(255, 2, { type: 6, autopilot: 8 }), "a");
    expect(hub.status()[0]?.advice).toContain("another ground station also calls itself system 255");
    expect(heard.length).toBe(2);
    expect(ends[0]?.written).toEqual([]);
  });

  it("answers a vehicle that speaks only MAVLink 1 in kind, and offers 2 in its heartbeat", async () => {
    const { hub, ends } = await setup();
    const start = () => ends[0]?.written.splice(0).map(({ bytes }) => bytes[0]);
    hub.send("HEARTBEAT", heartbeat);
    expect(start()).toEqual([0xfd]);
    ends[0]?.events?.data(from(1, 1), "a");
    hub.send("PARAM_REQUEST_LIST", { target_system: 1, target_component: 1 });
    expect(start()).toEqual([0xfe]);
    hub.send("HEARTBEAT", heartbeat);
    expect(start()).toEqual([0xfe, 0xfd]);
    hub.send("REQUEST_EVENT", { target_system: 1, target_component: 1, first_sequence: 0, last_sequence: 1 });
    expect(start()).toEqual([]);
    ends[0]?.events?.data(from(1, 2), "a");
    hub.send("PARAM_REQUEST_LIST", { target_system: 1, target_component: 1 });
    expect(start()).toEqual([0xfd]);
  });

  it("puts a frame together from two datagrams, but lets a cut one go when a whole one follows", async () => {
    const { ends, heard, clock } = await setup();
    const frame = from(1);
    ends[0]?.events?.data(frame.slice(0, 9), "a");
    ends[0]?.events?.data(frame.slice(9), "a");
    expect(heard.length).toBe(1);
    ends[0]?.events?.data(frame.slice(0, 9), "a");
    ends[0]?.events?.data(from(1), "a");
    expect(heard.length).toBe(2);
    ends[0]?.events?.data(frame.slice(0, 9), "a");
    clock.advance(1000);
    ends[0]?.events?.data(from(1), "a");
    expect(heard.length).toBe(3);
  });
});

describe("the forwarder", () => {
  it("lets other stations watch, and command only when they may; their heartbeats never reach the vehicle", async () => {
    const { hub, ends, clock } = await setup();
    const others = new Loose();
    const raw: RawFrame[] = [];
    hub.onRaw((frame) => raw.push(frame));
    const started = await startForwarder(hub, others, clock);
    const forwarder = started.ok ? started.value : null;
    ends[0]?.events?.data(from(1), "vehicle");
    ends[0]?.events?.data(from(255, 2, { type: 6, autopilot: 8 }), "vehicle");
    expect(others.written.map(({ bytes }) => [...bytes])).toEqual([[...from(1)]]);
    const request = encodeFrame(
      "PARAM_REQUEST_LIST",
      { target_system: 1, target_component: 1 },
      { version: 2, seq: 3, system_id: 254, component_id: 190 },
    );
    others.events?.data(request, "qgc");
    expect(ends[0]?.written).toEqual([]);
    forwarder?.mayCommand(true);
    others.events?.data(request, "qgc");
    others.events?.data(from(254, 2, { type: 6, autopilot: 8 }), "qgc");
    expect(ends[0]?.written).toEqual([{ bytes: request, to: "vehicle" }]);
    expect(forwarder?.status).toMatchObject({ held_back: 1, passed: 1 });
    await forwarder?.close();
  });
});
