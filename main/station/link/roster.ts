import type { HeardVehicle } from "#contract/link-detail";
import type { VehicleState } from "#contract/vehicle";
import type { Received, SystemLinks } from "../../link/port";
import { initialVehicle, reduceVehicle } from "../../vehicle";

/** Silent for so long, a vehicle leaves the list. */
const GONE_ms = 30_000;

/** Every vehicle that is heard, by its autopilot's heartbeats; several may share one link. */
export class Roster {
  readonly #heard = new Map<number, VehicleState>();

  note(received: Received): void {
    if (received.name !== "HEARTBEAT") return;
    const before = this.#heard.get(received.system_id) ?? initialVehicle();
    const after = reduceVehicle(before, received, received.at_ms);
    if (after.system_id !== null) this.#heard.set(after.system_id, after);
  }

  has(system_id: number): boolean {
    return this.#heard.has(system_id);
  }

  list(systems: readonly SystemLinks[], selected: number | null, now_ms: number): readonly HeardVehicle[] {
    return [...this.#heard.values()].flatMap((vehicle): HeardVehicle[] => {
      const { system_id, component_id, heartbeat_at_ms } = vehicle;
      if (system_id === null || component_id === null || heartbeat_at_ms === null) return [];
      if (now_ms - heartbeat_at_ms > GONE_ms && system_id !== selected) {
        this.#heard.delete(system_id);
        return [];
      }
      const routes = systems.find((system) => system.system_id === system_id);
      return [
        {
          system_id,
          component_id,
          autopilot: vehicle.autopilot,
          type: vehicle.type,
          armed: vehicle.armed,
          mode_label: vehicle.mode_label,
          heartbeat_at_ms,
          selected: system_id === selected,
          primary: routes?.primary ?? "",
          primary_chosen: routes?.chosen ?? false,
          links: routes?.links ?? [],
        },
      ];
    });
  }

  clear(): void {
    this.#heard.clear();
  }
}
