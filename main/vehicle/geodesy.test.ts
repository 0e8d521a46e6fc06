import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromNorthEast, toNorthEast } from "./geodesy";

const origin = { latitude_deg: 47.397742, longitude_deg: 8.545594, altitude_m: 488 };

describe("geodesy", () => {
  it("a thousandth of a degree north is 111 m, east it is shortened by the latitude", () => {
    const [north, none] = toNorthEast(origin, origin.latitude_deg + 0.001, origin.longitude_deg);
    expect(north).toBeCloseTo(111.195, 2);
    expect(none).toBeCloseTo(0, 6);
    const [, east] = toNorthEast(origin, origin.latitude_deg, origin.longitude_deg + 0.001);
    expect(east).toBeCloseTo(111.195 * Math.cos((origin.latitude_deg * Math.PI) / 180), 2);
  });

  it("goes there and back to a millimetre, everywhere a vehicle flies", () => {
    const metres = fc.double({ min: -20_000, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(
        metres,
        metres,
        fc.double({ min: -80, max: 80, noNaN: true }),
        (north, east, latitude_deg) => {
          const at = { ...origin, latitude_deg };
          const there = fromNorthEast(at, north, east);
          const back = toNorthEast(at, there.latitude_deg, there.longitude_deg);
          expect(Math.hypot(back[0] - north, back[1] - east)).toBeLessThan(1e-3);
        },
      ),
    );
  });
});
