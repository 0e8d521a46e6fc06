import { err, ok, type Result } from "#contract/result";
import { defaultVehicle } from "../platform/vehicle-file";
import { parseEvent, type ScheduledEvent } from "./events";

/** What `main.ts` was asked to do; every field has a default but `camera_socket`. */
export interface SimOptions {
  readonly scene: string;
  readonly catalogue: string | null;
  readonly seed: number;
  /** Where MAVLink goes unasked. */
  readonly port: number;
  /** Own UDP port. */
  readonly bind: number;
  readonly instance: number;
  /** Unix socket path; null serves no camera. */
  readonly camera_socket: string | null;
  readonly camera_size: readonly [number, number];
  readonly camera_rate_hz: number;
  /** Whose pictures everybody gets; null is the vehicle's first camera. */
  readonly camera_mount: "body" | "wrist" | null;
  /** Unix socket path of the ground truth; null serves none. */
  readonly grader_socket: string | null;
  /** TCP port of the clock barrier on loopback, 0 for any; null runs without. */
  readonly barrier: number | null;
  /** Multiple of real time; infinity is as fast as possible. */
  readonly speed: number;
  readonly site_out: string | null;
  /** Draw the scene as a third person sees it into this file, and be done. */
  readonly picture: string | null;
  readonly vehicle: string;
  readonly faults: string;
  readonly events: readonly ScheduledEvent[];
  readonly autopilot: "internal" | "px4";
  /** Whether the internal autopilot knows a place on the globe, and whose position it flies on. */
  readonly origin: "set" | "unset";
  readonly position: "own" | "external";
  /** Where a PX4 in software connects: TCP, PX4's own default. */
  readonly px4_port: number;
  /** Measure the vehicle against its realism targets instead of serving it. */
  readonly check: "flight" | "manipulation" | null;
}

const known = [
  "--scene",
  "--catalogue",
  "--seed",
  "--port",
  "--bind",
  "--instance",
  "--camera-socket",
  "--camera-size",
  "--camera-rate",
  "--camera-mount",
  "--grader",
  "--barrier",
  "--speed",
  "--site-out",
  "--picture",
  "--vehicle",
  "--faults",
  "--event",
  "--autopilot",
  "--px4-port",
  "--origin",
  "--position",
] as const;
type Flag = (typeof known)[number];

class Bad extends Error {}

/** Reads the argument list; the error is one line for the person who typed it. */
export function parseOptions(argv: readonly string[]): Result<SimOptions, string> {
  const given = new Map<Flag, string[]>();
  let check: SimOptions["check"] = null;
  for (let i = 0; i < argv.length; i++) {
    const [name, inline] = splitOnce(argv[i] ?? "");
    if (argv[i] === "--check" || argv[i] === "--manipulation") {
      check = argv[i] === "--check" && check === null ? "flight" : "manipulation";
      continue;
    }
    const flag = known.find((f) => f === name);
    if (flag === undefined)
      return err(`unknown argument "${argv[i] ?? ""}"; known: ${known.join(" ")} --check --manipulation`);
    const value = inline ?? argv[++i];
    if (value === undefined) return err(`${flag} needs a value`);
    given.set(flag, [...(given.get(flag) ?? []), value]);
  }
  const text = (flag: Flag): string | null => given.get(flag)?.at(-1) ?? null;
  const integer = (flag: Flag, fallback: number, low: number, high: number): number => {
    const raw = text(flag);
    if (raw === null) return fallback;
    const value = Number(raw);
    if (raw.trim() === "" || !Number.isInteger(value) || value < low || value > high)
      throw new Bad(`${flag} must be an integer from ${low} to ${high}, not "${raw}"`);
    return value;
  };
  const choice = <A extends string, B extends string>(flag: Flag, usual: A, other: B): A | B => {
    const raw = text(flag) ?? usual;
    if (raw !== usual && raw !== other) throw new Bad(`${flag} must be ${usual} or ${other}, not "${raw}"`);
    return raw as A | B;
  };
  try {
    const instance = integer("--instance", 0, 0, 253);
    const barrier = text("--barrier") === null ? null : integer("--barrier", 0, 0, 65535);
    const autopilot = choice("--autopilot", "internal", "px4");
    if (autopilot === "px4") {
      const own = (["--port", "--bind", "--faults", "--barrier"] as const).find((f) => given.has(f));
      if (own !== undefined)
        throw new Bad(
          `${own} means nothing with --autopilot px4: stations connect to PX4, which keeps the time`,
        );
      if (check) throw new Bad("--check rehearses the internal autopilot, not a PX4");
    }
    return ok({
      scene: text("--scene") ?? "office",
      catalogue: text("--catalogue"),
      seed: integer("--seed", 1, 0, 0x7fffffff),
      port: integer("--port", 14550, 1, 65535),
      bind: integer("--bind", 18570 + instance, 0, 65535),
      instance,
      camera_socket: text("--camera-socket"),
      camera_size: size(text("--camera-size") ?? "424x240"),
      camera_rate_hz: integer("--camera-rate", 10, 1, 60),
      camera_mount: mount(text("--camera-mount")),
      grader_socket: text("--grader"),
      barrier,
      speed: speed(text("--speed") ?? "1"),
      site_out: text("--site-out"),
      picture: text("--picture"),
      vehicle: text("--vehicle") ?? defaultVehicle,
      faults: text("--faults") ?? "",
      events: (given.get("--event") ?? []).map(sceneEvent),
      autopilot,
      origin: choice("--origin", "set", "unset"),
      position: choice("--position", "own", "external"),
      px4_port: integer("--px4-port", 4560 + instance, 0, 65535),
      check,
    });
  } catch (error) {
    if (error instanceof Bad) return err(error.message);
    throw error;
  }
}

function splitOnce(argument: string): readonly [string, string | undefined] {
  const at = argument.indexOf("=");
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

function size(raw: string): readonly [number, number] {
  const match = /^(\d{2,4})x(\d{2,4})$/.exec(raw);
  const width = Number(match?.[1]);
  const height = Number(match?.[2]);
  const fits = width >= 64 && width <= 1280 && height >= 48 && height <= 800 && width % 2 === 0;
  if (!fits)
    throw new Bad(`--camera-size must look like 640x480 (even width, at most 1280x800), not "${raw}"`);
  return [width, height];
}

function mount(raw: string | null): "body" | "wrist" | null {
  if (raw === null || raw === "body" || raw === "wrist") return raw;
  throw new Bad(`--camera-mount must be body or wrist, not "${raw}"`);
}

function speed(raw: string): number {
  if (raw === "max") return Number.POSITIVE_INFINITY;
  const value = Number(raw);
  if (raw.trim() === "" || !(value > 0 && value <= 100))
    throw new Bad(`--speed must be max or a number up to 100, not "${raw}"`);
  return value;
}

function sceneEvent(raw: string): ScheduledEvent {
  const event = parseEvent(raw);
  if (!event.ok) throw new Bad(event.error);
  return event.value;
}
