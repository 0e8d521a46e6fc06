import { type Clock, realClock } from "../platform/clock";
import { burnCores, type RunningApp, startApp } from "./app-under-load";
import { keepServicesBusy, type ServicesDone } from "./estop-services";
import { percentiles } from "./percentiles";
import { openXKeyboard, type XKeyboard } from "./x-keys";

type Spread = ReturnType<typeof percentiles>;

export interface EstopBench {
  /** From the key event entering the display server to dgram's `send` being called with the mode command. */
  readonly idle_ms: Spread;
  readonly loaded_ms: Spread;
  /** Of the medians. The peer is the same road in the same application without the load. */
  readonly ratio_loaded_to_idle: number;
  /** On the ground as idle, while all parameters, a log and a mission are being transferred all the time. */
  readonly services_ms: Spread;
  readonly ratio_services_to_idle: number;
  /** What was carried through while the keys were pressed. */
  readonly services: ServicesDone;
  /** The share of the above that lies behind the window's key event, in the main process alone. */
  readonly main_process_ms: { readonly idle: Spread; readonly loaded: Spread; readonly services: Spread };
  /** From the key to the system having taken the datagram, as the main process hears of it. */
  readonly handed_over_ms: { readonly idle: Spread; readonly loaded: Spread; readonly services: Spread };
  readonly presses: { readonly idle: number; readonly loaded: number; readonly services: number };
  readonly load: string;
}

const wanted = 50;
const apart_ms = 300;

/** Nanoseconds of the system's monotonic clock, which all processes of one machine share. */
interface Stamps {
  readonly key: string | null;
  readonly sent: string | null;
  readonly handed: string | null;
}
type Holder = typeof globalThis & { kingfisherStamps?: { key?: bigint; sent?: bigint; handed?: bigint } };

/** HOLD's road from the key to the bytes, on the ground and in the middle of everything. Needs a display or Xvfb. */
export async function runEstopBench(say: (text: string) => void): Promise<EstopBench> {
  const clock = realClock();
  if (process.platform !== "linux")
    throw new Error("bench estop presses keys through X11's XTEST: it runs on Linux");
  const kingfisher = await startApp(clock);
  try {
    const keyboard = await openXKeyboard(kingfisher.display);
    try {
      return await measure(kingfisher, keyboard, clock, say);
    } finally {
      keyboard.close();
    }
  } finally {
    await kingfisher.close();
  }
}

async function measure(
  kingfisher: RunningApp,
  keyboard: XKeyboard,
  clock: Clock,
  say: (text: string) => void,
): Promise<EstopBench> {
  await kingfisher.until(
    ({ vehicle, perception }) => vehicle.connected && perception !== null,
    "vehicle and camera",
  );
  await listen(kingfisher);
  await kingfisher.open("setup");
  const ground = await kingfisher.until(({ vehicle }) => !vehicle.armed, "a disarmed vehicle");
  say(`idle: ${ground.station.address}, on the ground, Setup open`);
  const idle = await series(kingfisher, keyboard, clock, say);
  await kingfisher.open("fly");
  say("loaded: taking off");
  await hover(kingfisher, clock);
  const burners = burnCores();
  let loaded: Series;
  try {
    loaded = await series(kingfisher, keyboard, clock, say);
    const end = await kingfisher.ask("station.snapshot", {});
    if (!end.vehicle.armed)
      throw new Error("bench estop: the vehicle was not in the air until the last press");
  } finally {
    burners.stop();
  }
  say("services: landing, then parameters, its log and a mission at once");
  const { services, done } = await whileServed(kingfisher, keyboard, clock, say);
  return {
    idle_ms: idle.sent,
    loaded_ms: loaded.sent,
    ratio_loaded_to_idle: loaded.sent.p50 / idle.sent.p50,
    services_ms: services.sent,
    ratio_services_to_idle: services.sent.p50 / idle.sent.p50,
    services: done,
    main_process_ms: { idle: idle.inside, loaded: loaded.inside, services: services.inside },
    handed_over_ms: { idle: idle.handed, loaded: loaded.handed, services: services.handed },
    presses: { idle: idle.count, loaded: loaded.count, services: services.count },
    load: `loaded: embedded vehicle armed and hovering; the first press interrupts a 60 s hold skill, the later ones fall into the held mission; Fly workspace drawing; perception and recording running; ${String(burners.count)} busy processes on as many cores. services: landed, Setup open, nothing else busy.`,
  };
}

/** On the ground again, with a log of the flight to download. */
async function whileServed(
  kingfisher: RunningApp,
  keyboard: XKeyboard,
  clock: Clock,
  say: (text: string) => void,
): Promise<{ services: Series; done: ServicesDone }> {
  await kingfisher.ask("mission.cancel", {});
  await kingfisher.ask("emergency.press", { action: "land" });
  await kingfisher.until(({ vehicle }) => !vehicle.armed, "landed and disarmed", 90_000);
  await kingfisher.open("setup");
  const stop = await keepServicesBusy(kingfisher, clock);
  let services: Series;
  try {
    services = await series(kingfisher, keyboard, clock, say);
  } catch (cause) {
    await stop().catch(() => {});
    throw cause;
  }
  return { services, done: await stop() };
}

/** Takes off and stays, approving through the page's bridge as the operator would. */
async function hover(kingfisher: RunningApp, clock: Clock): Promise<void> {
  const started = await kingfisher.ask("mission.start", { command: "take off and hold for 60 seconds" });
  if (!started.ok) throw new Error(`bench estop: the mission was refused: ${started.reason}`);
  let refusals = 0;
  for (;;) {
    const { approval, mission } = await kingfisher.until(
      (now) =>
        now.approval !== null ||
        now.mission.execution?.call.skill === "hold" ||
        now.mission.phase === "failed",
      "a card or the hover",
      90_000,
    );
    if (mission.execution?.call.skill === "hold") return;
    if (approval === null) throw new Error(`bench estop: the mission ended: ${mission.why}`);
    await new Promise<void>((done) => {
      clock.after(approval.dwell_until_ms - approval.opened_at_ms + 100, done);
    });
    const decided = await kingfisher.ask("approval.decide", { kind: "approve", token: approval.token });
    // The second judgement may find a picture too old on a busy machine; the card or its successor is asked again.
    if (!decided.ok && ++refusals > 5) throw new Error(`bench estop: approval refused: ${decided.reason}`);
    if (!decided.ok) continue;
    await kingfisher.until((now) => now.approval?.token !== approval.token, "the approval");
  }
}

/** In the main process: stamps the key and the first COMMAND_LONG with DO_SET_MODE that follows it. */
async function listen({ app }: RunningApp): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => {
    const stamps: NonNullable<Holder["kingfisherStamps"]> = {};
    (globalThis as Holder).kingfisherStamps = stamps;
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.prependListener(
      "before-input-event",
      (_event: unknown, input: { readonly code: string; readonly type: string }) => {
        if (input.code === "F9" && input.type === "keyDown") stamps.key ??= process.hrtime.bigint();
      },
    );
    // Code that comes through the inspector has no require of its own.
    const main = Reflect.get(process, "mainModule") as NodeJS.Module;
    const { Socket } = main.require("node:dgram") as typeof import("node:dgram");
    const send = Reflect.get(Socket.prototype, "send") as (...args: unknown[]) => void;
    // MAVLink 2: message id in bytes 7-9; COMMAND_LONG (76) has its command behind seven floats. 176 is DO_SET_MODE.
    const isModeCommand = (bytes: unknown): boolean =>
      bytes instanceof Uint8Array &&
      bytes[0] === 0xfd &&
      bytes[7] === 76 &&
      bytes[8] === 0 &&
      bytes[9] === 0 &&
      (bytes[38] ?? 0) + 256 * (bytes[39] ?? 0) === 176;
    Reflect.set(Socket.prototype, "send", function (this: unknown, ...args: unknown[]): void {
      if (stamps.key !== undefined && stamps.sent === undefined && isModeCommand(args[0])) {
        stamps.sent = process.hrtime.bigint();
        const done = args.at(-1) as ((...outcome: unknown[]) => void) | undefined;
        if (typeof done === "function") {
          args[args.length - 1] = (...outcome: unknown[]) => {
            stamps.handed = process.hrtime.bigint();
            done(...outcome);
          };
        }
      }
      send.apply(this, args);
    });
  });
}

/** Forgets the last press; what it had stamped. */
const take = ({ app }: RunningApp): Promise<Stamps> =>
  app.evaluate(() => {
    const stamps = (globalThis as Holder).kingfisherStamps ?? {};
    const { key = null, sent = null, handed = null } = stamps;
    delete stamps.key;
    delete stamps.sent;
    delete stamps.handed;
    const text = (value: bigint | null): string | null => (value === null ? null : String(value));
    return { key: text(key), sent: text(sent), handed: text(handed) };
  });

interface Series {
  readonly sent: Spread;
  readonly inside: Spread;
  readonly handed: Spread;
  readonly count: number;
}

/** Every press waits until the vehicle has shown HOLD for the one before, so that each datagram has one cause. */
async function series(
  kingfisher: RunningApp,
  keyboard: XKeyboard,
  clock: Clock,
  say: (text: string) => void,
): Promise<Series> {
  const sent: number[] = [];
  const inside: number[] = [];
  const handed: number[] = [];
  let before: number | null = null;
  await take(kingfisher);
  for (let n = 0; n < wanted; n++) {
    const pressed_ns = process.hrtime.bigint();
    const pressed_ms = clock.now_ms();
    await keyboard.press("F9");
    // Uneven on purpose: presses must not keep step with the vehicle's heartbeat, which confirms them.
    const next_ms = pressed_ms + apart_ms + ((n * 137) % 300);
    const last = before;
    const now = await kingfisher.until(
      ({ station }) => {
        const hold = station.emergency.find(({ action }) => action === "hold");
        return clock.now_ms() >= next_ms && hold?.state === "confirmed" && hold.at_ms !== last;
      },
      `HOLD confirmed for press ${String(n + 1)}`,
    );
    before = now.station.emergency.find(({ action }) => action === "hold")?.at_ms ?? null;
    const stamps = await take(kingfisher);
    if (stamps.key === null || stamps.sent === null || stamps.handed === null)
      throw new Error(`bench estop: press ${String(n + 1)} did not reach the socket`);
    const ms = (end: string, start: bigint): number => Number(BigInt(end) - start) / 1e6;
    sent.push(ms(stamps.sent, pressed_ns));
    inside.push(ms(stamps.sent, BigInt(stamps.key)));
    handed.push(ms(stamps.handed, pressed_ns));
    if ((n + 1) % 10 === 0) say(`${String(n + 1)} presses`);
  }
  return {
    sent: percentiles(sent),
    inside: percentiles(inside),
    handed: percentiles(handed),
    count: sent.length,
  };
}
