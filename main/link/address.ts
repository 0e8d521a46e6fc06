import { err, ok, type Result } from "#contract/result";
import type { LinkProblem } from "./port";

export type Address =
  | { readonly kind: "udpin"; readonly host: string; readonly port: number }
  | {
      readonly kind: "udpout";
      readonly host: string;
      readonly port: number;
      /** Local port, the same at every start: PX4 goes on answering the first one it saw. */
      readonly bind: number;
    }
  | { readonly kind: "tcpin" | "tcpout"; readonly host: string; readonly port: number }
  | { readonly kind: "serial"; readonly path: string; readonly baud: number }
  | { readonly kind: "replay"; readonly path: string; readonly speed: number };

export const DEFAULT_BAUD = 57_600;
const SCHEMES = "udpin, udpout, tcpin, tcpout, serial, replay or sim";

const bad = (message: string): Result<never, LinkProblem> => err({ kind: "bad_address", message });

/** Reads an address of MAVSDK's form; every mistake has its own line. `sim://` is the station's, which starts a vehicle for it. */
export function parseAddress(text: string): Result<Address, LinkProblem> {
  const match = /^([a-z0-9]+):\/\/(.*)$/i.exec(text.trim());
  if (!match) return bad(`"${text}" is not an address: write SCHEME://…, SCHEME being ${SCHEMES}`);
  const scheme = (match[1] ?? "").toLowerCase();
  const rest = match[2] ?? "";
  switch (scheme) {
    case "udpin":
    case "udpout":
    case "tcpin":
    case "tcpout":
      return network(scheme, rest);
    case "serial":
      return serial(rest);
    case "replay":
      return replay(rest);
    case "sim":
      return bad(`"${text}" starts the embedded vehicle; it is not a link of its own`);
    case "udp":
    case "tcp":
      return bad(`${scheme}:// does not say who waits for whom: write ${scheme}in:// or ${scheme}out://`);
    default:
      return bad(`unknown scheme "${scheme}://": use ${SCHEMES}`);
  }
}

/**
 * Bytes a second that a link carries each way; null when nothing limits it. A USB autopilot (ttyACM, usbmodem) takes any
 * baud rate and heeds none; a byte on a serial line is ten bits.
 */
export function capacityOf(text: string): number | null {
  const parsed = parseAddress(text);
  if (!parsed.ok || parsed.value.kind !== "serial" || /ttyACM|usbmodem/.test(parsed.value.path)) return null;
  return parsed.value.baud / 10;
}

function network(kind: "udpin" | "udpout" | "tcpin" | "tcpout", rest: string): Result<Address, LinkProblem> {
  const [place, query] = split(rest, "?");
  const match = /^(\[[0-9a-f:.]+\]|[^:/\s]*):(\d+)\/?$/i.exec(place);
  if (!match) return bad(`${kind}://${rest} needs a host and a port, like ${kind}://127.0.0.1:14550`);
  const host = (match[1] ?? "").replace(/^\[|\]$/g, "");
  const port = Number(match[2]);
  const incoming = kind === "udpin" || kind === "tcpin";
  if (!isPort(port)) return bad(`port ${match[2] ?? ""} does not exist: use 1 to 65535`);
  if (host === "" && !incoming) return bad(`${kind}://${rest} does not say which host to connect to`);
  if (kind !== "udpout") {
    return query === ""
      ? ok({ kind, host: host || "0.0.0.0", port })
      : bad(`${kind}:// takes no "?${query}"`);
  }
  const bind = query === "" ? defaultBind(host, port) : Number(/^bind=(\d+)$/.exec(query)?.[1] ?? Number.NaN);
  return isPort(bind)
    ? ok({ kind, host, port, bind })
    : bad(`udpout:// takes only ?bind=PORT, not "?${query}"`);
}

function serial(rest: string): Result<Address, LinkProblem> {
  const match = /^(.+?)(?::(\d+))?$/.exec(rest);
  const path = match?.[1] ?? "";
  if (path === "") return bad("serial:// needs a device, like serial:///dev/ttyACM0:57600");
  const baud = match?.[2] === undefined ? DEFAULT_BAUD : Number(match[2]);
  if (baud < 300 || baud > 12_000_000) return bad(`${String(baud)} baud is no speed of a serial port`);
  return ok({ kind: "serial", path, baud });
}

function replay(rest: string): Result<Address, LinkProblem> {
  const [path, query] = split(rest, "?");
  if (path === "") return bad("replay:// needs a file, like replay:///flights/morning.tlog");
  const speed = query === "" ? 1 : Number(/^speed=(\d+(?:\.\d+)?)$/.exec(query)?.[1] ?? Number.NaN);
  return speed > 0
    ? ok({ kind: "replay", path, speed })
    : bad(`replay:// takes only ?speed=N, not "?${query}"`);
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}

/** One local port per destination, stable across restarts, below the range the system hands out by itself. */
function defaultBind(host: string, port: number): number {
  let hash = port;
  for (const char of host) hash = (hash * 31 + char.charCodeAt(0)) % 8000;
  return 24_000 + hash;
}
