import { quatFromYaw } from "#contract/frames";
import type { NamedTrack, ReviewTrack } from "#contract/review";
import type { LogReader } from "../reader";
import { typed } from "./kingfisher-record";

const SETPOINT = "/kingfisher/setpoint";

/** The estimate of our own flights and the setpoints that were streamed. */
export function kingfisherTracks(reader: LogReader, estimate: ReviewTrack | null): NamedTrack[] {
  const t_s: number[] = [];
  const position_enu_m: ReviewTrack["position_enu_m"][number][] = [];
  const quat_flu_enu: ReviewTrack["quat_flu_enu"][number][] = [];
  for (const { at_s, value } of typed(reader, SETPOINT)) {
    t_s.push(at_s);
    position_enu_m.push(value.position_enu_m);
    quat_flu_enu.push(quatFromYaw(value.yaw_enu_rad));
  }
  const setpoint: NamedTrack = {
    id: "setpoint",
    label: "Setpoint",
    role: "setpoint",
    topic: SETPOINT,
    track: { t_s, position_enu_m, quat_flu_enu },
  };
  return [
    ...(estimate === null
      ? []
      : [
          {
            id: "estimate",
            label: "Estimate",
            role: "estimate" as const,
            topic: "/kingfisher/vehicle",
            track: estimate,
          },
        ]),
    ...(t_s.length > 1 ? [setpoint] : []),
  ];
}
