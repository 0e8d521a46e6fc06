import type { VehicleFile } from "#contract/airframe";
import { loadScene, loadVehicle } from "../../main/sim/files";
import { type Layout, layOut } from "../../main/sim/world/layout";

/** The real files of resources/, or the reason why not as a thrown error. */
export function sceneOf(name: string, seed: number, catalogue?: string): Layout {
  const source = loadScene(name, catalogue);
  if (!source.ok) throw new Error(source.error);
  const layout = layOut(source.value.scene, source.value.catalogue, seed);
  if (!layout.ok) throw new Error(layout.error);
  return layout.value;
}

export function vehicleOf(id: string): VehicleFile {
  const vehicle = loadVehicle(id);
  if (!vehicle.ok) throw new Error(vehicle.error);
  return vehicle.value;
}
