import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { VehicleFile, VehicleLog } from "#contract/link-ipc";
import { err, ok, type Result } from "#contract/result";
import type { LogEntry } from "../../link/protocols/logs";
import type { VehicleServices } from "../../link/services";
import { diskProblem, Turns } from "./disk";
import { FileSink } from "./file-sink";
import type { TransferHandle, Transfers } from "./transfers";

export interface FilePorts {
  readonly services: () => VehicleServices | null;
  readonly autopilot: () => string;
  readonly transfers: Transfers;
}

const UNHEARD = "No vehicle has been heard yet.";
type Started = Result<{ readonly transfer: string }, string>;

/** Files and logs of the selected vehicle. */
export class FileDesk {
  readonly #ports: FilePorts;
  readonly #turns = new Turns();
  #entries: readonly LogEntry[] = [];
  /** Log ids that are being fetched. */
  readonly #fetching = new Set<number>();

  constructor(ports: FilePorts) {
    this.#ports = ports;
  }

  async list(path: string): Promise<Result<readonly VehicleFile[], string>> {
    const services = this.#ports.services();
    if (services === null) return err(UNHEARD);
    const listed = await this.#turns.take(() => services.files.list(path));
    return listed.ok ? listed : err(listed.error.text);
  }

  /** The content of one file, for the station itself. */
  async read(services: VehicleServices, path: string): Promise<Result<Uint8Array, string>> {
    const file = await this.#turns.take(() => services.files.download(path));
    return file.ok ? ok(file.value.bytes) : err(file.error.text);
  }

  async download(path: string, folder: string): Promise<Started> {
    const services = this.#ports.services();
    if (services === null) return err(UNHEARD);
    const target = join(folder, basename(path));
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      return err(diskProblem(error, folder));
    }
    const transfer = this.#ports.transfers.begin("file", path, null);
    void this.#turns.take(() => fetchFile(services, path, target, transfer));
    return ok({ transfer: transfer.id });
  }

  async logs(): Promise<Result<readonly VehicleLog[], string>> {
    const services = this.#ports.services();
    if (services === null) return err(UNHEARD);
    const listed = await services.logs.list();
    if (!listed.ok) return err("The vehicle does not answer when asked for its logs.");
    this.#entries = listed.value;
    return ok(listed.value.map(({ id, size, utc_s }) => ({ id, size, utc_s })));
  }

  async downloadLog(id: number, folder: string): Promise<Started> {
    const services = this.#ports.services();
    if (services === null) return err(UNHEARD);
    const entry = this.#entries.find((one) => one.id === id);
    if (entry === undefined) return err(`The vehicle offered no log ${String(id)}; list them first.`);
    if (this.#fetching.size > 0)
      return err("Another log is being downloaded; a vehicle sends one at a time.");
    const target = join(folder, logName(entry, this.#ports.autopilot()));
    let opened: Awaited<ReturnType<typeof FileSink.open>>;
    try {
      opened = await FileSink.open(target, entry.size);
    } catch (error) {
      return err(diskProblem(error, target));
    }
    const transfer = this.#ports.transfers.begin("log", basename(target), entry.size);
    this.#fetching.add(id);
    void fetchLog(services, entry, target, opened, transfer).finally(() => {
      this.#fetching.delete(id);
    });
    return ok({ transfer: transfer.id });
  }
}

async function fetchFile(
  services: VehicleServices,
  path: string,
  target: string,
  transfer: TransferHandle,
): Promise<void> {
  const file = await services.files.download(path, transfer.progress, transfer.signal);
  if (!file.ok) {
    transfer.failed(file.error.text);
    return;
  }
  try {
    await writeFile(target, file.value.bytes);
    const how = file.value.verified
      ? "checksum agrees"
      : "the vehicle computes no checksum; only the length is right";
    transfer.done(how, target);
  } catch (error) {
    transfer.failed(diskProblem(error, target));
  }
}

async function fetchLog(
  services: VehicleServices,
  entry: LogEntry,
  target: string,
  { sink, from }: { readonly sink: FileSink; readonly from: number },
  transfer: TransferHandle,
): Promise<void> {
  transfer.progress(from, entry.size);
  const got = await services.logs.download(entry, sink, {
    from,
    signal: transfer.signal,
    onProgress: transfer.progress,
  });
  if (!got.ok) {
    await sink.keep(got.error.have);
    transfer.failed(`${got.error.text}; what came is kept, the next download goes on from there`);
    return;
  }
  try {
    await sink.finish();
    transfer.done(from > 0 ? `resumed at ${String(from)} bytes` : "", target);
  } catch (error) {
    transfer.failed(diskProblem(error, target));
  }
}

/** `log_3_20260131_120000.ulg`; without a clock on the vehicle no date. */
function logName({ id, utc_s }: LogEntry, autopilot: string): string {
  const when =
    utc_s === null
      ? ""
      : `_${new Date(utc_s * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "_")}`;
  return `log_${String(id)}${when}.${autopilot === "ardupilot" ? "bin" : "ulg"}`;
}
