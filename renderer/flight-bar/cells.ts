import type { MissionState } from "#contract/mission";
import type { Limits, SafetyState } from "#contract/safety";
import type { StationStatus } from "#contract/station";
import type { LinkStatus, VehicleState } from "#contract/vehicle";
import { age, clock, fixed, percent, small_length, type Units, words } from "../ui/format";

/** Grey is normal; a tone comes with a sign beside the words, never alone. */
export type Tone = "quiet" | "caution" | "warning";

export interface Cell {
  readonly id: "vehicle" | "link" | "mode" | "battery" | "position" | "safe" | "clock";
  /** What the cell is about, for screen readers and the folded list. */
  readonly name: string;
  readonly main: string;
  readonly sub: string;
  readonly tone: Tone;
}

export interface CellInput {
  readonly station: StationStatus;
  readonly vehicle: VehicleState;
  readonly links: readonly LinkStatus[];
  readonly mission: MissionState;
  readonly safety: SafetyState;
  readonly limits: Limits;
  readonly units: Units;
  readonly now_ms: number;
}

const joined = (...parts: readonly (string | null | false)[]): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join(" · ");

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "udpin://0.0.0.0:14550" → "udp:14550"; "sim://office?seed=1" → "sim office". */
export function shortAddress(address: string): string {
  const [scheme = "", rest = ""] = address.split("://");
  if (scheme === "sim") return `sim ${rest.split("?")[0] ?? ""}`.trim();
  if (scheme.startsWith("serial")) return rest.replace(/^\/dev\//, "").replace(/\?.*$/, "");
  const port = /:(\d+)/.exec(rest)?.[1];
  return port === undefined ? address : `${scheme.slice(0, 3)}:${port}`;
}

export function linkCell({ vehicle, links, limits, now_ms }: CellInput): Cell {
  const link = links.find((one) => one.primary) ?? links[0];
  const name = "Link";
  if (link === undefined) return { id: "link", name, main: "No link", sub: "see Setup", tone: "caution" };
  const where = `link ${shortAddress(link.address)}`;
  if (!vehicle.connected) {
    const { heartbeat_at_ms } = vehicle;
    if (heartbeat_at_ms !== null) {
      return {
        id: "link",
        name,
        main: `Lost · ${age(now_ms - heartbeat_at_ms)}`,
        sub: where,
        tone: "warning",
      };
    }
    const main = link.state === "failed" ? "Link failed" : "No vehicle";
    return { id: "link", name, main, sub: where, tone: "caution" };
  }
  const age_ms = vehicle.heartbeat_at_ms === null ? Number.NaN : now_ms - vehicle.heartbeat_at_ms;
  const late = !(age_ms <= limits.link_age_max_ms);
  const tone = late || !(link.loss < 0.2) ? "warning" : link.loss >= 0.05 ? "caution" : "quiet";
  return { id: "link", name, main: `${age(age_ms)} · ${percent(link.loss, 1)}`, sub: where, tone };
}

const landed_words = {
  on_ground: "landed",
  in_air: "in flight",
  takeoff: "taking off",
  landing: "landing",
  unknown: "",
} as const;

export function modeCell({ vehicle, mission }: CellInput): Cell {
  const label = vehicle.mode_label === "" ? words(vehicle.mode) : vehicle.mode_label;
  const main = vehicle.connected ? label : "–";
  const state = vehicle.connected
    ? joined(vehicle.armed ? "armed" : "disarmed", landed_words[vehicle.landed])
    : "not known";
  const pilot = mission.phase === "pilot";
  const sub = vehicle.failsafe ? joined("FAILSAFE", state) : pilot ? joined("PILOT", state) : state;
  return {
    id: "mode",
    name: "Mode",
    main,
    sub,
    tone: vehicle.failsafe ? "warning" : pilot ? "caution" : "quiet",
  };
}

export function batteryCell({ vehicle, limits }: CellInput): Cell {
  const { remaining, voltage_v, minutes_left } = vehicle.battery;
  const main = joined(percent(remaining), voltage_v !== null && `${fixed(voltage_v, 1)} V`);
  const sub = minutes_left === null ? "time left not known" : `${fixed(minutes_left, 0)} min left`;
  const low = remaining !== null && !(remaining > limits.battery_min);
  const near = remaining !== null && !(remaining > limits.battery_min + 0.1);
  return { id: "battery", name: "Battery", main, sub, tone: low ? "warning" : near ? "caution" : "quiet" };
}

export function positionCell({ vehicle, units }: CellInput): Cell {
  const { source, health, horizontal_sigma_m, rate_hz } = vehicle.estimate;
  const main =
    source === ""
      ? "No position"
      : `${capital(source.replace(/ position$/, ""))}${rate_hz === null ? "" : ` ${fixed(rate_hz, 0)} Hz`}`;
  const quality = health === "unknown" ? "quality not known" : health;
  const sigma = small_length(horizontal_sigma_m, units);
  const sub = horizontal_sigma_m === null ? quality : `${quality} ±${sigma}`;
  const flying = vehicle.armed && vehicle.landed !== "on_ground";
  const tone =
    health === "bad" || (health === "unknown" && flying)
      ? "warning"
      : health === "degraded"
        ? "caution"
        : "quiet";
  return { id: "position", name: "Position estimate", main, sub, tone };
}

export function safeCell({ safety, units }: CellInput): Cell {
  const unwatched = safety.total > 0 && safety.seen === 0;
  const tone =
    safety.level === "stop" ? "warning" : safety.level === "caution" || unwatched ? "caution" : "quiet";
  // Never rounded up: 89.6 is below the caution line and must not read 90.
  const main = safety.score === null ? "–" : fixed(Math.floor(safety.score), 0);
  const sub =
    safety.total === 0
      ? "nothing watched yet"
      : joined(
          unwatched ? "not watched" : `Δ ${small_length(safety.worst_displacement_m, units)}`,
          `${safety.seen}/${safety.total} seen`,
        );
  return { id: "safe", name: "S_safe", main, sub, tone };
}

export function clockCell({ mission, vehicle, now_ms }: CellInput): Cell {
  const running = mission.started_at_ms !== null && !["idle", "complete", "failed"].includes(mission.phase);
  const since = running ? mission.started_at_ms : vehicle.in_air_since_ms;
  const sub = running ? "mission" : vehicle.in_air_since_ms === null ? "no mission" : "flight";
  return {
    id: "clock",
    name: "Mission clock",
    main: clock(since === null ? null : now_ms - since),
    sub,
    tone: "quiet",
  };
}

const autopilots = { px4: "PX4", ardupilot: "ArduPilot", other: "autopilot", unknown: "" } as const;

export function vehicleCell({ vehicle }: CellInput): Cell {
  const main = vehicle.type === "" ? "No vehicle" : capital(vehicle.type);
  const firmware = joined([autopilots[vehicle.autopilot], vehicle.firmware ?? ""].join(" ").trim());
  const sub = joined(firmware, vehicle.system_id !== null && `sys ${vehicle.system_id}`);
  return { id: "vehicle", name: "Vehicle", main, sub: sub === "" ? "not connected" : sub, tone: "quiet" };
}

export const cellsOf = (input: CellInput): readonly Cell[] => [
  vehicleCell(input),
  linkCell(input),
  modeCell(input),
  batteryCell(input),
  positionCell(input),
  safeCell(input),
  clockCell(input),
];

export interface Widths {
  /** The first cell (simulation or hardware), which never folds. */
  readonly realm: number;
  readonly cells: Readonly<Record<Cell["id"], number>>;
}

/** Least width of each cell, px: fixed, so that a changing number never moves its neighbours. */
export const roomy: Widths = {
  realm: 122,
  cells: { vehicle: 156, link: 114, mode: 124, battery: 120, position: 116, safe: 184, clock: 70 },
};
/** With the smaller type: everything fits a window 1280 px wide. */
export const dense: Widths = {
  realm: 106,
  cells: { vehicle: 144, link: 100, mode: 118, battery: 104, position: 102, safe: 180, clock: 64 },
};

export interface Arrangement {
  readonly widths: Widths;
  readonly dense: boolean;
  /** How many cells, counted from the left, have no room and go into the status button. */
  readonly folded: number;
}

export function arrange(ids: readonly Cell["id"][], available_px: number): Arrangement {
  const total = (widths: Widths): number => ids.reduce((sum, id) => sum + widths.cells[id], widths.realm);
  if (total(roomy) <= available_px) return { widths: roomy, dense: false, folded: 0 };
  let needed = total(dense);
  let folded = 0;
  for (const id of ids) {
    if (needed <= available_px) break;
    needed -= dense.cells[id];
    folded += 1;
  }
  return { widths: dense, dense: true, folded };
}

const severity: Readonly<Record<Tone, number>> = { quiet: 0, caution: 1, warning: 2 };
export const worstTone = (tones: readonly Tone[]): Tone =>
  tones.reduce<Tone>((worst, tone) => (severity[tone] > severity[worst] ? tone : worst), "quiet");

/** What the first cell says about where the vehicle lives. Nothing but a declared simulation is ever called one. */
export function realm(station: StationStatus): {
  readonly kind: "simulation" | "hardware" | "none";
  readonly word: string;
  readonly sub: string;
} {
  if (station.vehicle_kind === "none") return { kind: "none", word: "NO VEHICLE", sub: "connect in Setup" };
  if (!station.simulation) return { kind: "hardware", word: "HARDWARE", sub: shortAddress(station.address) };
  const scene = joined(station.scene, station.seed !== null && `seed ${station.seed}`);
  const foreign = station.vehicle_kind === "foreign_simulator";
  return { kind: "simulation", word: "SIMULATION", sub: foreign ? "declared by operator" : scene };
}
