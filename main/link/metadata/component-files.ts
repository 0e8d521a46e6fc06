import { z } from "zod";
import { err, ok, type Result } from "#contract/result";
import type { Clock } from "../../platform/clock";
import { requestMessage } from "../protocols/message-intervals";
import { listen, type ServiceWire } from "../protocols/service";
import type { VehicleServices } from "../services";
import { EventDictionary } from "./event-words";
import { type ParameterMeta, parseParameterMetadata } from "./parameter-metadata";
import { readPackedJson } from "./xz";

/** What a component says of itself in files (https://mavlink.io/en/services/component_information.html). */
export interface Descriptions {
  readonly parameters: ReadonlyMap<string, ParameterMeta>;
  readonly events: EventDictionary;
}

/** Kept files, by the checksum that the vehicle names: what has not changed is not fetched again. */
export interface FileStore {
  load(crc: number): Promise<Uint8Array | null>;
  save(crc: number, bytes: Uint8Array): Promise<void>;
}

const COMPONENT_METADATA = 397;
const METADATA_TYPE_PARAMETER = 1;
const METADATA_TYPE_EVENTS = 4;
const ANSWER_ms = 2500;
/** Where PX4 keeps it, for vehicles that do not answer the question. */
const USUAL_PATHS = ["/etc/extras/component_general.json.xz", "/etc/extras/component_general.json"];

/** Version 1; https://github.com/mavlink/mavlink/blob/master/component_metadata/general.schema.json */
const General = z.object({
  version: z.number(),
  metadataTypes: z.array(z.object({ type: z.number(), uri: z.string(), fileCrc: z.number().optional() })),
});

export interface DescriptionPorts {
  readonly wire: ServiceWire;
  readonly clock: Clock;
  readonly services: VehicleServices;
  readonly store: FileStore;
  /** Reads one file of the vehicle; transfers take turns there. */
  readonly download: (path: string) => Promise<Result<Uint8Array, string>>;
  /** False on a slow radio: only what is kept already is used. */
  readonly mayDownload: boolean;
}

/** Reads the descriptions of parameters and events from the vehicle itself. */
export async function readDescriptions(
  ports: DescriptionPorts,
): Promise<Result<Descriptions & { readonly fetched: number }, string>> {
  const general = await readGeneral(ports);
  if (!general.ok) return general;
  let fetched = 0;
  const read = async (type: number): Promise<Result<unknown, string>> => {
    const entry = general.value.metadataTypes.find((one) => one.type === type);
    if (entry === undefined) return err("the vehicle does not describe them");
    const file = await fileAt(ports, entry.uri, entry.fileCrc ?? null);
    if (!file.ok) return file;
    fetched += file.value.fetched ? 1 : 0;
    return readPackedJson(file.value.bytes);
  };
  const parameterJson = await read(METADATA_TYPE_PARAMETER);
  if (!parameterJson.ok) return err(`parameters: ${parameterJson.error}`);
  const parameters = parseParameterMetadata(parameterJson.value);
  if (!parameters.ok) return err(`parameters: ${parameters.error}`);
  const eventJson = await read(METADATA_TYPE_EVENTS);
  const events = EventDictionary.parse(eventJson.ok ? eventJson.value : { version: 1, components: {} });
  if (!events.ok) return err(`events: ${events.error}`);
  return ok({ parameters: parameters.value, events: events.value, fetched });
}

async function readGeneral(ports: DescriptionPorts): Promise<Result<z.infer<typeof General>, string>> {
  const told = await askWhere(ports);
  const places = told === null ? USUAL_PATHS.map((path) => ({ uri: path, crc: null })) : [told];
  let last: Result<never, string> = err("the vehicle has no descriptions of itself");
  for (const { uri, crc } of places) {
    const file = await fileAt(ports, uri, crc);
    if (!file.ok) {
      last = file;
      continue;
    }
    const json = await readPackedJson(file.value.bytes);
    const parsed = json.ok ? General.safeParse(json.value) : null;
    if (parsed?.success === true) return ok(parsed.data);
    last = err(json.ok ? `${uri} is not a description` : `${uri}: ${json.error}`);
  }
  return last;
}

/** COMPONENT_METADATA on request; null when the vehicle does not answer. */
function askWhere({
  wire,
  clock,
  services,
}: DescriptionPorts): Promise<{ uri: string; crc: number | null } | null> {
  return new Promise((settle) => {
    const finish = (answer: { uri: string; crc: number | null } | null): void => {
      unhear();
      cancel();
      settle(answer);
    };
    const unhear = listen(wire, services.target, ["COMPONENT_METADATA"], ({ fields }) => {
      const { uri, file_crc } = fields;
      if (typeof uri === "string" && uri !== "")
        finish({ uri, crc: typeof file_crc === "number" ? file_crc : null });
    });
    const cancel = clock.after(ANSWER_ms, () => finish(null));
    void requestMessage(services.requests, services.target, COMPONENT_METADATA).then((outcome) => {
      if (!outcome.ok && outcome.error !== "busy") finish(null);
    });
  });
}

async function fileAt(
  ports: DescriptionPorts,
  uri: string,
  crc: number | null,
): Promise<Result<{ readonly bytes: Uint8Array; readonly fetched: boolean }, string>> {
  const kept = crc === null ? null : await ports.store.load(crc);
  if (kept !== null) return ok({ bytes: kept, fetched: false });
  const path = pathOf(uri);
  if (path === null) return err(`${uri} is not on the vehicle, and nothing is fetched from the internet`);
  if (!ports.mayDownload) return err("not read over a slow radio; connect a cable once, then they are kept");
  const file = await ports.download(path);
  if (!file.ok) return file;
  if (crc !== null) await ports.store.save(crc, file.value);
  return ok({ bytes: file.value, fetched: true });
}

/** `mftp://[;comp=1]/etc/…`, or a bare path; null for anything that is not on the vehicle. */
function pathOf(uri: string): string | null {
  if (uri.startsWith("/")) return uri;
  const match = /^mftp:\/\/(?:\[;comp=\d+\])?(.+)$/.exec(uri);
  const path = match?.[1];
  return path === undefined ? null : path.startsWith("/") ? path : `/${path}`;
}
