import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "#contract/result";
import type { Column, LogReader } from "../reader";
import type { Session } from "../session";
import type { Exported } from "./exported";
import { flightName } from "./parquet";

/** Where logs keep latitude, longitude and altitude above sea level, and what turns them into degrees and metres. */
const SOURCES: readonly (readonly [string, readonly [string, string, string], number, number])[] = [
  ["GLOBAL_POSITION_INT", ["lat", "lon", "alt"], 1e-7, 1e-3],
  ["vehicle_global_position", ["lat", "lon", "alt"], 1, 1],
  ["POS", ["Lat", "Lng", "Alt"], 1, 1],
  ["GPS_RAW_INT", ["lat", "lon", "alt"], 1e-7, 1e-3],
];
const MAX_POINTS = 20_000;

/** The path as KML, one line a mode, so that a map shows where each was flown. */
export function exportKml(session: Session, out: string): Result<Exported, string> {
  const place = placeOf(session.log.reader);
  if (!place) return err("This log carries no geographic position, so there is nothing to draw on a map.");
  const summary = session.summary();
  const modes = summary.lanes.find(({ id }) => id === "mode")?.spans ?? [];
  const spans = modes.length > 0 ? modes : [{ from_s: 0, to_s: summary.duration_s, label: "Flight" }];
  let rows = 0;
  const lines = spans.map(({ from_s, to_s, label }) => {
    const points = place.points.filter((p) => p.t_s >= from_s && p.t_s <= to_s);
    rows += points.length;
    const coordinates = points.map((p) => `${p.lon.toFixed(8)},${p.lat.toFixed(8)},${p.alt_m.toFixed(2)}`);
    return (
      `<Placemark><name>${escapeXml(label)}</name><description>${from_s.toFixed(1)} to ${to_s.toFixed(1)} s</description>` +
      "<LineString><altitudeMode>absolute</altitudeMode><coordinates>" +
      `${coordinates.join(" ")}</coordinates></LineString></Placemark>`
    );
  });
  const file = join(out, `${flightName(session.log.path)}.kml`);
  writeFileSync(
    file,
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
      `<name>${escapeXml(summary.title)}</name>${lines.join("\n")}</Document></kml>\n`,
  );
  return ok({ format: "kml", files: [file], rows });
}

export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

interface Point {
  readonly t_s: number;
  readonly lat: number;
  readonly lon: number;
  readonly alt_m: number;
}

function placeOf(reader: LogReader): { points: Point[] } | null {
  for (const [topic, fields, to_deg, to_m] of SOURCES) {
    const [lat, lon, alt] = fields.map((field): Column | null => reader.column(topic, field));
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
    if (points.length > 0) return { points };
  }
  return null;
}
