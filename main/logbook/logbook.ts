import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { type RecordMessage, type RecordTopic, recordingSchemaVersion, recordTopics } from "#contract/record";
import { err, ok, type Result } from "#contract/result";
import type { Settings } from "#contract/settings";
import type { Cancel, Clock } from "../platform/clock";
import { type AuditEntry, auditStart, chainAudit } from "./audit";
import {
  compressedImageDescriptor,
  compressedImageSchemaName,
  encodeCompressedImage,
} from "./compressed-image";
import { FlightMcap } from "./flight-mcap";
import { openSink, type Sink } from "./sink";

/** What a recording says about itself. `name` becomes part of the folder's name. */
export interface FlightMeta {
  readonly name: string;
  readonly version: string;
  readonly git: string;
  readonly address: string;
  readonly scene: string;
  readonly seed: number | null;
  readonly settings: Settings;
}

/** One frame of the raw link, as link hands it out; `at_ms` is the station's clock. */
export interface RecordedFrame {
  readonly bytes: Uint8Array;
  readonly at_ms: number;
  readonly direction: "in" | "out";
}

export interface LogbookStatus {
  readonly folder: string;
  readonly written_bytes: number;
  readonly pending_bytes: number;
  readonly dropped_images: number;
  readonly dropped_messages: number;
  /** Why recording stopped, in one sentence; null while all is well. */
  readonly problem: string | null;
}

/**
 * The recording of one flight: `flight.mcap` (everything the station knew and decided), `flight.tlog` (the raw link,
 * both directions) and `audit.jsonl` (decisions, hash-chained). No call blocks: bytes are queued and written in the
 * background. When the disk falls behind, pictures are dropped first, then messages, and the recording says so.
 * A killed process loses at most `FLUSH_MS` and the file still opens.
 */
export interface Logbook {
  readonly folder: string;
  write<T extends RecordTopic>(topic: T, message: RecordMessage<T>, at_ms: number): void;
  /** `topic` is `/camera/NAME/colour` or `/camera/NAME/depth`. */
  image(topic: string, jpeg: Uint8Array, at_ms: number): void;
  raw(frame: RecordedFrame): void;
  audit(entry: AuditEntry): void;
  status(): LogbookStatus;
  /** Finishes all three files. Safe to call twice. */
  close(): Promise<void>;
}

export const FLUSH_MS = 250;
const SYNC_MS = 2000;
/** Beyond this backlog pictures are dropped; beyond the second, messages too. */
const IMAGE_BACKLOG_BYTES = 16 * 1024 * 1024;
const MESSAGE_BACKLOG_BYTES = 64 * 1024 * 1024;

const two = (n: number): string => String(n).padStart(2, "0");

/** `2026-11-30_23-42-10_NAME`, in UTC, with nothing in it that a file system would refuse. */
export function flightFolderName(utc_ms: number, name: string): string {
  const d = new Date(utc_ms);
  const day = `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`;
  const time = `${two(d.getUTCHours())}-${two(d.getUTCMinutes())}-${two(d.getUTCSeconds())}`;
  const safe = name
    .replace(/[^\p{L}\p{N}-]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return `${day}_${time}${safe === "" ? "" : `_${safe}`}`;
}

/** Creates the flight's folder under `flights_dir` and opens all files, or says in one sentence why it cannot. */
export async function openLogbook(
  flights_dir: string,
  meta: FlightMeta,
  clock: Clock,
): Promise<Result<Logbook, string>> {
  try {
    const folder = await newFolder(flights_dir, flightFolderName(clock.utc_ms(), meta.name));
    const [mcap, tlog, audit] = await Promise.all([
      openSink(join(folder, "flight.mcap")),
      openSink(join(folder, "flight.tlog")),
      openSink(join(folder, "audit.jsonl")),
    ]);
    return ok(new FlightLogbook(folder, { mcap, tlog, audit }, meta, clock));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return err(`Cannot record into ${flights_dir}: ${why}`);
  }
}

/** Two flights may start within a second: the later one gets a number. */
async function newFolder(parent: string, name: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (let attempt = 1; ; attempt++) {
    const folder = join(parent, attempt === 1 ? name : `${name}-${attempt}`);
    try {
      await mkdir(folder);
      return folder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt >= 100) throw error;
    }
  }
}

interface Sinks {
  readonly mcap: Sink;
  readonly tlog: Sink;
  readonly audit: Sink;
}

class FlightLogbook implements Logbook {
  readonly folder: string;
  readonly #sinks: Sinks;
  readonly #mcap: FlightMcap;
  readonly #clock: Clock;
  readonly #utc_offset_ms: number;
  readonly #channels = new Map<string, number>();
  readonly #cancels: Cancel[];
  #audit_seq = 0;
  #audit_hash = auditStart;
  #dropped_images = 0;
  #dropped_messages = 0;
  #told_dropped = 0;
  #holding = false;
  #closing: Promise<void> | null = null;

  constructor(folder: string, sinks: Sinks, meta: FlightMeta, clock: Clock) {
    this.folder = folder;
    this.#sinks = sinks;
    this.#clock = clock;
    this.#utc_offset_ms = clock.utc_ms() - clock.now_ms();
    this.#mcap = new FlightMcap(sinks.mcap, `kingfisher ${meta.version}`);
    this.#mcap.addMetadata("kingfisher", metadataOf(meta, clock));
    for (const topic of Object.keys(recordTopics) as RecordTopic[]) this.#jsonChannel(topic);
    this.#cancels = [
      clock.every(FLUSH_MS, () => {
        this.#tellDropped();
        this.#mcap.flush();
        this.#holdWhileBehind();
      }),
      clock.every(SYNC_MS, () => {
        for (const sink of [sinks.mcap, sinks.tlog, sinks.audit]) sink.sync();
      }),
    ];
  }

  #jsonChannel(topic: RecordTopic): void {
    const schema = z.toJSONSchema(recordTopics[topic], { unrepresentable: "any", io: "output" });
    const id = this.#mcap.addChannel({
      topic,
      encoding: "json",
      schemaName: topic.slice(1).replaceAll("/", "."),
      schemaEncoding: "jsonschema",
      schema: Buffer.from(JSON.stringify(schema)),
    });
    this.#channels.set(topic, id);
  }

  #time_ns(at_ms: number): bigint {
    return BigInt(Math.round((at_ms + this.#utc_offset_ms) * 1000)) * 1000n;
  }

  write<T extends RecordTopic>(topic: T, message: RecordMessage<T>, at_ms: number): void {
    if (this.#closing) return;
    if (this.#sinks.mcap.pending_bytes > MESSAGE_BACKLOG_BYTES) {
      this.#dropped_messages += 1;
      return;
    }
    const channel = this.#channels.get(topic);
    if (channel === undefined) throw new Error(`Invariant: ${topic} has no channel`);
    this.#mcap.addMessage(channel, this.#time_ns(at_ms), Buffer.from(JSON.stringify(message)));
  }

  image(topic: string, jpeg: Uint8Array, at_ms: number): void {
    if (this.#closing || jpeg.length === 0) return;
    if (this.#sinks.mcap.pending_bytes > IMAGE_BACKLOG_BYTES) {
      this.#dropped_images += 1;
      return;
    }
    let channel = this.#channels.get(topic);
    if (channel === undefined) {
      channel = this.#mcap.addChannel({
        topic,
        encoding: "protobuf",
        schemaName: compressedImageSchemaName,
        schemaEncoding: "protobuf",
        schema: compressedImageDescriptor(),
      });
      this.#channels.set(topic, channel);
    }
    const frame_id = topic.split("/")[2] ?? "";
    const data = encodeCompressedImage(jpeg, "jpeg", frame_id, at_ms + this.#utc_offset_ms);
    this.#mcap.addMessage(channel, this.#time_ns(at_ms), data);
  }

  /** 8 bytes of big-endian UTC microseconds, then the frame: what every tlog reader expects. */
  raw(frame: RecordedFrame): void {
    if (this.#closing) return;
    const record = Buffer.allocUnsafe(8 + frame.bytes.length);
    record.writeBigUInt64BE(BigInt(Math.round((frame.at_ms + this.#utc_offset_ms) * 1000)), 0);
    record.set(frame.bytes, 8);
    this.#sinks.tlog.write(record);
  }

  audit(entry: AuditEntry): void {
    if (this.#closing) return;
    const now_ms = this.#clock.now_ms();
    const utc_ms = now_ms + this.#utc_offset_ms;
    const line = chainAudit(entry, this.#audit_seq, utc_ms, this.#audit_hash);
    this.#audit_seq += 1;
    this.#audit_hash = line.hash;
    this.#sinks.audit.write(Buffer.from(`${JSON.stringify(line)}\n`));
    this.write("/kingfisher/audit", { seq: line.seq, hash: line.hash, kind: line.kind, by: line.by }, now_ms);
  }

  #tellDropped(): void {
    const dropped = this.#dropped_images + this.#dropped_messages;
    if (dropped === this.#told_dropped || this.#sinks.mcap.pending_bytes > IMAGE_BACKLOG_BYTES) return;
    this.#told_dropped = dropped;
    const text = `The disk fell behind: ${this.#dropped_images} pictures and ${this.#dropped_messages} messages so far are missing from this recording`;
    this.write("/kingfisher/text", { severity: "caution", source: "logbook", text }, this.#clock.now_ms());
  }

  /** Simulated time waits for the disk; real time does not. */
  #holdWhileBehind(): void {
    if (this.#holding || this.#sinks.mcap.pending_bytes < IMAGE_BACKLOG_BYTES / 2) return;
    this.#holding = true;
    void this.#clock.hold(this.#sinks.mcap.drained()).finally(() => {
      this.#holding = false;
    });
  }

  status(): LogbookStatus {
    const { mcap, tlog, audit } = this.#sinks;
    return {
      folder: this.folder,
      written_bytes: mcap.written_bytes + tlog.written_bytes + audit.written_bytes,
      pending_bytes: mcap.pending_bytes + tlog.pending_bytes + audit.pending_bytes,
      dropped_images: this.#dropped_images,
      dropped_messages: this.#dropped_messages,
      problem: mcap.problem ?? tlog.problem ?? audit.problem,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    for (const cancel of this.#cancels) cancel();
    this.#mcap.flush();
    this.#mcap.addMetadata("kingfisher.end", {
      ended_utc_ms: String(Math.round(this.#clock.utc_ms())),
      dropped_images: String(this.#dropped_images),
      dropped_messages: String(this.#dropped_messages),
      audit_entries: String(this.#audit_seq),
      audit_hash: this.#audit_hash,
    });
    this.#mcap.end();
    await Promise.all([this.#sinks.mcap.close(), this.#sinks.tlog.close(), this.#sinks.audit.close()]);
  }
}

function metadataOf(meta: FlightMeta, clock: Clock): Record<string, string> {
  return {
    name: meta.name,
    version: meta.version,
    git: meta.git,
    schema: String(recordingSchemaVersion),
    address: meta.address,
    scene: meta.scene,
    seed: meta.seed === null ? "" : String(meta.seed),
    settings: JSON.stringify(meta.settings),
    started_utc_ms: String(Math.round(clock.utc_ms())),
    /** Station clock at the start: `at_ms` members inside messages count from the same zero. */
    started_now_ms: String(clock.now_ms()),
  };
}
