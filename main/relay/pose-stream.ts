import { z } from "zod";
import { type Enu, type QuatFluEnu, quatFromYaw, quatMultiply } from "#contract/frames";
import { err, ok, type Result } from "#contract/result";

/**
 * One datagram of the pose stream, JSON (docs/external-position.md): the vehicle's body (x forward, y left, z up) in the
 * tracker's frame, z up.
 */
const Packet = z.object({
  /** Seconds of the tracker's clock, rising. */
  t: z.number(),
  /** Metres. */
  p: z.tuple([z.number(), z.number(), z.number()]),
  /** w, x, y, z. */
  q: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  /** Per cent; absent when the tracker does not say. */
  quality: z.number().min(0).max(100).optional(),
  /** Variances of x, y, z in m² and of roll, pitch, yaw in rad². */
  cov: z.array(z.number().nonnegative()).length(6).optional(),
  /** Counted up by the tracker whenever it lost the body or moved its frame. */
  reset: z.number().int().nonnegative().optional(),
});
type Packet = z.infer<typeof Packet>;

export interface Pose {
  readonly position_enu_m: Enu;
  readonly quat_flu_enu: QuatFluEnu;
  readonly quality: number;
  readonly variances: readonly number[];
  readonly reset_counter: number;
  readonly age_ms: number;
}

export interface StreamState {
  readonly last: { readonly packet: Packet; readonly at_ms: number } | null;
  /** Counted resets, ours and the tracker's, as ODOMETRY carries them (0-255). */
  readonly resets: number;
  /** Smallest arrival minus tracker time of late: what is above it is delay on the way. */
  readonly least_ms: number;
  readonly sent_at_ms: number;
}

export const initialStream: StreamState = {
  last: null,
  resets: 0,
  least_ms: Number.POSITIVE_INFINITY,
  sent_at_ms: Number.NEGATIVE_INFINITY,
};

export interface Placement {
  readonly yaw_rad: number;
  readonly offset_enu_m: Enu;
}

/** A tracker that was silent for so long may have found another body. */
const GAP_ms = 500;
/** Nothing that this station flies moves so fast: the tracker has changed its mind. */
const FASTEST_m_s = 12;
const SLACK_m = 0.15;
/** PX4 asks for 30 to 50 Hz. */
const PERIOD_ms = 18;
/** One centimetre and one degree, when the tracker does not say. */
const VARIANCES = [1e-4, 1e-4, 1e-4, 3e-4, 3e-4, 3e-4] as const;
/** The minimum is forgotten this fast, so that a drifting clock is followed. */
const DRIFT_ms_per_s = 0.2;

/** One datagram. A refusal leaves the state as it is. `pose` is null when one was sent a moment ago. */
export function stepStream(
  state: StreamState,
  datagram: string,
  placement: Placement,
  now_ms: number,
): Result<{ readonly state: StreamState; readonly pose: Pose | null }, string> {
  const read = readPacket(datagram);
  if (!read.ok) return read;
  const packet = read.value;
  const { last } = state;
  if (last !== null && packet.t <= last.packet.t && now_ms - last.at_ms < GAP_ms)
    return err("a packet is older than the one before it");
  const reset = last !== null && isReset(last, packet, now_ms);
  const resets = reset ? (state.resets + 1) % 256 : state.resets;
  const drifted_ms = last === null ? 0 : ((now_ms - last.at_ms) / 1000) * DRIFT_ms_per_s;
  const lag_ms = now_ms - packet.t * 1000;
  const restarted = last !== null && packet.t < last.packet.t;
  const least_ms = restarted ? lag_ms : Math.min(state.least_ms + drifted_ms, lag_ms);
  const due = reset || now_ms - state.sent_at_ms >= PERIOD_ms;
  const next: StreamState = {
    last: { packet, at_ms: now_ms },
    resets,
    least_ms,
    sent_at_ms: due ? now_ms : state.sent_at_ms,
  };
  return ok({ state: next, pose: due ? placed(packet, placement, resets, lag_ms - least_ms) : null });
}

function readPacket(datagram: string): Result<Packet, string> {
  let json: unknown;
  try {
    json = JSON.parse(datagram);
  } catch {
    return err("a packet is not JSON");
  }
  const parsed = Packet.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return err(`a packet's ${issue?.path.join(".") ?? "content"}: ${issue?.message ?? "does not fit"}`);
  }
  const norm = Math.hypot(...parsed.data.q);
  if (!(norm > 0.9 && norm < 1.1)) return err("a packet's q is no rotation");
  return ok(parsed.data);
}

function isReset(last: NonNullable<StreamState["last"]>, packet: Packet, now_ms: number): boolean {
  if (packet.reset !== undefined && packet.reset !== last.packet.reset) return true;
  if (now_ms - last.at_ms >= GAP_ms || packet.t < last.packet.t) return true;
  const moved_m = Math.hypot(...packet.p.map((x, i) => x - (last.packet.p[i] ?? 0)));
  return moved_m > FASTEST_m_s * (packet.t - last.packet.t) + SLACK_m;
}

function placed(packet: Packet, { yaw_rad, offset_enu_m }: Placement, resets: number, age_ms: number): Pose {
  const [c, s] = [Math.cos(yaw_rad), Math.sin(yaw_rad)];
  const [x, y, z] = packet.p;
  const norm = Math.hypot(...packet.q);
  const q = packet.q.map((v) => v / norm) as [number, number, number, number];
  return {
    position_enu_m: [c * x - s * y + offset_enu_m[0], s * x + c * y + offset_enu_m[1], z + offset_enu_m[2]],
    quat_flu_enu: quatMultiply(quatFromYaw(yaw_rad), q),
    quality: packet.quality === undefined ? 0 : Math.max(1, Math.round(packet.quality)),
    variances: packet.cov ?? VARIANCES,
    reset_counter: resets,
    age_ms,
  };
}
