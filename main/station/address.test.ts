import { expect, test } from "vitest";
import { parseStationAddress } from "./address";

const place = (text: string): unknown => {
  const parsed = parseStationAddress(text, false);
  return parsed.ok ? parsed.value.embedded : parsed.error;
};

test("sim:// says scene, seed, catalogue and vehicle, each with its default", () => {
  expect(place("sim://")).toMatchObject({ scene: "office", seed: 1, catalogue: null, vehicle: null });
  expect(place("sim://household?seed=7&catalogue=second&vehicle=hexa650")).toMatchObject({
    scene: "household",
    seed: 7,
    catalogue: "second",
    vehicle: "hexa650",
  });
});

test("a seed that is no number, a name that is none, an option that is not known: one line that says what was expected", () => {
  for (const seed of ["", "one", "-1", "1.5", "1e3", "0x10"])
    expect(place(`sim://office?seed=${seed}`)).toBe(
      `sim://office?seed=${seed}: the seed must be a whole number from 0 to 999999999, not "${seed}"`,
    );
  expect(place("sim://office?catalogue=../../etc")).toMatch(
    /the catalogue must be a name.*not "\.\.\/\.\.\/etc"$/,
  );
  expect(place("sim://office?sede=1")).toMatch(/unknown option "sede"; known: .*seed.*catalogue/);
});
