import { McapWriter } from "@mcap/core";
import type { Job } from "../jobs";
import type { Exporter, ExportSource } from "./exported";
import { type FileOut, withFile } from "./file-out";
import { flightName } from "./names";

const nameOf = ({ path }: ExportSource): string => `${flightName(path)}.mcap`;
const BETWEEN_STEPS = 500;

/** One MCAP file of JSON messages, which Foxglove and other viewers open; pictures stay what they are, in base64. */
export const mcapExporter: Exporter = {
  plan: (source) => (source.reader.topics.some(({ count }) => count > 0) ? [nameOf(source)] : []),
  write: (source, staging, job) =>
    withFile(staging.at(nameOf(source)), async (out) => {
      const rows = await writeMcap(source, out, job);
      return { rows, notes: [] };
    }),
};

async function writeMcap({ reader }: ExportSource, out: FileOut, job: Job): Promise<number> {
  const writer = new McapWriter({
    writable: {
      position: () => BigInt(out.size),
      write: (bytes) => {
        out.write(bytes);
        return Promise.resolve();
      },
    },
  });
  await writer.start({ profile: "", library: "kingfisher" });
  await writer.addMetadata({ name: "source", metadata: new Map(Object.entries(reader.meta)) });
  const start_ms = reader.start_utc_ms ?? 0;
  const images = new Set(reader.image_topics.map(({ topic }) => topic));
  let rows = 0;
  for (const [n, topic] of reader.topics.entries()) {
    if (topic.count === 0) continue;
    const picture = images.has(topic.name);
    const schemaId = await writer.registerSchema({
      name: picture ? "foxglove.CompressedImage" : topic.type,
      encoding: "jsonschema",
      data: Buffer.from(JSON.stringify(picture ? IMAGE_SCHEMA : schemaOf(topic.fields))),
    });
    const channelId = await writer.registerChannel({
      schemaId,
      topic: topic.name,
      messageEncoding: "json",
      metadata: new Map(),
    });
    let sequence = 0;
    const add = async (at_s: number, value: unknown): Promise<void> => {
      const logTime = BigInt(Math.round((start_ms + at_s * 1000) * 1000)) * 1000n;
      const data = Buffer.from(JSON.stringify(value, plainBytes));
      await writer.addMessage({ channelId, sequence: sequence++, logTime, publishTime: logTime, data });
      if (sequence % BETWEEN_STEPS === 0) await job.step(n, reader.topics.length);
    };
    await job.step(n, reader.topics.length);
    for (const { at_s, value } of reader.records(topic.name)) {
      // A log that began before the review's zero would fall before 1970 when it has no clock.
      if (start_ms === 0 && at_s < 0) continue;
      if (!picture) await add(at_s, nested(value));
      else {
        const image = reader.image(topic.name, at_s);
        if (image) await add(at_s, imageMessage(image, start_ms));
      }
    }
    rows += sequence;
  }
  await writer.end();
  return rows;
}

const IMAGE_SCHEMA = {
  type: "object",
  properties: {
    timestamp: { type: "object", properties: { sec: { type: "integer" }, nsec: { type: "integer" } } },
    frame_id: { type: "string" },
    data: { type: "string", contentEncoding: "base64" },
    format: { type: "string" },
  },
};

function imageMessage(
  image: { at_s: number; media_type: string; bytes: Uint8Array },
  start_ms: number,
): unknown {
  const utc_ms = start_ms + image.at_s * 1000;
  const sec = Math.floor(utc_ms / 1000);
  return {
    timestamp: { sec, nsec: Math.floor((utc_ms - sec * 1000) * 1e6) },
    frame_id: "",
    data: Buffer.from(image.bytes).toString("base64"),
    format: image.media_type.replace("image/", ""),
  };
}

/** Large integers as numbers, bytes as base64: what JSON readers expect. */
function plainBytes(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  return value;
}

/** Flat paths (`q[0]`, `esc[1].rpm`) become the arrays and objects they name. */
export function nested(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value);
  if (!entries.some(([path]) => /[.[]/.test(path))) return value;
  const root: Record<string, unknown> = {};
  for (const [path, leaf] of entries) {
    const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
    let at: Record<string, unknown> = root;
    for (const [k, key] of keys.entries()) {
      if (k === keys.length - 1) at[key] = leaf;
      else {
        at[key] ??= /^\d+$/.test(keys[k + 1] ?? "") ? [] : {};
        at = at[key] as Record<string, unknown>;
      }
    }
  }
  return root;
}

function schemaOf(fields: readonly { path: string; numeric: boolean }[]): unknown {
  const properties: Record<string, unknown> = {};
  for (const { path, numeric } of fields) {
    const [top = ""] = path.split(/[.[]/);
    if (top === path) properties[top] = { type: numeric ? "number" : "string" };
    else properties[top] ??= path.startsWith(`${top}[`) ? { type: "array" } : { type: "object" };
  }
  return { type: "object", properties };
}
