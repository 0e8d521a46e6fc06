import { happenings } from "#contract/happenings";
import { err, ok, type Result } from "#contract/result";
import type { Simulation } from "./simulation";

/** What can be made to happen to the scene or the vehicle, at once or on schedule. */
export type SceneEvent =
  | { readonly kind: "push"; readonly object: string }
  /** Mean wind towards east and north, and the spread of gusts around it, m/s. */
  | {
      readonly kind: "wind";
      readonly east_m_s: number;
      readonly north_m_s: number;
      readonly gust_m_s: number;
    }
  | { readonly kind: "motor"; readonly motor: number; readonly works: boolean }
  | { readonly kind: "battery"; readonly remaining: number }
  /** A frozen camera sends nothing; a camera without depth sends colour only. */
  | { readonly kind: "camera"; readonly state: "on" | "frozen" | "no_depth" }
  /** The fix from outside (motion capture) is lost or back. */
  | { readonly kind: "position"; readonly lost: boolean }
  | { readonly kind: "jump"; readonly east_m: number; readonly north_m: number }
  | { readonly kind: "yaw_jump"; readonly angle_rad: number }
  /** The motion capture takes the vehicle for turned by half a turn, or no longer does. */
  | { readonly kind: "yaw_flip"; readonly flipped: boolean }
  /** The fingers let go for a moment. */
  | { readonly kind: "slip"; readonly duration_s: number }
  /** A person comes in, walks about and leaves. */
  | { readonly kind: "person" }
  /** Nothing passes the link either way for a while; then all that waited comes at once. */
  | { readonly kind: "link"; readonly duration_s: number }
  /** The link is cut for a while: what is said meanwhile never arrives. */
  | { readonly kind: "cut"; readonly duration_s: number }
  /** AIR-VLA's noise on the base: its spread in position and in heading; zeros end it. */
  | { readonly kind: "noise"; readonly sigma_m: number; readonly sigma_rad: number };

export interface ScheduledEvent {
  readonly at_s: number;
  readonly event: SceneEvent;
}

const shapes = [
  "push:OBJECT",
  "wind:EAST,NORTH[,GUST]",
  "motor:N",
  "motor_ok:N",
  "battery:SHARE",
  "camera:on|frozen|no_depth",
  "position:lost|ok",
  "jump:EAST,NORTH",
  "yaw_jump:DEGREES",
  "yaw_flip:on|off",
  "slip:SECONDS",
  "person",
  "link:SECONDS",
  "cut:SECONDS",
  "noise:METRES,DEGREES",
];

/** Reads `push:red_cup@5`, `wind:2,0,0.5@10` and the like. */
export function parseEvent(text: string): Result<ScheduledEvent, string> {
  const match = /^([^@]+)@(\d+(?:\.\d+)?)$/.exec(text);
  const event = match === null ? null : readEvent(match[1] ?? "");
  if (match === null || event === null)
    return err(`--event must look like ${shapes.join(", ")}, each followed by @SECONDS, not "${text}"`);
  return ok({ at_s: Number(match[2]), event });
}

/** The event alone, without its time: `person`, `motor:2`. */
export function readEvent(text: string): SceneEvent | null {
  if (text === "person") return { kind: "person" };
  const match = /^([a-z_]+):([A-Za-z0-9_.,+-]+)$/.exec(text);
  return match === null ? null : read(match[1] ?? "", match[2] ?? "");
}

function read(kind: string, argument: string): SceneEvent | null {
  const numbers = argument.split(",").map((part) => (part === "" ? Number.NaN : Number(part)));
  const [a = Number.NaN, b = Number.NaN, c = 0] = numbers;
  const within = (x: number, low: number, high: number): boolean => x >= low && x <= high;
  switch (kind) {
    case "push":
      return /^[a-z0-9_-]+$/.test(argument) ? { kind, object: argument } : null;
    case "wind":
      return numbers.length <= 3 && within(a, -15, 15) && within(b, -15, 15) && within(c, 0, 10)
        ? { kind, east_m_s: a, north_m_s: b, gust_m_s: c }
        : null;
    case "motor":
    case "motor_ok":
      return Number.isInteger(a) && within(a, 1, 12)
        ? { kind: "motor", motor: a, works: kind === "motor_ok" }
        : null;
    case "battery":
      return within(a, 0, 1) ? { kind, remaining: a } : null;
    case "camera":
      return argument === "on" || argument === "frozen" || argument === "no_depth"
        ? { kind, state: argument }
        : null;
    case "position":
      return argument === "lost" || argument === "ok" ? { kind, lost: argument === "lost" } : null;
    case "jump":
      return within(a, -20, 20) && within(b, -20, 20) ? { kind, east_m: a, north_m: b } : null;
    case "yaw_jump":
      return within(a, -360, 360) ? { kind, angle_rad: (a * Math.PI) / 180 } : null;
    case "yaw_flip":
      return argument === "on" || argument === "off" ? { kind, flipped: argument === "on" } : null;
    case "slip":
    case "link":
    case "cut":
      return within(a, 0.05, kind === "slip" ? 10 : 60) ? { kind, duration_s: a } : null;
    case "noise":
      return within(a, 0, 0.5) && within(b, 0, 30)
        ? { kind, sigma_m: a, sigma_rad: (b * Math.PI) / 180 }
        : null;
    default:
      return null;
  }
}

/** Why this event cannot happen in this simulation; null when it can. */
export function impossible(event: SceneEvent, simulation: Simulation): string | null {
  const names = simulation.world.pushable;
  if (event.kind === "push" && !names.includes(event.object))
    return `there is no object "${event.object}"; there are: ${names.join(", ")}`;
  const motors = simulation.world.vehicle.rotors.list.length;
  if (event.kind === "motor" && event.motor > motors)
    return `there is no motor ${event.motor}; there are ${motors}`;
  if (event.kind === "person" && !simulation.world.visitor.welcome)
    return "a person finds no way in between what stands here";
  if (event.kind === "slip" && simulation.world.arm === null) return "this vehicle has no gripper";
  return null;
}

/** Makes it happen now. */
export function happen(event: SceneEvent, simulation: Simulation): void {
  const { world, autopilot } = simulation;
  const { kind, ...rest } = event;
  simulation.onHappening({
    what: kind,
    to: event.kind === "push" ? event.object : event.kind === "motor" ? String(event.motor) : "",
    detail: JSON.stringify(rest),
  });
  switch (event.kind) {
    case "push":
      world.push(world.pushable.indexOf(event.object));
      return;
    case "wind":
      world.air.set({
        mean_enu_m_s: [event.east_m_s, event.north_m_s, 0],
        gust_sigma_m_s: event.gust_m_s,
        gust_time_s: 2,
      });
      return;
    case "motor":
      world.setMotor(event.motor - 1, event.works);
      return;
    case "battery":
      world.setCharge(event.remaining);
      return;
    case "camera":
      if (simulation.camera !== null) simulation.camera.state = event.state;
      return;
    case "position":
      simulation.positionLost = event.lost;
      return;
    case "jump":
      autopilot.inject({ kind: "position_reset", jump_enu_m: [event.east_m, event.north_m, 0] });
      return;
    case "yaw_jump":
      autopilot.inject({ kind: "yaw_reset", jump_rad: event.angle_rad });
      return;
    case "yaw_flip":
      autopilot.inject({ kind: "yaw_flip", flipped: event.flipped });
      return;
    case "person":
      world.visitor.enter();
      return;
    case "link":
      simulation.freezeLink(event.duration_s);
      return;
    case "cut":
      simulation.cutLink(event.duration_s);
      return;
    case "noise":
      simulation.noise.set(event.sigma_m, event.sigma_rad);
      return;
    case "slip": {
      const held = world.arm?.save();
      world.arm?.grip(held?.width_m ?? 0, 0.3);
      simulation.at(simulation.time_s + event.duration_s, () =>
        world.arm?.grip(held?.width_m ?? 0, held?.force_n ?? 0),
      );
    }
  }
}

/** Number `index` of contract/happenings.ts, if there is one and it can happen here. */
export function happenOnDemand(index: number, simulation: Simulation): boolean {
  const event = readEvent(happenings[index]?.event ?? "");
  if (event === null || impossible(event, simulation) !== null) return false;
  happen(event, simulation);
  return true;
}
