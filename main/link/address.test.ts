import { describe, expect, it } from "vitest";
import { parseAddress } from "./address";

const good = (text: string) => {
  const result = parseAddress(text);
  return result.ok ? result.value : result.error.message;
};

describe("addresses", () => {
  it("are read in MAVSDK's form", () => {
    expect(good("udpin://0.0.0.0:14550")).toEqual({ kind: "udpin", host: "0.0.0.0", port: 14550 });
    expect(good("udpin://:14550")).toEqual({ kind: "udpin", host: "0.0.0.0", port: 14550 });
    expect(good("udpout://drone.local:18570?bind=14555")).toEqual({
      kind: "udpout",
      host: "drone.local",
      port: 18570,
      bind: 14555,
    });
    expect(good("tcpout://[::1]:5760")).toEqual({ kind: "tcpout", host: "::1", port: 5760 });
    expect(good("serial:///dev/ttyACM0:115200")).toEqual({
      kind: "serial",
      path: "/dev/ttyACM0",
      baud: 115_200,
    });
    expect(good("serial:///dev/serial/by-id/usb-Holybro_x")).toMatchObject({
      path: "/dev/serial/by-id/usb-Holybro_x",
      baud: 57_600,
    });
    expect(good("serial://COM3:57600")).toMatchObject({ path: "COM3" });
    expect(good("replay:///a b.tlog?speed=10")).toEqual({ kind: "replay", path: "/a b.tlog", speed: 10 });
  });

  it("of a destination come with the same local port every time", () => {
    expect(good("udpout://1.2.3.4:14550")).toEqual(good("udpout://1.2.3.4:14550"));
    expect(good("udpout://1.2.3.4:14550")).not.toEqual(good("udpout://1.2.3.5:14550"));
  });

  it.each([
    ["", "is not an address"],
    ["14550", "is not an address"],
    ["pigeon://home", 'unknown scheme "pigeon://"'],
    ["udp://1.2.3.4:5", "udpin:// or udpout://"],
    ["udpin://0.0.0.0", "needs a host and a port"],
    ["udpin://0.0.0.0:0", "port 0 does not exist"],
    ["udpin://0.0.0.0:99999", "port 99999 does not exist"],
    ["udpout://:14550", "which host"],
    ["udpout://a:1?speed=2", "takes only ?bind=PORT"],
    ["tcpin://0.0.0.0:1?x=1", 'takes no "?x=1"'],
    ["serial://", "needs a device"],
    ["serial:///dev/ttyACM0:1", "no speed of a serial port"],
    ["replay://", "needs a file"],
    ["replay:///x?speed=0", "takes only ?speed=N"],
    ["sim://office", "embedded vehicle"],
  ])("%j is one clear line", (text, line) => {
    const result = parseAddress(text);
    expect(result).toMatchObject({ ok: false, error: { kind: "bad_address" } });
    if (!result.ok) {
      expect(result.error.message).toContain(line);
      expect(result.error.message).not.toContain("\n");
    }
  });
});
