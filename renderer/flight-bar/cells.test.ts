import { describe, expect, it } from "vitest";
import { defaultLimits } from "#contract/settings";
import {
  sample_now_ms,
  sampleLink,
  sampleSafety,
  sampleStation,
  sampleVehicle,
} from "../../tests/support/sample-flight";
import { sampleMission } from "../../tests/support/samples";
import {
  arrange,
  batteryCell,
  type Cell,
  type CellInput,
  cellsOf,
  clockCell,
  linkCell,
  modeCell,
  positionCell,
  realm,
  safeCell,
  shortAddress,
  worstTone,
} from "./cells";

const input = (over: Partial<CellInput> = {}): CellInput => ({
  station: sampleStation,
  vehicle: sampleVehicle,
  links: [sampleLink],
  mission: sampleMission,
  safety: sampleSafety,
  limits: defaultLimits,
  units: "metric",
  now_ms: sample_now_ms,
  ...over,
});
const vehicle = (over: Partial<typeof sampleVehicle>): CellInput =>
  input({ vehicle: { ...sampleVehicle, ...over } });

describe("flight bar", () => {
  it("is quiet while all is well", () => {
    expect(worstTone(cellsOf(input()).map((cell) => cell.tone))).toBe("quiet");
  });

  it("warns of an old heartbeat, and of an unknown age", () => {
    expect(linkCell(input({ now_ms: sample_now_ms + 2000 })).tone).toBe("warning");
    expect(linkCell(input({ now_ms: Number.NaN })).tone).toBe("warning");
    expect(linkCell(vehicle({ connected: false }))).toMatchObject({ main: "Lost · 0.2 s", tone: "warning" });
    expect(linkCell(vehicle({ connected: false, heartbeat_at_ms: null })).main).toBe("No vehicle");
    expect(linkCell(input({ links: [{ ...sampleLink, loss: 0.3 }] })).tone).toBe("warning");
    expect(linkCell(input({ links: [] })).main).toBe("No link");
  });

  it("shows failsafe before everything and the pilot before the mode", () => {
    expect(modeCell(vehicle({ failsafe: true }))).toMatchObject({
      tone: "warning",
      sub: "FAILSAFE · armed · in flight",
    });
    expect(modeCell(input({ mission: { ...sampleMission, phase: "pilot" } })).sub).toContain("PILOT");
    expect(modeCell(vehicle({ connected: false })).main).toBe("–");
  });

  it("warns of the battery at its limit, not below it only", () => {
    const battery = { ...sampleVehicle.battery, remaining: defaultLimits.battery_min };
    expect(batteryCell(vehicle({ battery })).tone).toBe("warning");
    expect(batteryCell(vehicle({ battery: { ...battery, remaining: 0.38 } })).tone).toBe("caution");
    expect(batteryCell(vehicle({ battery: { ...battery, remaining: null } })).main).toContain("–");
  });

  it("warns in flight when nothing is known of the position", () => {
    const estimate = { ...sampleVehicle.estimate, health: "unknown" as const };
    expect(positionCell(vehicle({ estimate })).tone).toBe("warning");
    expect(positionCell(vehicle({ estimate, armed: false })).tone).toBe("quiet");
  });

  it("never rounds S_safe up over a limit", () => {
    expect(safeCell(input({ safety: { ...sampleSafety, score: 89.9, level: "caution" } })).main).toBe("89");
    expect(safeCell(input({ safety: { ...sampleSafety, score: null, total: 0 } }))).toMatchObject({
      main: "–",
      sub: "nothing watched yet",
    });
  });

  it("says that nothing is watched, and never that nothing moved, while no object is in sight", () => {
    const safety = { ...sampleSafety, score: null, level: "unknown" as const, seen: 0, total: 8 };
    expect(safeCell(input({ safety }))).toMatchObject({
      main: "–",
      sub: "not watched · 0/8 seen",
      tone: "caution",
    });
  });

  it("counts the mission, then the flight, then nothing", () => {
    expect(clockCell(input())).toMatchObject({ main: "02:41", sub: "mission" });
    const over = { ...sampleMission, phase: "complete" as const };
    expect(clockCell(input({ mission: over })).sub).toBe("flight");
    const landed = { ...sampleVehicle, in_air_since_ms: null };
    expect(clockCell(input({ mission: over, vehicle: landed })).main).toBe("––:––");
  });
});

describe("simulation or hardware", () => {
  it("calls nothing a simulation that is not one", () => {
    expect(realm(sampleStation)).toMatchObject({ kind: "simulation", sub: "office · seed 1" });
    expect(realm({ ...sampleStation, simulation: false, vehicle_kind: "hardware" }).kind).toBe("hardware");
    expect(realm({ ...sampleStation, vehicle_kind: "foreign_simulator" }).sub).toBe("declared by operator");
    expect(realm({ ...sampleStation, vehicle_kind: "none" }).kind).toBe("none");
  });

  it("names links shortly", () => {
    expect(shortAddress("udpin://0.0.0.0:14550")).toBe("udp:14550");
    expect(shortAddress("sim://office?seed=1")).toBe("sim office");
    expect(shortAddress("serial:///dev/ttyACM0:57600")).toBe("ttyACM0:57600");
  });
});

describe("room", () => {
  const ids: readonly Cell["id"][] = cellsOf(input()).map((cell) => cell.id);

  it("is enough for all at 1280 px beside the emergency buttons", () => {
    expect(arrange(ids, 1280 - 2 * 7 - 342)).toMatchObject({ folded: 0, dense: true });
  });

  it("folds from the left, all of them in the end", () => {
    expect(arrange(ids, 300).folded).toBeGreaterThan(0);
    expect(arrange(ids, 0).folded).toBe(ids.length);
    for (let px = 0; px < 1400; px += 20) {
      expect(arrange(ids, px).folded).toBeGreaterThanOrEqual(arrange(ids, px + 20).folded);
    }
  });
});
