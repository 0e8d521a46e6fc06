import type { ChildProcess } from "node:child_process";
import { quatFluEnuToFrdNed } from "#contract/frames";
import type { RelayStatus } from "#contract/link-detail";
import { err, ok, type Result } from "#contract/result";
import type { LinkHub } from "../../link/port";
import { endChild, forkChild } from "../../platform/child";
import type { Cancel, Clock } from "../../platform/clock";
import { FromRelay, type ToRelay } from "../../relay/protocol";
import { pointToLocal, quatToLocal, type SiteTransform } from "../../vehicle/site-transform";

export interface RelayPorts {
  readonly clock: Clock;
  readonly hub: () => LinkHub;
  /**
   * From the vehicle's local frame to the site as it is stored. Not as an estimator reset left it: poses from outside say
   * where the frame belongs, and must not follow it.
   */
  readonly site: () => SiteTransform;
}

const RESTART_ms = 1000;
const SILENT_ms = 1000;
/** A frame of its own heading, z down (https://mavlink.io/en/messages/common.html#MAV_FRAME). */
const LOCAL_FRD = 20;
const BODY_FRD = 12;
const ESTIMATOR_MOCAP = 5;
const off: RelayStatus = {
  state: "off",
  source: "",
  detail: "",
  rate_hz: 0,
  age_ms: null,
  quality: null,
  resets: 0,
  refused: 0,
  sent: 0,
};

type Placed = Pick<ToRelay, "yaw_rad" | "offset_enu_m">;

/** The relay process and what it says; poses go out as ODOMETRY (https://docs.px4.io/main/en/ros/external_position_estimation.html). */
export class RelayDesk {
  readonly #ports: RelayPorts;
  #child: ChildProcess | null = null;
  #status = off;
  #cancelRestart: Cancel = () => {};

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  start(source: string, placed: Placed): Result<void, string> {
    const match = /^udp:\/\/([^:/\s]+):(\d+)$/.exec(source);
    const port = Number(match?.[2]);
    if (match === null || !(port >= 1 && port <= 65_535))
      return err(`“${source}” is no pose source: write udp://0.0.0.0:9870, where the tracker sends to.`);
    this.#run(source, { kind: "listen", host: match[1] ?? "0.0.0.0", port, ...placed });
    return ok(undefined);
  }

  async stop(): Promise<void> {
    this.#cancelRestart();
    const child = this.#child;
    this.#child = null;
    this.#status = off;
    if (child !== null) await endChild(child);
  }

  status(): RelayStatus {
    return this.#status;
  }

  #run(source: string, listen: ToRelay): void {
    const child = forkChild("relay");
    this.#child = child;
    this.#status = { ...off, state: "starting", source };
    child.on("message", (raw: unknown) => {
      if (this.#child === child) this.#hear(FromRelay.parse(raw));
    });
    child.on("exit", (code, signal) => {
      if (this.#child !== child) return;
      const detail = `The relay stopped (${signal ?? `exit ${String(code)}`}); the vehicle gets no poses. Starting it again.`;
      this.#status = { ...this.#status, state: "failed", detail, rate_hz: 0 };
      this.#cancelRestart = this.#ports.clock.after(RESTART_ms, () => {
        if (this.#child === child) this.#run(source, listen);
      });
    });
    child.send(listen);
  }

  #hear(message: FromRelay): void {
    switch (message.kind) {
      case "listening":
        this.#status = { ...this.#status, state: "waiting", detail: "no pose has arrived yet" };
        return;
      case "failed":
        this.#status = {
          ...this.#status,
          state: "failed",
          detail: `${this.#status.source}: ${message.reason}`,
        };
        return;
      case "status": {
        const { rate_hz, age_ms, quality, resets, refused, refusal } = message;
        if (this.#status.state === "failed") return;
        const live = age_ms !== null && age_ms <= SILENT_ms;
        const silent = age_ms === null ? "no pose has arrived yet" : "the tracker has fallen silent";
        const detail = refusal !== "" ? `refused: ${refusal}` : live ? "" : silent;
        const state = live ? "relaying" : "waiting";
        this.#status = { ...this.#status, state, detail, rate_hz, age_ms, quality, resets, refused };
        return;
      }
      case "pose":
        this.#send(message);
    }
  }

  #send(pose: Extract<FromRelay, { kind: "pose" }>): void {
    const { clock, hub, site } = this.#ports;
    const transform = site();
    const [x, y, z] = pointToLocal(transform, pose.position_enu_m);
    const unknown = Number.NaN;
    const velocity_covariance = new Array<number>(21).fill(unknown);
    hub().send("ODOMETRY", {
      time_usec: Math.round((clock.now_ms() - pose.age_ms) * 1000),
      frame_id: LOCAL_FRD,
      child_frame_id: BODY_FRD,
      x,
      y,
      z,
      q: [...quatFluEnuToFrdNed(quatToLocal(transform, pose.quat_flu_enu))],
      vx: unknown,
      vy: unknown,
      vz: unknown,
      rollspeed: unknown,
      pitchspeed: unknown,
      yawspeed: unknown,
      pose_covariance: diagonal(pose.variances),
      velocity_covariance,
      reset_counter: pose.reset_counter,
      estimator_type: ESTIMATOR_MOCAP,
      quality: pose.quality,
    });
    this.#status = { ...this.#status, sent: this.#status.sent + 1 };
  }
}

/** Upper right triangle of a 6 by 6 matrix, row by row. */
function diagonal(variances: readonly number[]): number[] {
  const triangle = new Array<number>(21).fill(0);
  let at = 0;
  for (let row = 0; row < 6; row++) {
    triangle[at] = variances[row] ?? 0;
    at += 6 - row;
  }
  return triangle;
}
