import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LogReader } from "../reader";
import { fileSource, readBytes } from "../source";
import { CannotExport, type Exporter, type ExportSource } from "./exported";
import { withFile } from "./file-out";
import { flightName } from "./names";

const nameOf = ({ path }: ExportSource): string => `${flightName(path)}.tlog`;
const STAMP = 8;
const LONGEST = STAMP + 10 + 255 + 2 + 13;
const BETWEEN_STEPS = 20_000;

/**
 * The raw link as any ground station replays it: of a telemetry log itself, or of the `flight.tlog` beside one of our
 * recordings. Frames are copied as they are, so that what is read later is what was heard.
 */
export const tlogExporter: Exporter = {
  plan: (source) => {
    if (frames(source) === null)
      throw new CannotExport(
        "This log holds no MAVLink frames; a tlog can be made of telemetry and of Kingfisher's own flights.",
      );
    return [nameOf(source)];
  },
  write: async (source, staging, job) => {
    const from = frames(source) ?? source.file;
    const bytes = fileSource(from);
    const [first_us, last_us] = limits(source);
    try {
      return await withFile(staging.at(nameOf(source)), async (out) => {
        let rows = 0;
        let at = 0;
        let lost = 0;
        for (let n = 0; at < bytes.size; n++) {
          const record = readBytes(bytes, at, LONGEST);
          const length = recordLength(record);
          if (length === 0) {
            lost += 1;
            at += 1;
            continue;
          }
          const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
          const utc_us = Number(view.getBigUint64(0));
          if (utc_us >= first_us && utc_us <= last_us) {
            out.write(record.subarray(0, length));
            rows += 1;
          }
          at += length;
          if (n % BETWEEN_STEPS === 0) await job.step(at, bytes.size);
        }
        const notes = lost > 0 ? [`${lost} damaged bytes were left out`] : [];
        if (source.reader.topics.length < source.session.log.reader.topics.length)
          notes.push("a tlog always holds all messages: the choice of topics does not apply");
        return { rows, notes };
      });
    } finally {
      bytes.close();
    }
  },
};

/** The file of frames; null when there is none. */
function frames({ reader, file }: ExportSource): string | null {
  if (reader.kind === "tlog") return file;
  const beside = join(dirname(file), "flight.tlog");
  return reader.kind === "kingfisher" && existsSync(beside) ? beside : null;
}

function limits({ reader, from_s, to_s }: ExportSource): [number, number] {
  const start_us = (reader: Pick<LogReader, "start_utc_ms">): number => (reader.start_utc_ms ?? 0) * 1000;
  return [
    from_s === null ? Number.NEGATIVE_INFINITY : start_us(reader) + from_s * 1e6,
    to_s === null ? Number.POSITIVE_INFINITY : start_us(reader) + to_s * 1e6,
  ];
}

/** Bytes of a stamped frame, 0 when there is none here. The next frame's magic, or the end, must follow. */
function recordLength(record: Uint8Array): number {
  const magic = record[STAMP];
  const payload = record[STAMP + 1] ?? 0;
  const frame =
    magic === 0xfd
      ? 10 + payload + 2 + (((record[STAMP + 2] ?? 0) & 1) === 1 ? 13 : 0)
      : magic === 0xfe
        ? 6 + payload + 2
        : 0;
  const length = STAMP + frame;
  return frame === 0 || record.length < length ? 0 : length;
}
