import { wrapPi } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import type { Event } from "#contract/ipc";
import type { MissionState, StepRecord } from "#contract/mission";
import { climb_step_m, skillLibrary, translate_step_m, yaw_step_rad } from "#contract/skills";
import type { Station } from "../station";

export type Outcome = "success" | "failed" | "stopped" | "refused" | "timeout";

export const originOf = (v: Event<"vehicle">): PoseYaw => ({
  position_enu_m: v.position_enu_m ?? [0, 0, 0],
  yaw_enu_rad: v.yaw_enu_rad ?? 0,
});

export function outcomeOf(mission: MissionState, ended: "yes" | "timeout" | "aborted"): Outcome {
  if (ended === "aborted") return "stopped";
  if (ended === "timeout") return "timeout";
  if (mission.phase === "complete") return "success";
  const last = mission.steps.at(-1);
  if (mission.phase === "pilot" || last?.status === "stopped") return "stopped";
  if (last?.decision?.kind === "refused" || last?.decision?.kind === "rejected") return "refused";
  if (last?.decision?.kind === "voided" && !last.verdict.pass) return "refused";
  return mission.phase === "held" ? "stopped" : "failed";
}

/**
 * Where the vehicle should have ended: the steps that were approved and flown, laid end to end from where it stood.
 * Independent of the skills' own bookkeeping, so that an error there shows.
 */
function expectedEnd(origin: PoseYaw, steps: readonly StepRecord[]): PoseYaw {
  const moves: Readonly<Record<string, readonly [number, number, number, number]>> = {
    forward: [translate_step_m, 0, 0, 0],
    backward: [-translate_step_m, 0, 0, 0],
    left: [0, translate_step_m, 0, 0],
    right: [0, -translate_step_m, 0, 0],
    up: [0, 0, climb_step_m, 0],
    down: [0, 0, -climb_step_m, 0],
    yaw_left: [0, 0, 0, yaw_step_rad],
    yaw_right: [0, 0, 0, -yaw_step_rad],
  };
  let [x, y, z] = origin.position_enu_m;
  let yaw = origin.yaw_enu_rad;
  const ground = z;
  for (const { proposal, status } of steps) {
    if (status !== "success") continue;
    const { skill, args } = proposal.call;
    if (skill === "take_off")
      z =
        ground +
        (args["altitude_m"] ?? skillLibrary.take_off.parameters["altitude_m"]?.default ?? Number.NaN);
    if (skill === "land") z = ground;
    const [f, l, u, turn] = moves[skill] ?? [0, 0, 0, 0];
    x += f * Math.cos(yaw) - l * Math.sin(yaw);
    y += f * Math.sin(yaw) + l * Math.cos(yaw);
    z += u;
    yaw = wrapPi(yaw + turn);
  }
  return { position_enu_m: [x, y, z], yaw_enu_rad: yaw };
}

/** The document of `fly --json` (keys: design, "Figures in JSON"). */
export function report(
  station: Station,
  outcome: Outcome,
  origin: PoseYaw,
  recording: string | null,
): unknown {
  const { mission, vehicle } = station;
  const expected = expectedEnd(origin, mission.steps);
  const at = vehicle.position_enu_m;
  const yaw = vehicle.yaw_enu_rad;
  return {
    outcome,
    command: mission.command,
    why: mission.why,
    skills: mission.steps.map((s) => ({
      id: s.proposal.call.skill,
      status: s.status ?? s.decision?.kind ?? "undecided",
      detail: s.detail,
    })),
    final_pose: { position_enu_m: at, yaw_rad: yaw },
    expected_pose: { position_enu_m: expected.position_enu_m, yaw_rad: expected.yaw_enu_rad },
    final_pose_error: {
      position_m:
        at === null
          ? null
          : Math.hypot(...([0, 1, 2] as const).map((i) => at[i] - expected.position_enu_m[i])),
      yaw_rad: yaw === null ? null : Math.abs(wrapPi(yaw - expected.yaw_enu_rad)),
    },
    armed: vehicle.armed,
    landed: vehicle.landed,
    s_safe: station.snapshot().safety.score,
    started_at_ms: mission.started_at_ms,
    ended_at_ms: station.snapshot().station.now_ms,
    recording,
    tlog: recording === null ? null : `${recording}/flight.tlog`,
  };
}
