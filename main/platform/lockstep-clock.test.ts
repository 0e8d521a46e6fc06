import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { LockstepClock, type LockstepPorts } from "./lockstep-clock";

let server: Server | null = null;
afterEach(() => {
  server?.close();
});

/** The vehicle's end of the barrier: steps when told and resolves with the answer. */
async function barrier(clock: LockstepClock, ports: Partial<LockstepPorts> = {}) {
  const sockets: Promise<Socket> = new Promise((resolve) => {
    server = createServer(resolve).listen(0, "127.0.0.1");
  });
  await new Promise((resolve) => server?.once("listening", resolve));
  const address = server?.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await clock.join(port, {
    whenDatagrams: () => Promise.resolve(),
    whenFrames: () => Promise.resolve(),
    datagramsSent: () => 0,
    onLost: () => {},
    ...ports,
  });
  const socket = await sockets;
  socket.setEncoding("utf8");
  return {
    socket,
    step: async (t_ms: number, datagrams = 0): Promise<unknown> => {
      const answer = new Promise<string>((resolve) => {
        socket.once("data", (text: string) => {
          resolve(text);
        });
      });
      socket.write(`${JSON.stringify({ kind: "step", t_ms, datagrams, frames: 0 })}\n`);
      return JSON.parse(await answer);
    },
  };
}

test("timers run in order of their due time, and only when the step reaches them", async () => {
  const clock = new LockstepClock();
  const ran: string[] = [];
  clock.after(25, () => ran.push("25"));
  clock.after(12, () => ran.push("12"));
  clock.every(10, () => ran.push(`every ${String(clock.now_ms())}`));
  const vehicle = await barrier(clock);
  await vehicle.step(10);
  expect(ran).toEqual(["every 10"]);
  await vehicle.step(20);
  expect(ran).toEqual(["every 10", "12", "every 20"]);
  await vehicle.step(30);
  expect(ran.slice(3)).toEqual(["25", "every 30"]);
  clock.close();
});

test("a step waits for everything that was sent in it, then answers with what the station sent", async () => {
  const clock = new LockstepClock();
  let arrived: () => void = () => {};
  let asked: () => void = () => {};
  const waiting = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let sent = 0;
  const vehicle = await barrier(clock, {
    whenDatagrams: (total) =>
      total === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            arrived = resolve;
            asked();
          }),
    datagramsSent: () => sent,
  });
  expect(await vehicle.step(10)).toEqual({ kind: "done", t_ms: 10, datagrams: 0 });
  clock.after(0, () => (sent = 7));
  const answer = vehicle.step(20, 3);
  await waiting;
  expect(sent).toBe(0);
  arrived();
  expect(await answer).toEqual({ kind: "done", t_ms: 20, datagrams: 7 });
  clock.close();
});

test("time stands while work is held, and what the work schedules for now still runs in the same step", async () => {
  const clock = new LockstepClock();
  const ran: string[] = [];
  let finish: () => void = () => {};
  let started: () => void = () => {};
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  clock.after(10, () => {
    started();
    void clock
      .hold(
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
      )
      .then(() => clock.after(0, () => ran.push("after the work")));
  });
  const vehicle = await barrier(clock);
  const answer = vehicle.step(10);
  await running;
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual([]);
  finish();
  await answer;
  expect(ran).toEqual(["after the work"]);
  clock.close();
});

test("what arrives between two steps carries the next step's time", async () => {
  const clock = new LockstepClock();
  const vehicle = await barrier(clock);
  await vehicle.step(20);
  await vehicle.step(40);
  expect(clock.now_ms()).toBe(60);
  clock.close();
});

test("losing the vehicle is reported, closing is not", async () => {
  const lost: string[] = [];
  const first = new LockstepClock();
  const vehicle = await barrier(first, { onLost: (why) => lost.push(why) });
  const gone = new Promise((resolve) => vehicle.socket.once("close", resolve));
  vehicle.socket.destroy();
  await gone;
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(lost.length).toBe(1);
});
