import type { Incoming } from "./port";

/** A numeric field of a message; 0 when absent, as MAVLink's trimmed zeros. */
export function num(message: Incoming, field: string): number {
  const value = message.fields[field];
  return typeof value === "number" ? value : typeof value === "bigint" ? Number(value) : 0;
}
export function text(message: Incoming, field: string): string {
  const value = message.fields[field];
  return typeof value === "string" ? value : "";
}
export function list(message: Incoming, field: string): readonly number[] {
  const value = message.fields[field];
  return Array.isArray(value) ? (value as readonly number[]) : [];
}

/** Whether a message is for this autopilot: addressed to it, or to everybody. */
export function addressed(message: Incoming, system_id: number): boolean {
  const system = message.fields["target_system"];
  if (system === undefined) return true;
  const component = num(message, "target_component");
  return (system === 0 || system === system_id) && (component === 0 || component === 1);
}
