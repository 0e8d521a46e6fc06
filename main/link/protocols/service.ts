import type { Cancel } from "../../platform/clock";
import type { CommandTarget, CommandWire } from "../command-sender";
import type { Received } from "../port";

export type ServiceWire = CommandWire;
export type ServiceTarget = CommandTarget;

/** Messages of one name from one component. Answers addressed to another station are not ours. */
export function listen(
  wire: ServiceWire,
  target: ServiceTarget,
  names: readonly string[],
  listener: (received: Received) => void,
): Cancel {
  return wire.onMessage((received) => {
    if (received.system_id !== target.system_id || received.component_id !== target.component_id) return;
    if (!names.includes(received.name)) return;
    const to = received.fields["target_system"];
    const to_component = received.fields["target_component"];
    if (typeof to === "number" && to !== 0 && to !== STATION.system_id) return;
    if (typeof to_component === "number" && to_component !== 0 && to_component !== STATION.component_id)
      return;
    listener(received);
  });
}

export const STATION: ServiceTarget = { system_id: 255, component_id: 190 };

export const to = (
  target: ServiceTarget,
): { readonly target_system: number; readonly target_component: number } => ({
  target_system: target.system_id,
  target_component: target.component_id,
});
