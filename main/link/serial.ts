import { statSync } from "node:fs";
import { z } from "zod";
import type { SerialHandle, SerialPortInfo, SerialPorts } from "./serial-transport";

/** Vendors whose USB devices are autopilots or their telemetry radios: worth offering first. */
const autopilotVendors: Readonly<Record<string, string>> = {
  "26ac": "Pixhawk (3D Robotics)",
  "3162": "Holybro",
  "2dae": "Cube (Hex/ProfiCNC)",
  "1209": "ArduPilot",
  "3185": "Auterion",
  "0403": "telemetry radio (FTDI)",
  "10c4": "telemetry radio (CP210x)",
};

/** What a port probably is, from its vendor; null for anything that is not known to carry MAVLink. */
export function autopilotName(port: SerialPortInfo): string | null {
  return autopilotVendors[(port.vendor_id ?? "").toLowerCase()] ?? null;
}

/** The ports of this computer. The native binding is loaded on first use: a station on UDP never needs it. */
export function systemSerialPorts(): SerialPorts {
  return { list, open };
}

/** What the binding says of a port; it leaves out what it does not know. */
const Listed = z.array(
  z.object({
    path: z.string(),
    serialNumber: z.string().optional(),
    vendorId: z.string().optional(),
    productId: z.string().optional(),
    manufacturer: z.string().optional(),
  }),
);

async function list(): Promise<readonly SerialPortInfo[]> {
  const { SerialPort } = await import("serialport");
  const listed: unknown = await SerialPort.list();
  return Listed.parse(listed).map((port) => ({
    path: port.path,
    serial_number: port.serialNumber ?? null,
    vendor_id: port.vendorId ?? null,
    product_id: port.productId ?? null,
    manufacturer: port.manufacturer ?? null,
  }));
}

async function open(
  path: string,
  baud: number,
  events: { data(bytes: Uint8Array): void; closed(): void },
): Promise<SerialHandle> {
  if (process.platform !== "win32") refuseWhatIsNoDevice(path);
  const { SerialPort } = await import("serialport");
  const port = new SerialPort({ path, baudRate: baud, autoOpen: false });
  port.on("data", (bytes: Uint8Array) => {
    events.data(bytes);
  });
  port.on("close", () => {
    events.closed();
  });
  port.on("error", () => {
    if (port.isOpen) port.close();
  });
  await new Promise<void>((done, fail) => {
    port.open((error) => {
      if (error) fail(error);
      else done();
    });
  });
  const second_bytes = Math.max(baud / 10, 1024);
  return {
    write: (bytes) => {
      // A cable that takes nothing: what has waited for a second is not worth sending any more.
      if (port.writableLength + bytes.length <= second_bytes) port.write(bytes);
    },
    close: () =>
      new Promise((done) => {
        if (!port.isOpen) {
          done();
          return;
        }
        port.close(() => {
          done();
        });
      }),
  };
}

/** The binding's own words for a directory or a plain file are misleading. */
function refuseWhatIsNoDevice(path: string): void {
  const stat = statSync(path);
  if (stat.isDirectory()) throw Object.assign(new Error(`is a directory: ${path}`), { code: "EISDIR" });
  if (!stat.isCharacterDevice()) throw Object.assign(new Error(`not a tty: ${path}`), { code: "ENOTTY" });
}
