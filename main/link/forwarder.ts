import { ok, type Result } from "#contract/result";
import type { Cancel, Clock } from "../platform/clock";
import { emptyFrameView, inspectFrame, STX_V1, STX_V2 } from "./frame";
import { Framer } from "./framing";
import type { LinkProblem, RawFrame, Transport } from "./port";
import { RateMeter } from "./rate-meter";

/** Frames of the vehicle, and a way to send to it unchanged what others send. */
export interface ForwardSource {
  onRaw(listener: (frame: RawFrame) => void): Cancel;
  /** Puts a frame of another station on the link of the system that it is meant for. */
  forward(bytes: Uint8Array): void;
}

export interface Forwarder {
  /** Whether the other stations' frames reach the vehicle. Off: they watch. */
  mayCommand(allowed: boolean): void;
  readonly status: {
    readonly to_stations_per_s: number;
    /** Frames of others that were held back because they may not command. */
    readonly held_back: number;
    readonly passed: number;
  };
  close(): Promise<void>;
}

const HEARTBEAT = 0;
const TYPE_GCS = 6;

/**
 * Passes the vehicle's frames on to other ground stations and, only when allowed, theirs to the vehicle. Frames stay as they
 * are, sequence numbers and signatures included. Their heartbeats are never passed on: the vehicle would take a station that
 * may only watch for one that commands, and its link-loss failsafe would wait for the wrong one.
 */
export async function startForwarder(
  source: ForwardSource,
  transport: Transport,
  clock: Clock,
): Promise<Result<Forwarder, LinkProblem>> {
  let allowed = false;
  let held_back = 0;
  let passed = 0;
  const rate = new RateMeter();
  const framers = new Map<string, Framer>();
  const opened = await transport.open({
    data: (bytes, from) => {
      let framer = framers.get(from);
      if (framer === undefined) {
        framer = new Framer();
        framers.set(from, framer);
      }
      framer.push(bytes, (frame) => {
        if (frame.def === undefined || isStationHeartbeat(frame.bytes, frame.id, frame.payload_start)) return;
        if (!allowed) {
          held_back++;
          return;
        }
        passed++;
        source.forward(frame.bytes.slice(frame.start, frame.end));
      });
    },
    down: () => {
      for (const framer of framers.values()) framer.reset();
    },
    up: () => {},
  });
  if (!opened.ok) return opened;
  const unhear = source.onRaw((frame) => {
    if (frame.direction !== "in" || isFromStation(frame.bytes)) return;
    rate.add(1, clock.now_ms());
    transport.write(frame.bytes, undefined);
  });
  return ok({
    mayCommand: (value) => {
      allowed = value;
    },
    get status() {
      return { to_stations_per_s: rate.perSecond(clock.now_ms()), held_back, passed };
    },
    close: () => {
      unhear();
      return transport.close();
    },
  });
}

const isStationHeartbeat = (bytes: Uint8Array, id: number, payload_start: number): boolean =>
  id === HEARTBEAT && bytes[payload_start + 4] === TYPE_GCS;

/** What another station sent over the vehicle's link would come back to it in a circle. */
function isFromStation(bytes: Uint8Array): boolean {
  if (bytes[0] !== STX_V1 && bytes[0] !== STX_V2) return true;
  const view = emptyFrameView();
  inspectFrame(bytes, 0, bytes.length, view);
  return view.system_id >= 250;
}
