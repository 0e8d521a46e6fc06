import type { GeoOrigin } from "#contract/plan";

/** PX4's sphere (src/lib/geo), so that both ends mean the same point by the same degrees. */
const EARTH_m = 6_371_000;
const rad = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (radians: number): number => (radians * 180) / Math.PI;

/**
 * Azimuthal equidistant projection around the origin, as PX4's local position has it: metres north and east.
 * J. P. Snyder, Map Projections: A Working Manual, USGS 1395, equations 25-1 to 25-2 and 22-4 to 22-5.
 */
export function toNorthEast(
  origin: GeoOrigin,
  latitude_deg: number,
  longitude_deg: number,
): readonly [north_m: number, east_m: number] {
  const [lat0, lat, dlon] = [
    rad(origin.latitude_deg),
    rad(latitude_deg),
    rad(longitude_deg - origin.longitude_deg),
  ];
  const cosine = Math.sin(lat0) * Math.sin(lat) + Math.cos(lat0) * Math.cos(lat) * Math.cos(dlon);
  const c = Math.acos(Math.min(1, Math.max(-1, cosine)));
  const k = c < 1e-9 ? 1 : c / Math.sin(c);
  const north = Math.cos(lat0) * Math.sin(lat) - Math.sin(lat0) * Math.cos(lat) * Math.cos(dlon);
  return [k * north * EARTH_m, k * Math.cos(lat) * Math.sin(dlon) * EARTH_m];
}

export function fromNorthEast(
  origin: GeoOrigin,
  north_m: number,
  east_m: number,
): { readonly latitude_deg: number; readonly longitude_deg: number } {
  const [x, y] = [north_m / EARTH_m, east_m / EARTH_m];
  const c = Math.hypot(x, y);
  if (c < 1e-12) return { latitude_deg: origin.latitude_deg, longitude_deg: origin.longitude_deg };
  const lat0 = rad(origin.latitude_deg);
  const [s, cosine] = [Math.sin(c), Math.cos(c)];
  const lat = Math.asin(cosine * Math.sin(lat0) + (x * s * Math.cos(lat0)) / c);
  const dlon = Math.atan2(y * s, c * Math.cos(lat0) * cosine - x * Math.sin(lat0) * s);
  return { latitude_deg: degrees(lat), longitude_deg: origin.longitude_deg + degrees(dlon) };
}
