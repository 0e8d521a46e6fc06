import { err, ok, type Result } from "./result";

/**
 * The arm and gripper protocol inside MAVLink TUNNEL (message 385), described for other companion computers in
 * docs/tunnel-protocol.md. Little-endian; joint angles in radians, positive as in the vehicle file; at most 128 bytes.
 */
export const armPayloadType = 0x8a01;
export const armProtocolVersion = 1;
export const armJointsMax = 7;
/** After this long without a command the companion runs the exit action. */
export const armSilence_ms = 500;

export type ArmExit = "none" | "freeze" | "stow";
const exits: readonly ArmExit[] = ["none", "freeze", "stow"];

export interface TrajectoryPoint {
  /** Since the start of the trajectory. */
  readonly t_ms: number;
  readonly joints_rad: readonly number[];
}

export type ArmCommand =
  | { readonly kind: "joints"; readonly joints_rad: readonly number[]; readonly speed_share: number }
  | {
      readonly kind: "trajectory";
      /** Index of the first point in this message, and how many the whole trajectory has; it starts when all are there. */
      readonly first: number;
      readonly total: number;
      readonly points: readonly TrajectoryPoint[];
    }
  | { readonly kind: "gripper"; readonly width_m: number; readonly force_n: number }
  /** Holds every joint and the gripper where they are. */
  | { readonly kind: "stop" }
  | { readonly kind: "torque"; readonly on: boolean }
  /** Says that the sender is there, and what to do when it falls silent. */
  | { readonly kind: "alive"; readonly exit: ArmExit };

export const armResults = [
  "accepted",
  "out_of_range",
  "wrong_count",
  "malformed",
  "torque_off",
  "incomplete",
  /** With what the gripper holds, the posture asks too much of a joint or of the rotors: nothing moved. */
  "overload",
] as const;
export type ArmResult = (typeof armResults)[number];

export interface ArmState {
  readonly time_boot_ms: number;
  readonly moving: boolean;
  /** Both fingers press on something. */
  readonly holding: boolean;
  readonly torque_on: boolean;
  /** The silence exit has run since the last command. */
  readonly exited: boolean;
  readonly joints_rad: readonly number[];
  readonly speeds_rad_s: readonly number[];
  readonly currents_a: readonly number[];
  readonly width_m: number;
  /** Contact force of the left and the right finger. */
  readonly forces_n: readonly [number, number];
}

export type ArmReport =
  | { readonly kind: "ack"; readonly seq: number; readonly command: number; readonly result: ArmResult }
  | ({ readonly kind: "state" } & ArmState);

const kinds = {
  joints: 1,
  trajectory: 2,
  gripper: 3,
  stop: 4,
  torque: 5,
  alive: 6,
  state: 16,
  ack: 17,
} as const;

export const armCommandNumber = (command: ArmCommand): number => kinds[command.kind];

class Writer {
  readonly #view = new DataView(new ArrayBuffer(128));
  #at = 0;
  u8(x: number): this {
    this.#view.setUint8(this.#at, x);
    this.#at += 1;
    return this;
  }
  u16(x: number): this {
    this.#view.setUint16(this.#at, x, true);
    this.#at += 2;
    return this;
  }
  i16(x: number): this {
    this.#view.setInt16(this.#at, Math.max(-32768, Math.min(32767, Math.round(x))), true);
    this.#at += 2;
    return this;
  }
  u32(x: number): this {
    this.#view.setUint32(this.#at, x >>> 0, true);
    this.#at += 4;
    return this;
  }
  f32(x: number): this {
    this.#view.setFloat32(this.#at, x, true);
    this.#at += 4;
    return this;
  }
  done(): Uint8Array {
    return new Uint8Array(this.#view.buffer.slice(0, this.#at));
  }
}

class Reader {
  readonly #view: DataView;
  #at = 0;
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get left(): number {
    return this.#view.byteLength - this.#at;
  }
  u8 = (): number => this.#view.getUint8(this.#take(1));
  u16 = (): number => this.#view.getUint16(this.#take(2), true);
  i16 = (): number => this.#view.getInt16(this.#take(2), true);
  u32 = (): number => this.#view.getUint32(this.#take(4), true);
  f32 = (): number => this.#view.getFloat32(this.#take(4), true);
  list<T>(n: number, one: () => T): T[] {
    return Array.from({ length: n }, one);
  }
  #take(n: number): number {
    const at = this.#at;
    this.#at += n;
    return at;
  }
}

const open = (kind: number, seq: number): Writer => new Writer().u8(armProtocolVersion).u8(kind).u16(seq);

/** Points that fit one message for a number of joints. */
export const pointsPerMessage = (joints: number): number => Math.floor((128 - 8) / (2 + 2 * joints));

export function encodeArmCommand(seq: number, command: ArmCommand): Uint8Array {
  const out = open(kinds[command.kind], seq);
  switch (command.kind) {
    case "joints":
      out.u8(command.joints_rad.length).f32(command.speed_share);
      for (const q of command.joints_rad) out.f32(q);
      break;
    case "trajectory":
      out
        .u8(command.points[0]?.joints_rad.length ?? 0)
        .u8(command.points.length)
        .u8(command.first)
        .u8(command.total);
      for (const point of command.points) {
        out.u16(point.t_ms);
        for (const q of point.joints_rad) out.i16(q * 1e4);
      }
      break;
    case "gripper":
      out.f32(command.width_m).f32(command.force_n);
      break;
    case "torque":
      out.u8(command.on ? 1 : 0);
      break;
    case "alive":
      out.u8(exits.indexOf(command.exit));
      break;
    case "stop":
      break;
  }
  return out.done();
}

/** A command from a payload, with its sequence number; "malformed" for anything that is not one. */
export function decodeArmCommand(
  bytes: Uint8Array,
): Result<{ seq: number; command: ArmCommand }, "malformed"> {
  const malformed = err("malformed" as const);
  if (bytes.length < 4) return malformed;
  const r = new Reader(bytes);
  const version = r.u8();
  const kind = r.u8();
  const seq = r.u16();
  if (version !== armProtocolVersion) return malformed;
  const command = readCommand(kind, r);
  return command === null || !finite(command) ? malformed : ok({ seq, command });
}

function readCommand(kind: number, r: Reader): ArmCommand | null {
  switch (kind) {
    case kinds.joints: {
      if (r.left < 5) return null;
      const n = r.u8();
      const speed_share = r.f32();
      return n > armJointsMax || r.left < 4 * n
        ? null
        : { kind: "joints", speed_share, joints_rad: r.list(n, r.f32) };
    }
    case kinds.trajectory: {
      if (r.left < 4) return null;
      const [n, count, first, total] = [r.u8(), r.u8(), r.u8(), r.u8()];
      if (n > armJointsMax || r.left < count * (2 + 2 * n)) return null;
      const points = r.list(count, () => ({ t_ms: r.u16(), joints_rad: r.list(n, () => r.i16() / 1e4) }));
      return { kind: "trajectory", first, total, points };
    }
    case kinds.gripper:
      return r.left < 8 ? null : { kind: "gripper", width_m: r.f32(), force_n: r.f32() };
    case kinds.stop:
      return { kind: "stop" };
    case kinds.torque:
      return r.left < 1 ? null : { kind: "torque", on: r.u8() !== 0 };
    case kinds.alive: {
      const exit = r.left < 1 ? undefined : exits[r.u8()];
      return exit === undefined ? null : { kind: "alive", exit };
    }
    default:
      return null;
  }
}

function finite(command: ArmCommand): boolean {
  if (command.kind === "joints") return [command.speed_share, ...command.joints_rad].every(Number.isFinite);
  if (command.kind === "gripper") return Number.isFinite(command.width_m) && Number.isFinite(command.force_n);
  return true;
}

export function encodeArmReport(seq: number, report: ArmReport): Uint8Array {
  const out = open(kinds[report.kind], report.kind === "ack" ? report.seq : seq);
  if (report.kind === "ack") return out.u8(report.command).u8(armResults.indexOf(report.result)).done();
  const flags =
    (report.moving ? 1 : 0) | (report.holding ? 2 : 0) | (report.torque_on ? 4 : 0) | (report.exited ? 8 : 0);
  out.u32(report.time_boot_ms).u8(report.joints_rad.length).u8(flags);
  out.f32(report.width_m).f32(report.forces_n[0]).f32(report.forces_n[1]);
  for (const q of report.joints_rad) out.f32(q);
  for (const v of report.speeds_rad_s) out.i16(v * 1e3);
  for (const a of report.currents_a) out.i16(a * 1e3);
  return out.done();
}

export function decodeArmReport(bytes: Uint8Array): Result<ArmReport, "malformed"> {
  const malformed = err("malformed" as const);
  if (bytes.length < 6 || bytes[0] !== armProtocolVersion) return malformed;
  const r = new Reader(bytes);
  r.u8();
  const kind = r.u8();
  const seq = r.u16();
  if (kind === kinds.ack) {
    const command = r.u8();
    const result = armResults[r.u8()];
    return result === undefined ? malformed : ok({ kind: "ack", seq, command, result });
  }
  if (kind !== kinds.state || r.left < 18) return malformed;
  const time_boot_ms = r.u32();
  const n = r.u8();
  const flags = r.u8();
  const width_m = r.f32();
  const forces_n = [r.f32(), r.f32()] as const;
  if (n > armJointsMax || r.left < 8 * n) return malformed;
  return ok({
    kind: "state",
    time_boot_ms,
    moving: (flags & 1) !== 0,
    holding: (flags & 2) !== 0,
    torque_on: (flags & 4) !== 0,
    exited: (flags & 8) !== 0,
    joints_rad: r.list(n, r.f32),
    speeds_rad_s: r.list(n, () => r.i16() / 1e3),
    currents_a: r.list(n, () => r.i16() / 1e3),
    width_m,
    forces_n,
  });
}
