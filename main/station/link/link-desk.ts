import { join } from "node:path";
import type { ExternalPosition, LinkDetail } from "#contract/link-detail";
import { err, ok, type Result } from "#contract/result";
import type { VehicleState } from "#contract/vehicle";
import { capacityOf } from "../../link/address";
import type { VehicleServices } from "../../link/services";
import type { Clock } from "../../platform/clock";
import type { Home } from "../../platform/paths";
import { identitySite, type SiteTransform } from "../../vehicle/site-transform";
import type { VehicleLink } from "../vehicle-link";
import { fileStore, noFileStore, ParameterCache } from "./cache";
import { FileDesk } from "./file-desk";
import { ForwardDesk } from "./forward-desk";
import type { LinkSettings } from "./link-settings";
import { ParameterDesk } from "./parameter-desk";
import { PlanDesk } from "./plan-desk";
import type { RelayDesk } from "./relay-desk";
import type { SigningDesk } from "./signing-desk";
import { SiteDesk } from "./site-desk";
import { Transfers } from "./transfers";

const RUN_PREARM_CHECKS = 401;

export interface LinkDeskPorts {
  readonly clock: Clock;
  readonly link: VehicleLink;
  readonly home: Home;
  /** The address of the session's own link, which ends with the session only. */
  readonly own: () => string | undefined;
  /** The embedded vehicle's local frame is the site. */
  readonly embedded: boolean;
  /** Simulated time: nothing from disk, nothing that takes time of its own. */
  readonly lockstep: boolean;
  readonly signing: SigningDesk;
  readonly relay: RelayDesk;
  readonly settings: () => LinkSettings;
  readonly keep: (changes: Partial<LinkSettings>) => Result<void, string>;
}

/** Everything the link screens ask of one connection. */
export class LinkDesk {
  readonly transfers: Transfers;
  readonly parameters: ParameterDesk;
  readonly plans: PlanDesk;
  readonly files: FileDesk;
  readonly site: SiteDesk;
  readonly forward: ForwardDesk;
  readonly #ports: LinkDeskPorts;

  constructor(ports: LinkDeskPorts) {
    const { clock, link, home, lockstep } = ports;
    this.#ports = ports;
    const cache = join(home.root, "cache");
    this.transfers = new Transfers(clock);
    this.files = new FileDesk({
      services: () => link.services,
      autopilot: () => link.vehicle.autopilot,
      transfers: this.transfers,
    });
    this.parameters = new ParameterDesk({
      hub: link.hub,
      clock,
      transfers: this.transfers,
      cache: lockstep ? null : new ParameterCache(join(cache, "parameters")),
      store: lockstep ? noFileStore : fileStore(join(cache, "descriptions")),
      describe: !lockstep,
      capacity_bytes_per_s: () => link.capacity,
      download: (services, path) => this.files.read(services, path),
      onComplete: () => {
        link.parametersComplete(true);
      },
    });
    this.plans = new PlanDesk({
      hub: link.hub,
      services: () => link.services,
      transfers: this.transfers,
      site: () => link.site,
      home_z_m: () => link.vehicle.home_enu_m?.[2] ?? 0,
    });
    this.site = new SiteDesk({
      frame: () => link.frame,
      armed: () => link.vehicle.armed,
      set: (site) => {
        link.setSite(site);
      },
      keep: (site) =>
        ports.embedded
          ? ok(undefined)
          : ports.keep({ site: { yaw_rad: site.yaw_rad, offset_enu_m: site.offset_enu_m } }),
      now_ms: () => clock.now_ms(),
    });
    this.forward = new ForwardDesk(link.hub, clock);
  }

  /** A vehicle was found, or it restarted. */
  serve(services: VehicleServices, vehicle: VehicleState): void {
    const title = `${vehicle.autopilot} ${vehicle.type}, system ${String(services.target.system_id)}`;
    this.parameters.forget();
    this.plans.serve(services);
    void this.parameters.serve(services, vehicle.autopilot, title);
  }

  /** What was set earlier holds again, but for the right of others to command. */
  async open(): Promise<void> {
    const { forward_to, relay } = this.#ports.settings();
    if (this.#ports.lockstep || this.#ports.embedded) return;
    if (forward_to !== null) await this.forward.set(forward_to, false);
    if (relay.source !== null) this.#ports.relay.start(relay.source, relay);
  }

  async addLink(address: string): Promise<Result<void, string>> {
    if (address.startsWith("sim://"))
      return err("The embedded vehicle is connected to, not added; use Connect.");
    const opened = await this.#ports.link.hub.open(address);
    return opened.ok ? ok(undefined) : err(opened.error.message);
  }

  async removeLink(address: string): Promise<Result<void, string>> {
    const { hub, vehicle } = this.#ports.link;
    if (address === this.#ports.own())
      return err("This is the connection's own link; connect elsewhere to end it.");
    if (!hub.status().some((link) => link.address === address)) return err(`${address} is not open.`);
    const primary = hub.systems().find((system) => system.system_id === vehicle.system_id);
    if (vehicle.armed && primary?.links.length === 1 && primary.primary === address)
      return err("The armed vehicle is heard over this link alone; it stays open.");
    await hub.closeLink(address);
    return ok(undefined);
  }

  choosePrimary(system_id: number, address: string | null): Result<void, string> {
    return this.#ports.link.hub.choosePrimary(system_id, address)
      ? ok(undefined)
      : err(`System ${String(system_id)} is not heard over ${address ?? "any link"}.`);
  }

  async forwardTo(address: string | null, may_command: boolean): Promise<Result<void, string>> {
    const set = await this.forward.set(address, may_command);
    return set.ok ? this.#ports.keep({ forward_to: address }) : set;
  }

  async setSigning(passphrase: string, send: boolean): Promise<Result<void, string>> {
    const give = this.#receiver(send);
    return give.ok ? this.#ports.signing.set(passphrase, give.value) : give;
  }

  async disableSigning(send: boolean): Promise<Result<void, string>> {
    const give = this.#receiver(send);
    return give.ok ? this.#ports.signing.disable(give.value) : give;
  }

  acceptUnsigned(accept: boolean): Result<void, string> {
    this.#ports.signing.acceptUnsigned(accept);
    return this.#ports.keep({ accept_unsigned: accept });
  }

  async runChecks(): Promise<Result<void, string>> {
    const { services } = this.#ports.link;
    if (services === null) return err("No vehicle has been heard yet.");
    const { target } = services;
    const asked = await services.requests.send({
      command: RUN_PREARM_CHECKS,
      params: [],
      target,
      idempotent: true,
    });
    return asked.ok
      ? ok(undefined)
      : err(`The vehicle did not run its checks (${asked.error.replaceAll("_", " ")}).`);
  }

  async setRelay(
    source: string | null,
    placed: { readonly yaw_rad: number; readonly offset_enu_m: readonly [number, number, number] },
  ): Promise<Result<void, string>> {
    const { relay, keep } = this.#ports;
    await relay.stop();
    const started = source === null ? ok(undefined) : relay.start(source, placed);
    return started.ok ? keep({ relay: { source, ...placed } }) : started;
  }

  detail(): LinkDetail {
    const { clock, link, own, signing } = this.#ports;
    const now_ms = clock.now_ms();
    const systems = link.hub.systems();
    const { vehicle, services } = link;
    return {
      connected: vehicle.connected,
      reason: vehicle.connected ? "" : "No vehicle has been heard yet.",
      links: link.hub.status().map((status) => ({
        status,
        removable: status.address !== own(),
        system_ids: systems
          .filter((system) => system.links.some((one) => one.address === status.address))
          .map((system) => system.system_id),
        capacity_bytes_per_s: capacityOf(status.address),
      })),
      vehicles: link.roster.list(systems, vehicle.system_id, now_ms),
      streams: link.streams.rows,
      signing: signing.status(),
      forwarder: this.forward.status(),
      time: { round_trip_ms: services?.time.round_trip_ms ?? null, offset_ms: link.boot.offset_ms },
      parameters: this.parameters.status(),
      transfers: this.transfers.list(),
      components: services?.discovery.components ?? [],
      external: this.#external(now_ms),
      site: this.site.status(),
    };
  }

  async close(): Promise<void> {
    this.transfers.close();
    this.plans.forget();
    await Promise.all([this.forward.close(), this.#ports.relay.stop(), this.#ports.signing.close()]);
  }

  /** The vehicle's own word on it: the health of its vision position, the quality and age of its odometry. */
  #external(now_ms: number): ExternalPosition {
    const { link, relay } = this.#ports;
    const sensor = link.vehicle.subsystems.find((subsystem) => subsystem.name === "vision position");
    const { frame } = link;
    const heard = Number.isFinite(frame.odometry_at_ms);
    return {
      fused: sensor === undefined ? null : sensor.health === "good",
      rate_hz: heard ? frame.odometry_hz : null,
      age_ms: heard ? now_ms - frame.odometry_at_ms : null,
      quality: frame.quality,
      resets: frame.anchor.resets,
      relay: relay.status(),
    };
  }

  #receiver(send: boolean): Result<Parameters<SigningDesk["disable"]>[0], string> {
    if (!send) return ok(null);
    const { hub, services, vehicle } = this.#ports.link;
    if (services === null) return err("No vehicle has been heard yet; the key cannot be handed over.");
    if (vehicle.armed) return err("The vehicle is armed; keys are changed on the ground, disarmed.");
    return ok({ hub, target: services.target });
  }
}

/** Where a stored transform is used: everywhere but with the embedded vehicle. */
export const storedSite = (settings: LinkSettings, embedded: boolean): SiteTransform =>
  embedded ? identitySite : settings.site;
