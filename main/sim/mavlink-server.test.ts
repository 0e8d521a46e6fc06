import { createSocket, type Socket } from "node:dgram";
import { afterEach, describe, expect, test } from "vitest";
import type { Autopilot, Incoming, Message } from "./autopilot/port";
import { Codec } from "./mavlink";
import { FaultyPath, parseFaults } from "./mavlink-faults";
import { type MavlinkServer, openMavlinkServer } from "./mavlink-server";

/** An autopilot that says what it is told to and remembers what it heard. */
class Parrot implements Autopilot {
  armed = false;
  readonly heard: Incoming[] = [];
  say: Message[] = [];
  step(): readonly number[] {
    return [];
  }
  handle(message: Incoming): void {
    this.heard.push(message);
  }
  outbox(): readonly Message[] {
    const out = this.say;
    this.say = [];
    return out;
  }
  send(message: Message): void {
    this.say.push(message);
  }
  inject(): void {}
}

interface Peer {
  readonly socket: Socket;
  readonly port: number;
  readonly got: Buffer[];
  next(count: number): Promise<Buffer[]>;
}
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const o of open.splice(0)) await o.close();
});

async function peer(): Promise<Peer> {
  const socket = createSocket("udp4");
  await new Promise<void>((done) => socket.bind(0, "127.0.0.1", done));
  const got: Buffer[] = [];
  let check = (): void => {};
  socket.on("message", (bytes) => {
    got.push(bytes);
    check();
  });
  open.push({ close: () => new Promise<void>((done) => socket.close(done)) });
  const next = (count: number): Promise<Buffer[]> =>
    new Promise((resolve) => {
      check = () => {
        if (got.length >= count) resolve(got);
      };
      check();
    });
  return { socket, port: socket.address().port, got, next };
}
async function serve(remote_port: number, faults?: string): Promise<MavlinkServer> {
  const parsed = faults === undefined ? null : parseFaults(faults);
  const opened = await openMavlinkServer({
    system_id: 1,
    bind_port: 0,
    remote_port,
    seed: 1,
    ...(parsed?.ok ? { faults: parsed.value } : {}),
  });
  if (!opened.ok) throw new Error(opened.error);
  open.push(opened.value);
  return opened.value;
}
const ping = (seq: number): Message => ({ name: "PING", fields: { seq } });

describe("the ground link", () => {
  test("sends unasked to the port it was given, one frame per datagram, and counts them", async () => {
    const station = await peer();
    const server = await serve(station.port);
    const parrot = new Parrot();
    parrot.say = [ping(1), ping(2), ping(3)];
    server.exchange(parrot, 10);
    const got = await station.next(3);
    expect(got.map((b) => [b[0], b.length === 10 + b[1]! + 2, b[4]])).toEqual([
      [0xfd, true, 0],
      [0xfd, true, 1],
      [0xfd, true, 2],
    ]);
    expect(server.datagrams()).toEqual({ sent: 3, received: 0 });
  });

  test("keeps the first sender as its partner; others are heard, not answered (PX4/PX4-Autopilot#28518)", async () => {
    const [unused, first, second] = [await peer(), await peer(), await peer()];
    const server = await serve(unused.port);
    const station = new Codec(255);
    first.socket.send(station.encode(ping(1)), server.port, "127.0.0.1");
    await server.whenReceived(1);
    second.socket.send(station.encode(ping(2)), server.port, "127.0.0.1");
    first.socket.send(station.encode(ping(3)), server.port, "127.0.0.1");
    await server.whenReceived(2);
    const parrot = new Parrot();
    parrot.say = [ping(9)];
    server.exchange(parrot, 0);
    await first.next(1);
    expect(parrot.heard.map((m) => m.fields["seq"])).toContain(3);
    expect(server.datagrams().received).toBe(2);
    expect([first.got.length, second.got.length, unused.got.length]).toEqual([1, 0, 0]);
  });

  test("nothing reaches the autopilot between exchanges: the sim's clock decides", async () => {
    const station = await peer();
    const server = await serve(station.port);
    station.socket.send(new Codec(255).encode(ping(4)), server.port, "127.0.0.1");
    await server.whenReceived(1);
    const parrot = new Parrot();
    expect(parrot.heard).toEqual([]);
    server.exchange(parrot, 0);
    expect(parrot.heard.map((m) => m.fields["seq"])).toEqual([4]);
  });

  test("an acknowledgement takes its number first and leaves one frame later, as PX4's second thread does", async () => {
    const station = await peer();
    const server = await serve(station.port);
    const parrot = new Parrot();
    parrot.say = [ping(1), { name: "COMMAND_ACK", fields: { command: 400 } }, ping(2), ping(3)];
    server.exchange(parrot, 0);
    expect((await station.next(4)).map((b) => b[4])).toEqual([0, 2, 1, 3]);
  });

  test("a port in use is one clear line", async () => {
    const server = await serve(1);
    const second = await openMavlinkServer({ system_id: 1, bind_port: server.port, remote_port: 1, seed: 1 });
    expect(second.ok ? "" : second.error).toContain(`UDP port ${String(server.port)} is in use`);
  });

  test("loss, delay and duplicates act in both directions on simulated time", async () => {
    const station = await peer();
    const server = await serve(station.port, "delay_ms=100,dup=1");
    const parrot = new Parrot();
    parrot.say = [ping(1)];
    server.exchange(parrot, 0);
    server.exchange(parrot, 90);
    expect(server.datagrams().sent).toBe(0);
    server.exchange(parrot, 100);
    expect(server.datagrams().sent).toBe(2);
    station.socket.send(new Codec(255).encode(ping(7)), server.port, "127.0.0.1");
    await server.whenReceived(1);
    server.exchange(parrot, 110);
    expect(parrot.heard).toEqual([]);
    server.exchange(parrot, 210);
    expect(parrot.heard.map((m) => m.fields["seq"])).toEqual([7, 7]);
  });
});

describe("faults", () => {
  test("are read from text, and refused with a reason", () => {
    expect(parseFaults("loss=0.2,delay_ms=300,dup=0.1,reorder=0.1,flip=0.001")).toEqual({
      ok: true,
      value: { loss: 0.2, delay_ms: 300, dup: 0.1, reorder: 0.1, flip: 0.001 },
    });
    const unknown = parseFaults("los=1");
    expect(unknown.ok ? "" : unknown.error).toContain('unknown fault "los"');
    expect(parseFaults("loss=2").ok).toBe(false);
    expect(parseFaults("loss=").ok).toBe(false);
  });

  test("lose about the share asked for, the same ones for the same seed", () => {
    const run = (seed: number): number[] => {
      const path = new FaultyPath({ loss: 0.2, delay_ms: 0, dup: 0, reorder: 0.3, flip: 0 }, seed, "in");
      const out: number[] = [];
      for (let i = 0; i < 5000; i++) {
        path.push(Uint8Array.of(i & 255, i >> 8), i);
        out.push(...path.take(i).map((b) => b[0]! | (b[1]! << 8)));
      }
      return out;
    };
    const a = run(1);
    expect(a.length).toBeGreaterThan(3900);
    expect(a.length).toBeLessThan(4100);
    expect(a.some((v, i) => i > 0 && v < (a[i - 1] ?? 0))).toBe(true);
    expect(run(1)).toEqual(a);
    expect(run(2)).not.toEqual(a);
  });

  test("flip bits without touching the sender's copy", () => {
    const path = new FaultyPath({ loss: 0, delay_ms: 0, dup: 0, reorder: 0, flip: 1 }, 1, "in");
    const sent = Uint8Array.of(0, 0, 0, 0);
    path.push(sent, 0);
    const [got = new Uint8Array()] = path.take(0);
    expect([...sent]).toEqual([0, 0, 0, 0]);
    for (const b of got) expect([1, 2, 4, 8, 16, 32, 64, 128]).toContain(b);
  });
});
