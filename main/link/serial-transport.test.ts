import { describe, expect, it } from "vitest";
import { FakeClock } from "../../tests/support/fake-clock";
import { encodeFrame } from "./encode-frame";
import { createLinkHub } from "./hub";
import { autopilotName, systemSerialPorts } from "./serial";
import { serialProblem } from "./serial-problems";
import { type SerialPortInfo, type SerialPorts, SerialTransport } from "./serial-transport";

const heartbeat = {
  type: 2,
  autopilot: 12,
  base_mode: 29,
  custom_mode: 0,
  system_status: 3,
  mavlink_version: 3,
};
const frame = (seq: number) =>
  encodeFrame("HEARTBEAT", heartbeat, { version: 2, seq, system_id: 1, component_id: 1 });
const info = (path: string, serial_number: string | null): SerialPortInfo => ({
  path,
  serial_number,
  vendor_id: "26ac",
  product_id: "0032",
  manufacturer: "3D Robotics",
});

/** Ports that can be plugged and unplugged. */
class FakePorts implements SerialPorts {
  plugged: SerialPortInfo[] = [];
  fail: unknown = null;
  opened: string[] = [];
  written: Uint8Array[] = [];
  current: { data(bytes: Uint8Array): void; closed(): void } | undefined;

  list() {
    return Promise.resolve(this.plugged);
  }
  open(path: string, _baud: number, events: { data(bytes: Uint8Array): void; closed(): void }) {
    const error =
      this.fail ??
      (this.plugged.some((port) => port.path === path) ? null : new Error("ENOENT, no such file"));
    if (error !== null) return Promise.reject(error instanceof Error ? error : new Error("failed"));
    this.opened.push(path);
    this.current = events;
    return Promise.resolve({
      write: (bytes: Uint8Array) => {
        this.written.push(bytes);
      },
      close: () => Promise.resolve(),
    });
  }
}

async function setup(serial_number: string | null = "3400") {
  const clock = new FakeClock(1000);
  const ports = new FakePorts();
  ports.plugged = [info("/dev/ttyACM0", serial_number)];
  const hub = createLinkHub({
    clock,
    transport: (address, text) =>
      address.kind === "serial"
        ? new SerialTransport({ address: text, path: address.path, baud: address.baud }, ports, clock)
        : undefined,
  });
  let heard = 0;
  hub.onMessage(() => heard++);
  await hub.open("serial:///dev/ttyACM0:57600");
  return { clock, ports, hub, heard: () => heard, status: () => hub.status()[0]! };
}

describe("a serial port", () => {
  it("mavlink/qgroundcontrol#11869: unplugged and plugged in under another name is found by its serial number", async () => {
    const { clock, ports, heard, status } = await setup();
    ports.current?.data(frame(0));
    ports.plugged = [];
    ports.current?.closed();
    await clock.advanceAsync(3000);
    expect(status().advice).toContain("was unplugged");
    ports.plugged = [info("/dev/ttyACM1", "somebody else's"), info("/dev/ttyACM3", "3400")];
    await clock.advanceAsync(2000);
    expect(ports.opened).toEqual(["/dev/ttyACM0", "/dev/ttyACM3"]);
    ports.current?.data(frame(1));
    expect(heard()).toBe(2);
    expect(status()).toMatchObject({ state: "open", advice: "" });
  });

  it("serialport/node-serialport#1856, #1465, #2323: one that falls silent without an event is opened afresh", async () => {
    const { clock, ports, heard } = await setup();
    ports.current?.data(frame(0));
    const dead = ports.current;
    await clock.advanceAsync(8000, 100);
    expect(ports.opened.length).toBe(2);
    dead?.data(frame(1));
    expect(heard()).toBe(1);
    ports.current?.data(frame(2));
    expect(heard()).toBe(2);
  });

  it("that never spoke is left alone: the vehicle may not be powered", async () => {
    const { clock, ports, status } = await setup();
    await clock.advanceAsync(20_000, 200);
    expect(ports.opened.length).toBe(1);
    expect(status()).toMatchObject({ state: "silent" });
    expect(status().advice).toContain("is the vehicle powered");
  });

  it("without a serial number is found by its path", async () => {
    const { clock, ports } = await setup(null);
    ports.current?.data(frame(0));
    ports.current?.closed();
    await clock.advanceAsync(1500);
    expect(ports.opened).toEqual(["/dev/ttyACM0", "/dev/ttyACM0"]);
  });

  it("rubenCodeforges/ardudeck#30: bytes without a frame ask for the baud rate, messages without a heartbeat are no vehicle", async () => {
    const { clock, ports, status } = await setup();
    for (let i = 0; i < 30; i++)
      ports.current?.data(Uint8Array.from({ length: 20 }, (_, k) => (i * 37 + k * 91) & 0x7f));
    expect(status().advice).toBe("bytes arrive but none is a MAVLink frame: wrong baud rate?");
    const attitude = { time_boot_ms: 1, roll: 0, pitch: 0, yaw: 0, rollspeed: 0, pitchspeed: 0, yawspeed: 0 };
    for (let i = 0; i < 40; i++) {
      ports.current?.data(
        encodeFrame("ATTITUDE", attitude, { version: 2, seq: i, system_id: 1, component_id: 1 }),
      );
      await clock.advanceAsync(100, 50);
    }
    expect(status().advice).toBe("messages arrive but no heartbeat: no vehicle is connected");
  });

  it("mavlink/qgroundcontrol#7278, #11832: permission, busy, missing and no device each have their own advice", () => {
    const of = (text: string) => serialProblem(new Error(text), "/dev/ttyACM0");
    expect(of("Error: Permission denied, cannot open /dev/ttyACM0")).toMatchObject({ kind: "permission" });
    expect(of("Error: Permission denied, cannot open /dev/ttyACM0").message).toContain("dialout");
    expect(of("Error Resource temporarily unavailable Cannot lock port").message).toContain("ModemManager");
    expect(of("Error: No such file or directory, cannot open /dev/ttyACM0")).toMatchObject({
      kind: "missing",
    });
    expect(of("Error: Inappropriate ioctl for device")).toMatchObject({ kind: "not_a_device" });
    const kinds = ["EACCES", "EBUSY", "ENOENT", "EISDIR"].map((code) =>
      serialProblem(Object.assign(new Error(code), { code }), "x"),
    );
    expect(new Set(kinds.map((p) => p.message)).size).toBe(4);
  });

  it("of this computer: a directory, a file and nothing are refused in one line each", async () => {
    const hub = createLinkHub({ clock: new FakeClock() });
    const message = async (address: string) => {
      const result = await hub.open(address);
      return result.ok ? "" : result.error.message;
    };
    expect(await message("serial:///tmp:57600")).toBe("/tmp is a directory, not a serial port");
    expect(await message("serial:///etc/hostname:57600")).toContain("is not a serial port");
    expect(await message("serial:///dev/ttyNOPE:57600")).toContain("does not exist");
    expect(
      Array.isArray(
        await systemSerialPorts()
          .list()
          .catch(() => []),
      ),
    ).toBe(true);
    expect(autopilotName(info("x", null))).toContain("Pixhawk");
    expect(autopilotName({ ...info("x", null), vendor_id: null })).toBeNull();
  });
});
