import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { ageVehicle, initialVehicle, reduceVehicle } from "../vehicle";
import { encodeFrame } from "./encode-frame";
import { createLinkHub } from "./hub";
import type { LinkHub, RawFrame, Received } from "./port";

const heartbeat = {
  type: 2,
  autopilot: 12,
  base_mode: 29,
  custom_mode: 50_593_792,
  system_status: 3,
  mavlink_version: 3,
};
const frame = (name: string, fields: Record<string, unknown>, system_id = 1, seq = 0) =>
  encodeFrame(name, fields, { version: 2, seq, system_id, component_id: 1 });

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
async function socket(): Promise<{ socket: Socket; port: number }> {
  const s = createSocket("udp4");
  s.bind(0, "127.0.0.1");
  await once(s, "listening");
  open.push(s);
  return { socket: s, port: s.address().port };
}
function hubOn(clock: FakeClock): { hub: LinkHub; messages: Received[]; raw: RawFrame[] } {
  const hub = createLinkHub({ clock });
  open.push(hub);
  const messages: Received[] = [];
  const raw: RawFrame[] = [];
  hub.onMessage((m) => messages.push(m));
  hub.onRaw((f) => raw.push(f));
  return { hub, messages, raw };
}
async function freePort(): Promise<number> {
  const { socket: s, port } = await socket();
  open.splice(open.indexOf(s), 1);
  s.close();
  await once(s, "close");
  return port;
}

describe("a hub over UDP", () => {
  it("hears a vehicle, answers it where it sends from, and counts datagrams", async () => {
    const { hub, messages, raw } = hubOn(new FakeClock(1000));
    const port = await freePort();
    const address = `udpin://127.0.0.1:${String(port)}`;
    expect(await hub.open(address)).toEqual({ ok: true, value: undefined });
    const vehicle = await socket();
    vehicle.socket.send(frame("HEARTBEAT", heartbeat), port, "127.0.0.1");
    await hub.whenReceived(1);
    expect(messages).toEqual([
      {
        name: "HEARTBEAT",
        id: 0,
        system_id: 1,
        component_id: 1,
        link: address,
        at_ms: 1000,
        bytes: 21,
        fields: heartbeat,
      },
    ]);
    const heard = once(vehicle.socket, "message");
    hub.send("PARAM_REQUEST_LIST", { target_system: 1, target_component: 1 });
    const [bytes] = (await heard) as [Buffer];
    expect([bytes[0], bytes[5], bytes[6], bytes[7]]).toEqual([0xfd, 255, 190, 21]);
    expect(hub.datagrams()).toEqual({ received: 1, sent: 1 });
    expect(raw.map((f) => [f.direction, f.bytes.length])).toEqual([
      ["in", 21],
      ["out", 14],
    ]);
    expect(hub.status()[0]).toMatchObject({
      primary: true,
      state: "open",
      advice: "",
      last_frame_at_ms: 1000,
    });
  });

  it("two vehicles share one port and each gets only what is meant for it", async () => {
    const { hub } = hubOn(new FakeClock());
    const port = await freePort();
    await hub.open(`udpin://127.0.0.1:${String(port)}`);
    const [a, b] = [await socket(), await socket()];
    a.socket.send(frame("HEARTBEAT", heartbeat, 1), port, "127.0.0.1");
    b.socket.send(frame("HEARTBEAT", heartbeat, 2), port, "127.0.0.1");
    await hub.whenReceived(2);
    let forA = 0;
    a.socket.on("message", () => forA++);
    const heard = once(b.socket, "message");
    hub.send("PARAM_REQUEST_LIST", { target_system: 2, target_component: 1 });
    await heard;
    const both = once(a.socket, "message");
    hub.send("HEARTBEAT", heartbeat);
    await both;
    expect(forA).toBe(1);
  });

  it("PX4/PX4-Autopilot#28518: binds the same local port again, so a vehicle that latched it answers; else says what is wrong", async () => {
    const vehicle = await socket();
    const address = `udpout://127.0.0.1:${String(vehicle.port)}`;
    const ports: number[] = [];
    const clock = new FakeClock();
    for (let start = 0; start < 2; start++) {
      const { hub } = hubOn(clock);
      await hub.open(address);
      const heard = once(vehicle.socket, "message");
      hub.send("HEARTBEAT", heartbeat);
      ports.push(((await heard)[1] as { port: number }).port);
      clock.advance(5000);
      expect(hub.status()[0]?.advice).toContain("answering the first port it saw");
      await hub.close();
    }
    expect(ports[0]).toBe(ports[1]);
  });

  it("a taken port and a wrong address are one clear line each", async () => {
    const { hub } = hubOn(new FakeClock());
    const { port } = await socket();
    expect(await hub.open(`udpin://127.0.0.1:${String(port)}`)).toMatchObject({ error: { kind: "busy" } });
    expect(await hub.open("udpin://256.1.1.1.example.invalid:14550")).toMatchObject({ ok: false });
    expect(await hub.open("carrier-pigeon://home")).toMatchObject({ error: { kind: "bad_address" } });
    expect(hub.status()).toEqual([]);
  });
});

describe("a hub over TCP", () => {
  it("connects both ways and finds frames across cut chunks", async () => {
    const port = await freePort();
    const server = hubOn(new FakeClock());
    const client = hubOn(new FakeClock());
    expect(await client.hub.open(`tcpout://127.0.0.1:${String(port)}`)).toMatchObject({
      error: { kind: "unreachable" },
    });
    await server.hub.open(`tcpin://127.0.0.1:${String(port)}`);
    expect((await client.hub.open(`tcpout://127.0.0.1:${String(port)}`)).ok).toBe(true);
    const heard = new Promise<Received>((done) => server.hub.onMessage(done));
    client.hub.send("HEARTBEAT", heartbeat);
    expect((await heard).system_id).toBe(255);
  });
});

describe("a hub over a recording", () => {
  it("plays a real PX4 flight into a truthful state", async () => {
    const clock = new FakeClock();
    const { hub, messages } = hubOn(clock);
    const opened = await hub.open("replay://tests/golden/px4-1.17-hexa-gcs-head.tlog");
    expect(opened).toEqual({ ok: true, value: undefined });
    let state = initialVehicle();
    hub.onMessage((m) => {
      state = reduceVehicle(state, m, m.at_ms);
    });
    clock.advance(3_600_000);
    expect(messages.length).toBe(1112);
    expect(state).toMatchObject({
      system_id: 1,
      component_id: 1,
      autopilot: "px4",
      type: "hexarotor",
      firmware: "1.17.0 release",
      subsystems: expect.arrayContaining([{ name: "gyroscope", health: "good" }]) as unknown,
    });
    expect(state.position_enu_m).not.toBeNull();
    expect(ageVehicle(state, clock.now_ms()).connected).toBe(false);
    expect(hub.status()[0]?.faults).toEqual({
      bad_checksum: 0,
      bad_length: 0,
      bad_flags: 0,
      unknown_message: 0,
      garbage_bytes: 0,
    });
  });

  it("says what is wrong with a file", async () => {
    const { hub } = hubOn(new FakeClock());
    expect(await hub.open("replay:///nowhere.tlog")).toMatchObject({ error: { kind: "missing" } });
    expect(await hub.open("replay:///tmp")).toMatchObject({ error: { kind: "not_a_device" } });
    expect(await hub.open("replay://package.json")).toMatchObject({ error: { kind: "not_a_device" } });
  });
});
