import type { HeardVehicle, SigningStatus, StreamRow } from "#contract/link-detail";
import type { LinkStatus } from "#contract/vehicle";
import { words } from "../../ui/format";
import type { Tone } from "../parts";

interface Said {
  readonly tone: Tone;
  readonly text: string;
  /** What to do; empty when all is well. */
  readonly advice: string;
}

/** Four different things can be wrong with signing, and each wants something else done. */
export const signingWords: Readonly<Record<LinkStatus["signing"], Said>> = {
  off: { tone: "quiet", text: "not used", advice: "" },
  ok: { tone: "good", text: "signed and verified", advice: "" },
  unsigned: {
    tone: "warning",
    text: "frames arrive unsigned",
    advice:
      "The vehicle does not sign. Hand it the key over a cable, or forget the key here if signing is not wanted.",
  },
  replayed: {
    tone: "warning",
    text: "old frames again: refused",
    advice:
      "Frames carry timestamps that have been seen already. Someone replays a recording, or the vehicle's clock went back: restart the vehicle.",
  },
  wrong_key: {
    tone: "warning",
    text: "signed with another key",
    advice:
      "The vehicle has another passphrase. Enter that one here, or hand the vehicle this one over a cable.",
  },
  no_key: {
    tone: "warning",
    text: "signed, but there is no key here",
    advice: "The vehicle signs and this station cannot verify it. Enter the vehicle's passphrase.",
  },
};

export const setupWords: Readonly<Record<SigningStatus["setup"], Said | null>> = {
  none: null,
  sent: { tone: "waiting", text: "key sent; waiting for the first signed frame", advice: "" },
  confirmed: { tone: "good", text: "the vehicle signs with this key", advice: "" },
  not_confirmed: {
    tone: "warning",
    text: "key sent, but nothing signed has come back",
    advice: "The vehicle may not support signing, or the key was lost on the way: send it again.",
  },
};

/** "2 bad checksum, 1 unknown message": what was wrong with frames, most frequent first. */
export function faultText(faults: LinkStatus["faults"]): string {
  const found = Object.entries(faults)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a);
  return found.length === 0 ? "none" : found.map(([kind, count]) => `${count} ${words(kind)}`).join(", ");
}

/** What a stream is asked for, when that is not what was wanted. */
export function streamNote(stream: StreamRow): Said {
  if (stream.answer === "refused") return { tone: "caution", text: "refused by the vehicle", advice: "" };
  if (stream.answer === "unanswered") return { tone: "caution", text: "no answer", advice: "" };
  if (stream.asked_hz === 0) return { tone: "caution", text: "left out: the radio is too slow", advice: "" };
  if (stream.asked_hz < stream.wanted_hz)
    return { tone: "caution", text: "slowed for the radio", advice: "" };
  return stream.answer === "pending"
    ? { tone: "waiting", text: "asked", advice: "" }
    : { tone: "quiet", text: "as wanted", advice: "" };
}

const makers: Readonly<Record<HeardVehicle["autopilot"], string>> = {
  px4: "PX4",
  ardupilot: "ArduPilot",
  other: "other autopilot",
  unknown: "unknown autopilot",
};
export const makerOf = (autopilot: HeardVehicle["autopilot"]): string => makers[autopilot];

/** What an address looks like, by what answers there. */
export const addressForms = [
  ["sim://office?seed=1", "the embedded vehicle"],
  ["udpin://0.0.0.0:14550", "listen for a vehicle or simulator"],
  ["udpout://192.168.1.10:14550", "speak to a vehicle on the network"],
  ["tcpout://127.0.0.1:5760", "a simulator's TCP port"],
  ["serial:///dev/ttyACM0:57600", "a cable or telemetry radio"],
] as const;
