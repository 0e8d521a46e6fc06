import type { Vec3 } from "./vector";

const radius_m = 6371000;
const degree = Math.PI / 180;

export interface Origin {
  readonly latitude_deg: number;
  readonly longitude_deg: number;
  readonly altitude_amsl_m: number;
}

/** Local NED to the globe about an origin; a flat patch is exact to millimetres over an indoor site. */
export function toGlobal(origin: Origin, ned: Vec3): Origin {
  return {
    latitude_deg: origin.latitude_deg + ned[0] / radius_m / degree,
    longitude_deg:
      origin.longitude_deg + ned[1] / (radius_m * Math.cos(origin.latitude_deg * degree)) / degree,
    altitude_amsl_m: origin.altitude_amsl_m - ned[2],
  };
}

export function toLocal(
  origin: Origin,
  latitude_deg: number,
  longitude_deg: number,
  altitude_amsl_m: number,
): Vec3 {
  return [
    (latitude_deg - origin.latitude_deg) * degree * radius_m,
    (longitude_deg - origin.longitude_deg) * degree * radius_m * Math.cos(origin.latitude_deg * degree),
    origin.altitude_amsl_m - altitude_amsl_m,
  ];
}

/** Degrees as MAVLink's integers, 1e-7 degree. */
export const degE7 = (value_deg: number): number => Math.round(value_deg * 1e7);

/** An origin in MAVLink's integers: 1e-7 degree, millimetres. */
export const originFrom = (lat: number, lon: number, alt: number): Origin => ({
  latitude_deg: lat / 1e7,
  longitude_deg: lon / 1e7,
  altitude_amsl_m: alt / 1000,
});
