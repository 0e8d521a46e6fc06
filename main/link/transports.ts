import { assertNever } from "#contract/result";
import type { Clock } from "../platform/clock";
import type { Address } from "./address";
import type { Transport } from "./port";
import { ReplayTransport } from "./replay";
import { systemSerialPorts } from "./serial";
import { SerialTransport } from "./serial-transport";
import { TcpInTransport, TcpOutTransport } from "./tcp";
import { UdpTransport } from "./udp";

/** The transport of an address; `text` is how the operator wrote it and appears in every message about it. */
export function openTransport(address: Address, text: string, clock: Clock): Transport {
  switch (address.kind) {
    case "udpin":
      return new UdpTransport({ address: text, host: address.host, port: address.port, bind: null }, clock);
    case "udpout":
      return new UdpTransport(
        { address: text, host: address.host, port: address.port, bind: address.bind },
        clock,
      );
    case "tcpout":
      return new TcpOutTransport({ address: text, host: address.host, port: address.port }, clock);
    case "tcpin":
      return new TcpInTransport({ address: text, host: address.host, port: address.port });
    case "serial":
      return new SerialTransport(
        { address: text, path: address.path, baud: address.baud },
        systemSerialPorts(),
        clock,
      );
    case "replay":
      return new ReplayTransport({ address: text, path: address.path, speed: address.speed }, clock);
    default:
      return assertNever(address);
  }
}
