import { parseRos2idl } from "@foxglove/ros2idl-parser";
import { parse } from "@foxglove/rosmsg";
import { ros2galactic, ros2humble, ros2iron, ros2jazzy } from "@foxglove/rosmsg-msgs-common";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import type { Decode } from "./decode";

type MessageDefinition = ReturnType<typeof parse>[number];
type Definitions = Readonly<Record<string, MessageDefinition>>;
const DISTROS: Readonly<Record<string, Definitions>> = {
  galactic: ros2galactic,
  humble: ros2humble,
  iron: ros2iron,
  jazzy: ros2jazzy,
};

/** Decodes CDR with a definition as recorders store it: "ros2msg", "ros2idl". Throws when it cannot be parsed. */
export function ros2Decoder(encoding: string, definition: string): Decode {
  const parsed = encoding === "ros2idl" ? parseRos2idl(definition) : parse(definition, { ros2: true });
  const reader = new MessageReader(parsed);
  return (bytes) => reader.readMessage(bytes);
}

/**
 * Recorders before ROS 2 Iron stored no definitions: those of the common packages are known. Null for any other type.
 * `distro` picks their edition, Humble where it is not said.
 */
export function commonRos2Decoder(type: string, distro: string): Decode | null {
  const known: Definitions = DISTROS[distro] ?? ros2humble;
  const definitions = new Map<string, MessageDefinition>();
  const gather = (name: string): boolean => {
    if (definitions.has(name)) return true;
    const found: MessageDefinition | undefined = known[name];
    if (!found) return false;
    definitions.set(name, found);
    return found.definitions.every((field) => field.isComplex !== true || gather(field.type));
  };
  if (!gather(type.replace("/msg/", "/"))) return null;
  const reader = new MessageReader([...definitions.values()]);
  return (bytes) => reader.readMessage(bytes);
}
