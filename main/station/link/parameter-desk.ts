import { readFile, writeFile } from "node:fs/promises";
import type { ParameterStatus } from "#contract/link-detail";
import type { ParameterDifference, ParameterRow } from "#contract/link-ipc";
import { err, ok, type Result } from "#contract/result";
import { type Descriptions, type FileStore, readDescriptions } from "../../link/metadata/component-files";
import { undescribed } from "../../link/metadata/parameter-metadata";
import type { LinkHub } from "../../link/port";
import {
  compareParameters,
  formatParameterFile,
  parseParameterFile,
} from "../../link/protocols/parameter-file";
import type { Parameter } from "../../link/protocols/parameters";
import type { VehicleServices } from "../../link/services";
import type { Clock } from "../../platform/clock";
import type { VehicleEvent } from "../../vehicle/arming-events";
import type { ParameterCache } from "./cache";
import { diskProblem } from "./disk";
import type { Transfers } from "./transfers";

/** PX4's one number over all names and values. */
const HASH = "_HASH_CHECK";
/** Below this a radio has better things to carry than a hundred kilobytes of descriptions. */
const SLOW_bytes_per_s = 12_000;

const types: Readonly<Record<Parameter["type"], ParameterRow["type"]>> = {
  1: "uint8",
  2: "int8",
  3: "uint16",
  4: "int16",
  5: "uint32",
  6: "int32",
  9: "float",
};

export interface ParameterPorts {
  readonly hub: LinkHub;
  readonly clock: Clock;
  readonly transfers: Transfers;
  /** Null in simulated time: what was before must not change what happens. */
  readonly cache: ParameterCache | null;
  readonly store: FileStore;
  /** Whether the vehicle's own descriptions are read. */
  readonly describe: boolean;
  readonly capacity_bytes_per_s: () => number | null;
  readonly download: (services: VehicleServices, path: string) => Promise<Result<Uint8Array, string>>;
  /** All are known, or it is known that some are missing. */
  readonly onComplete: () => void;
}

const none: ParameterStatus["metadata"] = { state: "none", detail: "", described: 0, events: 0 };

/** The parameters of the selected vehicle: read once, kept by hash, described by the vehicle, written with read-back. */
export class ParameterDesk {
  readonly #ports: ParameterPorts;
  #services: VehicleServices | null = null;
  #title = "";
  #state: ParameterStatus["state"] = "none";
  #missing: readonly number[] = [];
  #cached = false;
  #detail = "";
  #revision = 0;
  #metadata = none;
  #descriptions: Descriptions | null = null;

  constructor(ports: ParameterPorts) {
    this.#ports = ports;
  }

  /** A vehicle that is new here. */
  async serve(services: VehicleServices, autopilot: string, title: string): Promise<void> {
    this.#services = services;
    this.#title = title;
    this.#descriptions = null;
    this.#metadata = none;
    services.parameters.onParameter(() => {
      this.#revision++;
    });
    if (autopilot === "px4" && (await this.#restore(services))) this.#ports.onComplete();
    else await this.#list(services);
    if (this.#services === services && this.#ports.describe) await this.#describe(services);
  }

  /** Words for an event, once the vehicle's descriptions are here. */
  words(
    event: VehicleEvent,
  ): { readonly text: string; readonly advice: string; readonly group: string } | null {
    const words = this.#descriptions?.events.words(event) ?? null;
    if (words === null) return null;
    return {
      text: words.text,
      advice: words.description || "as the vehicle describes it",
      group: words.group,
    };
  }

  status(): ParameterStatus {
    const { received, count } = this.#services?.parameters.progress ?? { received: 0, count: null };
    return {
      state: this.#state,
      received,
      count,
      missing: this.#missing,
      cached: this.#cached,
      detail: this.#detail,
      revision: this.#revision,
      metadata: this.#metadata,
    };
  }

  rows(): Result<readonly ParameterRow[], string> {
    if (this.#services === null) return err("No vehicle has been heard yet.");
    const described = this.#descriptions?.parameters;
    return ok(
      [...this.#services.parameters.all.values()]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, value, type }): ParameterRow => {
          const meta = described?.get(name) ?? undescribed;
          const group = meta.group === "" ? (name.split("_")[0] ?? "") : meta.group;
          return { name, value, type: types[type], ...meta, group };
        }),
    );
  }

  async refresh(): Promise<Result<void, string>> {
    const services = this.#services;
    if (services === null) return err("No vehicle has been heard yet.");
    await this.#list(services);
    if (this.#services === services && this.#descriptions === null && this.#ports.describe)
      await this.#describe(services);
    return this.#state === "failed" ? err(this.#detail) : ok(undefined);
  }

  async write(name: string, value: number): Promise<Result<{ readonly value: number }, string>> {
    const services = this.#services;
    if (services === null) return err("No vehicle has been heard yet.");
    const written = await services.parameters.write(name, value);
    this.#revision++;
    if (!written.ok) return err(written.error.text);
    void this.#keep(services);
    return ok({ value: written.value.value });
  }

  async compare(path: string): Promise<Result<readonly ParameterDifference[], string>> {
    const services = this.#services;
    if (services === null) return err("No vehicle has been heard yet.");
    const file = await readParameters(path);
    return file.ok ? ok(compareParameters(services.parameters.all, file.value)) : file;
  }

  async export(path: string): Promise<Result<void, string>> {
    const services = this.#services;
    if (services === null) return err("No vehicle has been heard yet.");
    if (this.#state !== "complete")
      return err("The parameters are not all here; read them again before they are written to a file.");
    const text = formatParameterFile(services.parameters.all.values(), services.target, this.#title);
    try {
      await writeFile(path, text);
      return ok(undefined);
    } catch (error) {
      return err(diskProblem(error, path));
    }
  }

  async import(
    path: string,
    names: readonly string[],
  ): Promise<Result<{ written: number; failed: { name: string; reason: string }[] }, string>> {
    const services = this.#services;
    if (services === null) return err("No vehicle has been heard yet.");
    const file = await readParameters(path);
    if (!file.ok) return file;
    const wanted = file.value.filter((parameter) => names.includes(parameter.name));
    const transfer = this.#ports.transfers.begin("parameters", path, wanted.length, "items");
    const failed: { name: string; reason: string }[] = [];
    let written = 0;
    for (const { name, value } of wanted) {
      if (transfer.signal.aborted) break;
      const outcome = await this.write(name, value);
      if (outcome.ok) written++;
      else failed.push({ name, reason: outcome.error });
      transfer.progress(written + failed.length, wanted.length);
    }
    const detail = `${String(written)} of ${String(wanted.length)} written`;
    if (transfer.signal.aborted || failed.length > 0) transfer.failed(detail);
    else transfer.done(detail, null);
    return ok({ written, failed });
  }

  forget(): void {
    this.#services = null;
    this.#state = "none";
    this.#missing = [];
    this.#cached = false;
    this.#detail = "";
    this.#metadata = none;
    this.#descriptions = null;
    this.#revision++;
  }

  async #list(services: VehicleServices): Promise<void> {
    this.#state = "downloading";
    this.#cached = false;
    this.#detail = "";
    const listed = await services.parameters.list();
    if (this.#services !== services) return;
    this.#revision++;
    if (!listed.ok) {
      this.#state = "failed";
      this.#detail = "The vehicle does not answer when asked for its parameters.";
    } else {
      this.#missing = listed.value.missing;
      this.#state = this.#missing.length === 0 ? "complete" : "incomplete";
      this.#detail =
        this.#missing.length === 0
          ? ""
          : `${String(this.#missing.length)} of ${String(listed.value.count)} never came; read again.`;
      void this.#keep(services);
    }
    this.#ports.onComplete();
  }

  /** From disk, when the vehicle's hash says that nothing has changed. */
  async #restore(services: VehicleServices): Promise<boolean> {
    const { cache } = this.#ports;
    if (cache === null) return false;
    this.#state = "downloading";
    const hash = await services.parameters.read(HASH);
    if (!hash.ok || this.#services !== services) return false;
    const kept = await cache.load(services.target.system_id, hash.value.value);
    if (kept === null || this.#services !== services) return false;
    services.parameters.restore(kept);
    this.#state = "complete";
    this.#cached = true;
    this.#missing = [];
    this.#revision++;
    return true;
  }

  async #keep(services: VehicleServices): Promise<void> {
    const { cache } = this.#ports;
    if (cache === null || this.#state !== "complete") return;
    const hash = await services.parameters.read(HASH);
    if (!hash.ok || this.#services !== services) return;
    await cache.save(services.target.system_id, hash.value.value, services.parameters.all.values());
  }

  async #describe(services: VehicleServices): Promise<void> {
    const { hub, clock, store, download } = this.#ports;
    this.#metadata = { ...none, state: "reading" };
    const capacity = this.#ports.capacity_bytes_per_s();
    const found = await readDescriptions({
      wire: hub,
      clock,
      services,
      store,
      download: (path) => download(services, path),
      mayDownload: capacity === null || capacity >= SLOW_bytes_per_s,
    });
    if (this.#services !== services) return;
    this.#revision++;
    if (!found.ok) {
      this.#metadata = { ...none, state: "failed", detail: found.error };
      return;
    }
    this.#descriptions = found.value;
    this.#metadata = {
      state: found.value.fetched > 0 ? "vehicle" : "cached",
      detail: "",
      described: found.value.parameters.size,
      events: found.value.events.size,
    };
  }
}

async function readParameters(path: string): Promise<ReturnType<typeof parseParameterFile>> {
  try {
    const parsed = parseParameterFile(await readFile(path, "utf8"));
    return parsed.ok ? parsed : err(`${path}: ${parsed.error}`);
  } catch (error) {
    return err(diskProblem(error, path));
  }
}
