import { createSocket } from "node:dgram";
import { parentChannel } from "../platform/child";
import { realClock } from "../platform/clock";
import { initialStream, type Placement, stepStream } from "./pose-stream";
import { type FromRelay, ToRelay } from "./protocol";

const STATUS_ms = 250;
/** Rate over the last second. */
const WINDOW_ms = 1000;

/**
 * The relay process: takes the pose stream of a tracker and hands poses in the site's frame to the station, which sends
 * them to the vehicle. A tracker that floods, stalls or sends rubbish costs the station nothing.
 */
function run(): void {
  const clock = realClock();
  const channel = parentChannel();
  if (channel === null) {
    process.stderr.write("The relay is started by the station.\n");
    process.exitCode = 2;
    return;
  }
  const send = (message: FromRelay): void => {
    channel.send(message);
  };
  const socket = createSocket("udp4");
  let placement: Placement = { yaw_rad: 0, offset_enu_m: [0, 0, 0] };
  let state = initialStream;
  let refused = 0;
  let refusal = "";
  let arrivals: number[] = [];
  let quality: number | null = null;

  socket.on("message", (bytes) => {
    const now_ms = clock.now_ms();
    const step = stepStream(state, bytes.toString("utf8"), placement, now_ms);
    if (!step.ok) {
      refused++;
      refusal = step.error;
      return;
    }
    refusal = "";
    state = step.value.state;
    arrivals.push(now_ms);
    const { pose } = step.value;
    if (pose === null) return;
    quality = pose.quality === 0 ? null : pose.quality;
    send({ kind: "pose", ...pose });
  });
  socket.on("error", (error) => {
    send({ kind: "failed", reason: problem(error) });
  });
  channel.onMessage((raw) => {
    const told = ToRelay.parse(raw);
    placement = { yaw_rad: told.yaw_rad, offset_enu_m: told.offset_enu_m };
    socket.bind(told.port, told.host, () => {
      send({ kind: "listening", port: socket.address().port });
    });
  });
  clock.every(STATUS_ms, () => {
    const now_ms = clock.now_ms();
    arrivals = arrivals.filter((at_ms) => now_ms - at_ms <= WINDOW_ms);
    const { last, resets } = state;
    const age_ms = last === null ? null : now_ms - last.at_ms;
    send({ kind: "status", rate_hz: arrivals.length, age_ms, quality, resets, refused, refusal });
  });
}

function problem(error: Error): string {
  const code = "code" in error ? error.code : "";
  if (code === "EADDRINUSE") return "the port is taken; close the other program that listens there";
  if (code === "EACCES") return "not permitted; use a port above 1023";
  if (code === "EADDRNOTAVAIL") return "this computer has no such network address";
  return error.message;
}

run();
