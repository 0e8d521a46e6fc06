import type { Result } from "#contract/result";
import type { CommandFailure, CommandSender } from "../command-sender";
import type { ServiceTarget } from "./service";

/** One stream that the station needs. */
export interface Stream {
  readonly message_id: number;
  readonly name: string;
  readonly rate_hz: number;
  /** Bytes on the wire, header and checksum included. */
  readonly bytes: number;
  /** Lower is given up later when the link is slow. */
  readonly priority: number;
  /** The rate below which it is of no use. */
  readonly least_hz: number;
}

/** What the screens and the safety checks live on, most needed first. */
export const neededStreams: readonly Stream[] = [
  { message_id: 1, name: "SYS_STATUS", rate_hz: 5, bytes: 43, priority: 0, least_hz: 0.5 },
  { message_id: 245, name: "EXTENDED_SYS_STATE", rate_hz: 5, bytes: 14, priority: 0, least_hz: 1 },
  { message_id: 32, name: "LOCAL_POSITION_NED", rate_hz: 50, bytes: 40, priority: 1, least_hz: 4 },
  { message_id: 31, name: "ATTITUDE_QUATERNION", rate_hz: 50, bytes: 44, priority: 1, least_hz: 4 },
  { message_id: 147, name: "BATTERY_STATUS", rate_hz: 1, bytes: 53, priority: 2, least_hz: 0.2 },
  { message_id: 230, name: "ESTIMATOR_STATUS", rate_hz: 2, bytes: 54, priority: 2, least_hz: 0.2 },
  { message_id: 331, name: "ODOMETRY", rate_hz: 10, bytes: 244, priority: 3, least_hz: 1 },
  { message_id: 242, name: "HOME_POSITION", rate_hz: 0.5, bytes: 72, priority: 3, least_hz: 0.1 },
];

/** ArduPilot has no ESTIMATOR_STATUS, and no ODOMETRY unless external navigation runs: its own report, and the global position. */
export const arduPilotStreams: readonly Stream[] = [
  ...neededStreams.filter((stream) => stream.message_id !== 230),
  { message_id: 193, name: "EKF_STATUS_REPORT", rate_hz: 2, bytes: 38, priority: 2, least_hz: 0.2 },
];

/** What PX4 sends unasked and nothing here needs: switched off where bytes are scarce. */
export const spareStreams: readonly Stream[] = (
  [
    [30, "ATTITUDE", 40],
    [83, "ATTITUDE_TARGET", 49],
    [85, "POSITION_TARGET_LOCAL_NED", 63],
    [33, "GLOBAL_POSITION_INT", 40],
    [36, "SERVO_OUTPUT_RAW", 49],
    [74, "VFR_HUD", 32],
    [141, "ALTITUDE", 44],
    [105, "HIGHRES_IMU", 75],
    [241, "VIBRATION", 44],
    [24, "GPS_RAW_INT", 64],
  ] as const
).map(([message_id, name, bytes]) => ({
  message_id,
  name,
  rate_hz: 0,
  bytes,
  priority: 9,
  least_hz: 0,
}));

/** Share of a radio that streams may take; the rest is for commands, parameters and its own overhead. */
const SHARE = 0.6;

/**
 * Rates that fit into `bytes_per_s`. Everything is lowered together towards its least useful rate, the least needed first;
 * what does not fit even so is left out (rate 0).
 */
export function trimStreams(streams: readonly Stream[], bytes_per_s: number): readonly Stream[] {
  let budget = bytes_per_s * SHARE;
  const order = [...streams].sort((a, b) => a.priority - b.priority);
  const kept = order.filter((stream) => {
    const cost = stream.least_hz * stream.bytes;
    if (cost > budget) return false;
    budget -= cost;
    return true;
  });
  return streams.map((stream) => {
    if (!kept.includes(stream)) return { ...stream, rate_hz: 0 };
    const rank = kept.filter((other) => other.priority === stream.priority);
    const wanted = rank.reduce((sum, s) => sum + (s.rate_hz - s.least_hz) * s.bytes, 0);
    const share = Math.min(1, wanted === 0 ? 1 : budgetFor(kept, stream.priority, budget) / wanted);
    return { ...stream, rate_hz: stream.least_hz + (stream.rate_hz - stream.least_hz) * share };
  });
}

/** What is left for one priority after those before it have had theirs. */
function budgetFor(kept: readonly Stream[], priority: number, budget: number): number {
  const before = kept.filter((s) => s.priority < priority);
  const taken = before.reduce((sum, s) => sum + (s.rate_hz - s.least_hz) * s.bytes, 0);
  return Math.max(0, budget - taken);
}

const SET_MESSAGE_INTERVAL = 511;
const DISABLED_us = -1;

/** Asks for each stream; the answer says per name whether the vehicle does it. */
export async function requestStreams(
  sender: CommandSender,
  target: ServiceTarget,
  streams: readonly Stream[],
): Promise<ReadonlyMap<string, Result<"accepted", CommandFailure>>> {
  const outcomes = new Map<string, Result<"accepted", CommandFailure>>();
  for (const stream of streams) {
    const interval_us = stream.rate_hz > 0 ? Math.round(1e6 / stream.rate_hz) : DISABLED_us;
    // One after the other: acks carry only the command's number.
    const outcome = await sender.send({
      command: SET_MESSAGE_INTERVAL,
      params: [stream.message_id, interval_us],
      target,
      idempotent: true,
    });
    outcomes.set(stream.name, outcome);
  }
  return outcomes;
}

const REQUEST_MESSAGE = 512;

/** Asks once for one message, e.g. AUTOPILOT_VERSION (148) or HOME_POSITION (242). */
export function requestMessage(
  sender: CommandSender,
  target: ServiceTarget,
  message_id: number,
): Promise<Result<"accepted", CommandFailure>> {
  return sender.send({ command: REQUEST_MESSAGE, params: [message_id], target, idempotent: true });
}
