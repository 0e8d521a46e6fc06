import { readFile, writeFile } from "node:fs/promises";
import type { GeoOrigin, VehiclePlan } from "#contract/plan";
import { err, ok, type Result } from "#contract/result";
import type { LinkHub } from "../../link/port";
import { requestMessage } from "../../link/protocols/message-intervals";
import type { MissionItem, PlanKind } from "../../link/protocols/mission-item";
import { formatPlanFile, parsePlanFile } from "../../link/protocols/plan-file";
import { listen } from "../../link/protocols/service";
import type { VehicleServices } from "../../link/services";
import type { Cancel } from "../../platform/clock";
import type { SiteTransform } from "../../vehicle/site-transform";
import { diskProblem } from "./disk";
import { fenceItems, missionItem, type PlanFrame, rallyItems, vehiclePlan } from "./plan-convert";
import type { Transfers } from "./transfers";

export interface PlanPorts {
  readonly hub: LinkHub;
  readonly services: () => VehicleServices | null;
  readonly transfers: Transfers;
  readonly site: () => SiteTransform;
  /** Height of home in the site. */
  readonly home_z_m: () => number;
}

const GPS_GLOBAL_ORIGIN = 49;
const UNHEARD = "No vehicle has been heard yet.";

/** Missions, fences and rally points of the selected vehicle, and the place on the globe that their degrees mean. */
export class PlanDesk {
  readonly #ports: PlanPorts;
  #origin: GeoOrigin | null = null;
  #unhear: Cancel = () => {};

  constructor(ports: PlanPorts) {
    this.#ports = ports;
  }

  get origin(): GeoOrigin | null {
    return this.#origin;
  }

  /** A vehicle that is new here: asks it for its origin. */
  serve(services: VehicleServices): void {
    this.forget();
    this.#unhear = listen(this.#ports.hub, services.target, ["GPS_GLOBAL_ORIGIN"], ({ fields }) => {
      const { latitude, longitude, altitude } = fields;
      if (typeof latitude !== "number" || typeof longitude !== "number" || typeof altitude !== "number")
        return;
      // At 0, 0 nothing flies: an origin that was never set.
      if (latitude === 0 && longitude === 0) return;
      this.#origin = {
        latitude_deg: latitude / 1e7,
        longitude_deg: longitude / 1e7,
        altitude_m: altitude / 1000,
      };
    });
    void requestMessage(services.requests, services.target, GPS_GLOBAL_ORIGIN);
  }

  async setOrigin(origin: GeoOrigin): Promise<Result<void, string>> {
    const services = this.#ports.services();
    if (services === null) return err(UNHEARD);
    this.#ports.hub.send("SET_GPS_GLOBAL_ORIGIN", {
      target_system: services.target.system_id,
      latitude: Math.round(origin.latitude_deg * 1e7),
      longitude: Math.round(origin.longitude_deg * 1e7),
      altitude: Math.round(origin.altitude_m * 1000),
      time_usec: 0,
    });
    const asked = await requestMessage(services.requests, services.target, GPS_GLOBAL_ORIGIN);
    return asked.ok ? ok(undefined) : err("The origin was sent, but the vehicle does not tell it back.");
  }

  async read(): Promise<Result<VehiclePlan, string>> {
    const services = this.#ports.services();
    if (services === null) return err(UNHEARD);
    if (this.#origin === null) await requestMessage(services.requests, services.target, GPS_GLOBAL_ORIGIN);
    const transfer = this.#ports.transfers.begin("plan", "plan of the vehicle", 3, "items");
    const lists: Record<PlanKind, readonly MissionItem[]> = { mission: [], fence: [], rally: [] };
    let done = 0;
    for (const kind of ["mission", "fence", "rally"] as const) {
      const got = await services.missions.download(kind);
      if (!got.ok) {
        transfer.failed(got.error.text);
        return err(got.error.text);
      }
      lists[kind] = got.value;
      transfer.progress(++done, 3);
    }
    transfer.done("", null);
    return ok(vehiclePlan(lists, this.#frame()));
  }

  /** Each part that is given; what the vehicle keeps is compared with what was sent. */
  async write(parts: {
    readonly mission: VehiclePlan["mission"] | null;
    readonly fence: VehiclePlan["fence"] | null;
    readonly rally: VehiclePlan["rally"] | null;
  }): Promise<Result<void, string>> {
    const services = this.#ports.services();
    if (services === null) return err(UNHEARD);
    const frame = this.#frame();
    const fence = parts.fence === null ? null : fenceItems(parts.fence, frame);
    if (fence?.ok === false) return fence;
    const rally = parts.rally === null ? null : rallyItems(parts.rally, frame);
    if (rally?.ok === false) return rally;
    const lists: readonly (readonly [PlanKind, readonly MissionItem[] | null])[] = [
      ["mission", parts.mission?.map(missionItem) ?? null],
      ["fence", fence?.value ?? null],
      ["rally", rally?.value ?? null],
    ];
    for (const [kind, items] of lists) {
      if (items === null) continue;
      const sent = await this.#upload(services, kind, items);
      if (!sent.ok) return sent;
    }
    return ok(undefined);
  }

  async open(path: string): Promise<Result<VehiclePlan, string>> {
    try {
      const plan = parsePlanFile(await readFile(path, "utf8"));
      if (!plan.ok) return err(`${path}: ${plan.error}`);
      // Without a vehicle the file's own home says where it lies.
      const [latitude_deg, longitude_deg, altitude_m] = plan.value.planned_home;
      const own = { latitude_deg, longitude_deg, altitude_m };
      return ok(vehiclePlan(plan.value, { ...this.#frame(), origin: this.#origin ?? own }));
    } catch (error) {
      return err(diskProblem(error, path));
    }
  }

  async save(path: string, plan: VehiclePlan): Promise<Result<void, string>> {
    const origin = plan.origin ?? this.#origin;
    const frame = { ...this.#frame(), origin };
    const fence = fenceItems(plan.fence, frame);
    if (!fence.ok) return fence;
    const rally = rallyItems(plan.rally, frame);
    if (!rally.ok) return rally;
    const text = formatPlanFile({
      mission: plan.mission.map(missionItem),
      fence: fence.value,
      rally: rally.value,
      planned_home:
        origin === null ? [0, 0, 0] : [origin.latitude_deg, origin.longitude_deg, origin.altitude_m],
    });
    try {
      await writeFile(path, text);
      return ok(undefined);
    } catch (error) {
      return err(diskProblem(error, path));
    }
  }

  forget(): void {
    this.#unhear();
    this.#unhear = () => {};
    this.#origin = null;
  }

  async #upload(
    services: VehicleServices,
    kind: PlanKind,
    items: readonly MissionItem[],
  ): Promise<Result<void, string>> {
    const transfer = this.#ports.transfers.begin("plan", `${kind} to the vehicle`, items.length, "items");
    const sent = await services.missions.upload(kind, items, (share) =>
      transfer.progress(Math.round(share * items.length), items.length),
    );
    if (!sent.ok) {
      transfer.failed(sent.error.text);
      return err(sent.error.text);
    }
    transfer.done("the vehicle kept what was sent", null);
    return ok(undefined);
  }

  #frame(): PlanFrame {
    return { origin: this.#origin, site: this.#ports.site(), home_z_m: this.#ports.home_z_m() };
  }
}
