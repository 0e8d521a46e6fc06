import { afterEach, describe, expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { noPty, PtyBench } from "../../tests/support/pty";
import { encodeFrame } from "./encode-frame";
import { Framer } from "./framing";
import { createLinkHub } from "./hub";
import type { LinkHub, Received } from "./port";
import { systemSerialPorts } from "./serial";
import { type SerialPortInfo, type SerialPorts, SerialTransport } from "./serial-transport";

if (noPty !== null) console.log(noPty);

const frame = (seq: number): Uint8Array =>
  encodeFrame(
    "HEARTBEAT",
    { type: 2, autopilot: 12, base_mode: 29, custom_mode: seq, system_status: 3, mavlink_version: 3 },
    { version: 2, seq, system_id: 1, component_id: 1 },
  );

/** The real ports of this computer; only the USB numbers are ours, because a pseudo-terminal has none. */
class NumberedPorts implements SerialPorts {
  readonly real = systemSerialPorts();
  readonly plugged = new Map<string, string>();
  readonly opened: string[] = [];
  #waiting: { readonly count: number; readonly done: () => void }[] = [];

  list(): Promise<readonly SerialPortInfo[]> {
    return Promise.resolve(
      [...this.plugged].map(([path, serial_number]) => ({
        path,
        serial_number,
        vendor_id: "26ac",
        product_id: "0032",
        manufacturer: null,
      })),
    );
  }

  async open(...given: Parameters<SerialPorts["open"]>): ReturnType<SerialPorts["open"]> {
    const handle = await this.real.open(...given);
    this.opened.push(given[0]);
    for (const waiter of this.#waiting) if (this.opened.length >= waiter.count) waiter.done();
    return handle;
  }

  whenOpened(count: number): Promise<void> {
    if (this.opened.length >= count) return Promise.resolve();
    return new Promise((done) => {
      this.#waiting.push({ count, done });
    });
  }
}

interface Rig {
  readonly bench: PtyBench;
  readonly ports: NumberedPorts;
  readonly clock: FakeClock;
  readonly hub: LinkHub;
  readonly path: string;
  readonly advice: () => string;
  /** The next message with this `custom_mode`. */
  readonly hears: (seq: number) => Promise<Received>;
  /** Lets the clock run until something that real ports do in their own time has happened. */
  readonly runUntil: (event: Promise<unknown>) => Promise<void>;
}

let open: Rig | null = null;
afterEach(async () => {
  await open?.hub.close();
  open?.bench.close();
  open = null;
});

async function plugIn(baud = 57_600): Promise<Rig> {
  const bench = new PtyBench();
  const ports = new NumberedPorts();
  const clock = new FakeClock(1000);
  const path = await bench.plug("a");
  ports.plugged.set(path, "3400");
  const hub = createLinkHub({
    clock,
    transport: (address, text) =>
      address.kind === "serial"
        ? new SerialTransport({ address: text, path: address.path, baud: address.baud }, ports, clock)
        : undefined,
  });
  open = {
    bench,
    ports,
    clock,
    hub,
    path,
    advice: () => hub.status()[0]?.advice ?? "",
    hears: (seq) =>
      new Promise((resolve) => {
        const unhear = hub.onMessage((received) => {
          if (received.fields["custom_mode"] !== seq) return;
          unhear();
          resolve(received);
        });
      }),
    runUntil: async (event) => {
      const state = { over: false };
      void event.then(() => {
        state.over = true;
      });
      while (!state.over) await clock.advanceAsync(100, 100);
    },
  };
  expect(await hub.open(`serial://${path}:${String(baud)}`)).toEqual({ ok: true, value: undefined });
  return open;
}

const noise = Uint8Array.from({ length: 400 }, (_, i) => (i * 91) & 0x7f);

describe.skipIf(noPty !== null)("a serial port of the kernel", () => {
  it("carries frames both ways at the speed asked for, every byte value unchanged", async () => {
    const { bench, hub, hears } = await plugIn(115_200);
    expect(await bench.speed("a")).toBe(115_200);
    const heard = hears(7);
    bench.write("a", frame(7));
    expect(await heard).toMatchObject({ name: "HEARTBEAT", system_id: 1 });

    // XON, XOFF, carriage return, end of file and all others: a terminal that is not raw would eat or turn them.
    const data = Array.from({ length: 251 }, (_, i) => (i + 3) & 0xff);
    const framer = new Framer();
    const arrived = new Promise<number[]>((resolve) => {
      bench.onHeard("a", (bytes) => {
        framer.push(bytes, ({ def, bytes: all, payload_start, payload_length }) => {
          if (def?.name !== "FILE_TRANSFER_PROTOCOL") return;
          resolve([...all.subarray(payload_start + 3, payload_start + payload_length)]);
        });
      });
    });
    hub.send("FILE_TRANSFER_PROTOCOL", {
      target_network: 0,
      target_system: 1,
      target_component: 1,
      payload: data,
    });
    expect(await arrived).toEqual(data);
    expect(framer.faults.bad_checksum).toBe(0);
  });

  it("rubenCodeforges/ardudeck#30: bytes without a frame ask for the baud rate, until a frame comes", async () => {
    const { bench, hub, hears, advice } = await plugIn();
    const all = new Promise<void>((resolve) => {
      let seen = 0;
      const before = hub.datagrams().received;
      const look = async (): Promise<void> => {
        while (seen < noise.length) {
          seen += 1;
          await hub.whenReceived(before + seen);
          if (advice() !== "") break;
        }
        resolve();
      };
      void look();
    });
    bench.write("a", noise);
    await all;
    expect(advice()).toBe("bytes arrive but none is a MAVLink frame: wrong baud rate?");
    const heard = hears(8);
    bench.write("a", frame(8));
    await heard;
    expect(advice()).toBe("");
  });

  it("mavlink/qgroundcontrol#11869: unplugged and plugged in under another name it is found by its serial number", async () => {
    const { bench, ports, hears, advice, runUntil, path } = await plugIn();
    const first = hears(1);
    bench.write("a", frame(1));
    await first;
    ports.plugged.clear();
    const stranger = await bench.plug("stranger");
    await bench.unplug("a");
    while (advice() === "") await new Promise((resolve) => setImmediate(resolve));
    expect(advice()).toBe(`${path} was unplugged; plug it in again, under any name`);
    // The old name may be taken by somebody else's device: the number decides.
    const again = await bench.plug("b");
    ports.plugged.set(stranger, "somebody else's").set(again, "3400");
    await runUntil(ports.whenOpened(2));
    expect(ports.opened).toEqual([path, again]);
    const second = hears(2);
    bench.write("b", frame(2));
    await second;
    expect(advice()).toBe("");
  });

  it("serialport/node-serialport#1856, #1465, #2323: silent without an event, it is opened afresh and goes on", async () => {
    const { bench, ports, hears, path, runUntil, clock } = await plugIn();
    const first = hears(1);
    bench.write("a", frame(1));
    await first;
    const before_ms = clock.now_ms();
    await runUntil(ports.whenOpened(2));
    expect(clock.now_ms() - before_ms).toBeGreaterThan(5000);
    expect(ports.opened).toEqual([path, path]);
    const second = hears(2);
    bench.write("a", frame(2));
    await second;
  });

  it("half open: what comes is heard while nothing can be sent; then it goes on with the new, not with all that was missed", async () => {
    const { bench, hub, hears, ports, path } = await plugIn();
    await bench.deafen("a");
    const send = (what: number): void => {
      const payload = Array.from({ length: 251 }, () => what);
      hub.send("FILE_TRANSFER_PROTOCOL", {
        target_network: 0,
        target_system: 1,
        target_component: 1,
        payload,
      });
    };
    for (let i = 0; i < 4000; i++) send(7);
    const heard = hears(3);
    bench.write("a", frame(3));
    await heard;

    let late_bytes = 0;
    const framer = new Framer();
    const fresh = new Promise<void>((resolve) => {
      bench.onHeard("a", (bytes) => {
        framer.push(bytes, ({ bytes: all, payload_start }) => {
          if (all[payload_start + 3] === 9) resolve();
        });
        late_bytes += bytes.length;
        send(9);
      });
    });
    bench.listen("a");
    await fresh;
    // Of a megabyte: one second of 57,600 baud, and what the kernel had taken.
    expect(late_bytes).toBeLessThan(5760 + 65_536);
    expect(ports.opened).toEqual([path]);
  });

  it("half open for good: it can still be closed", async () => {
    const { bench, hub } = await plugIn();
    await bench.deafen("a");
    for (let i = 0; i < 4000; i++)
      hub.send("FILE_TRANSFER_PROTOCOL", {
        target_network: 0,
        target_system: 1,
        target_component: 1,
        payload: Array.from({ length: 251 }, () => 7),
      });
    await hub.close();
    expect(hub.status()).toEqual([]);
  });
});
