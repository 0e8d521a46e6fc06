import type { Column, LogReader } from "../reader";
import { escapeXml } from "../report/svg";
import { CannotExport, type Exporter, type ExportSource } from "./exported";
import { withFile } from "./file-out";
import { flightName } from "./names";

/** Where logs keep latitude, longitude and altitude above sea level, and what turns them into degrees and metres. */
const SOURCES: readonly (readonly [string, readonly [string, string, string], number, number])[] = [
  ["GLOBAL_POSITION_INT", ["lat", "lon", "alt"], 1e-7, 1e-3],
  ["vehicle_global_position", ["lat", "lon", "alt"], 1, 1],
  ["POS", ["Lat", "Lng", "Alt"], 1, 1],
  ["GPS_RAW_INT", ["lat", "lon", "alt"], 1e-7, 1e-3],
];
const MAX_POINTS = 20_000;

const nameOf = ({ path }: ExportSource): string => `${flightName(path)}.kml`;

/** The path as KML, one line a mode, so that a map shows where each was flown. */
export const kmlExporter: Exporter = {
  plan: (source) => {
    if (!placeOf(source.reader))
      throw new CannotExport(
        "This log carries no geographic position, so there is nothing to draw on a map.",
      );
    return [nameOf(source)];
  },
  write: async (source, staging, job) => {
    await job.step(0, 1);
    const points = placeOf(source.reader) ?? [];
    const summary = source.summary();
    const modes = summary.lanes.find(({ id }) => id === "mode" || id.endsWith(":mode"))?.spans ?? [];
    const spans = modes.length > 0 ? modes : [{ from_s: 0, to_s: summary.duration_s, label: "Flight" }];
    let rows = 0;
    const lines = spans.flatMap(({ from_s, to_s, label }) => {
      const inside = points.filter((p) => p.t_s >= from_s && p.t_s <= to_s);
      if (inside.length === 0) return [];
      rows += inside.length;
      const coordinates = inside.map((p) => `${p.lon.toFixed(8)},${p.lat.toFixed(8)},${p.alt_m.toFixed(2)}`);
      return [
        `<Placemark><name>${escapeXml(label)}</name><description>${from_s.toFixed(1)} to ${to_s.toFixed(1)} s</description>` +
          "<LineString><altitudeMode>absolute</altitudeMode><coordinates>" +
          `${coordinates.join(" ")}</coordinates></LineString></Placemark>`,
      ];
    });
    const text =
      '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
      `<name>${escapeXml(summary.title)}</name>${lines.join("\n")}</Document></kml>\n`;
    await withFile(staging.at(nameOf(source)), (out) => {
      out.write(text);
      return Promise.resolve();
    });
    return { rows, notes: [] };
  },
};

interface Point {
  readonly t_s: number;
  readonly lat: number;
  readonly lon: number;
  readonly alt_m: number;
}

function placeOf(reader: LogReader): Point[] | null {
  for (const [topic, fields, to_deg, to_m] of SOURCES) {
    const name = reader.topics.find((t) => t.name === topic || t.name.endsWith(`:${topic}`))?.name ?? topic;
    const [lat, lon, alt] = fields.map((field): Column | null => reader.column(name, field));
    if (!lat || !lon || !alt) continue;
    const points: Point[] = [];
    const stride = Math.max(1, Math.ceil(lat.t_s.length / MAX_POINTS));
    for (let i = 0; i < lat.t_s.length; i += stride) {
      const point = {
        t_s: lat.t_s[i] as number,
        lat: (lat.values[i] as number) * to_deg,
        lon: (lon.values[i] as number) * to_deg,
        alt_m: (alt.values[i] as number) * to_m,
      };
      // 0, 0 means "no fix yet".
      if ((point.lat !== 0 || point.lon !== 0) && Number.isFinite(point.lat + point.lon + point.alt_m))
        points.push(point);
    }
    if (points.length > 0) return points;
  }
  return null;
}
