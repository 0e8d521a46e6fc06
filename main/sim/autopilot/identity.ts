import type { Message } from "./port";

/** MAV_PROTOCOL_CAPABILITY bits PX4 1.17 reports: mission float and int, command int, ftp, position target, terrain, termination, fence, rally, MAVLink 2. */
const capabilities = 59647;
/** 1.17.0, release (0xff). */
const version = 0x011100ff;
/** Where PX4 puts its source hash, last byte first; the embedded one says what it is: "kingfish". */
const hash = Array.from("kingfish", (c) => c.charCodeAt(0)).reverse();

export function autopilotVersion(system_id: number): Message {
  return {
    name: "AUTOPILOT_VERSION",
    fields: {
      capabilities,
      flight_sw_version: version,
      middleware_sw_version: version,
      os_sw_version: version,
      board_version: 1,
      flight_custom_version: hash,
      middleware_custom_version: hash,
      os_custom_version: [0, 0, 0, 0, 0, 0, 0, 0],
      vendor_id: 0,
      product_id: 0,
      uid: 0x4b465f0000 + system_id,
    },
  };
}

export const protocolVersion: Message = {
  name: "PROTOCOL_VERSION",
  fields: {
    version: 200,
    min_version: 100,
    max_version: 200,
    spec_version_hash: [],
    library_version_hash: [],
  },
};

/** What MAV_PROTO_VER means: 1 always, 2 always (the default of 1.17), 0 answers in 1 until 2 has been heard. */
export const spokenVersion = (parameter: number): 0 | 1 | 2 =>
  parameter === 0 || parameter === 1 ? parameter : 2;
