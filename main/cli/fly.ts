import type { Event } from "#contract/ipc";
import type { MissionState } from "#contract/mission";
import { type ApprovalMode, approvalModeRefusal } from "../dispatch/approvals";
import { realClock } from "../platform/clock";
import { LockstepClock } from "../platform/lockstep-clock";
import { openLogger } from "../platform/logger";
import { homePaths } from "../platform/paths";
import { createStation, type Station } from "../station";
import { parseStationAddress } from "../station/address";
import { originOf, outcomeOf, report } from "./fly-report";
import { decideOnTerminal, Watch } from "./fly-watch";
import { failed, type Verb, type VerbContext, type VerbResult } from "./verb";

/** A vehicle that is not ready by then will not be. A real one may need half a minute after boot. */
const ready_timeout_ms = 60_000;
/** Real time that no flight on simulated time needs. */
const stands_ms = 1_800_000;

export const flyVerb: Verb = {
  spec: {
    name: "fly",
    summary: "Fly one mission given in words; exits 0 only when it was carried out.",
    positionals: [],
    options: [
      { name: "say", value: "TEXT", help: "the mission" },
      { name: "at", value: "ADDRESS", help: "sim://office?seed=1 unless given" },
      { name: "simulated", help: "a foreign simulator is at that address, not hardware" },
      { name: "policy", value: "NAME", help: "rules" },
      { name: "approve", value: "HOW", help: "ask (default), auto (simulation only) or deny" },
      { name: "record", value: "DIR", help: "where the recording's folder goes" },
      { name: "speed", value: "HOW", help: "1 (default) or max, simulated time for sim:// addresses" },
      {
        name: "event",
        value: "EVENT",
        help: "push:OBJECT@SECONDS, embedded vehicle only; may be repeated",
        multiple: true,
      },
      { name: "faults", value: "LIST", help: "disturb the embedded vehicle's link: loss=0.2,delay_ms=300,…" },
      {
        name: "embedded",
        value: "NAME=VALUE",
        help: "a further option of the embedded vehicle, as in catalogue=catalogue-b; may be repeated",
        multiple: true,
      },
      { name: "limit", value: "SECONDS", help: "give up after this long on the flight's own clock (600)" },
    ],
  },
  async run(args, context) {
    const say = args.text("say")?.trim() ?? "";
    if (say === "") return failed('fly: say what to do, as in --say "take off and land".', 2);
    const policy = args.text("policy") ?? "rules";
    if (policy !== "rules") return failed(`fly: there is no policy “${policy}”; known: rules.`, 2);
    const approve = args.text("approve") ?? "ask";
    if (approve !== "ask" && approve !== "auto" && approve !== "deny")
      return failed(`fly: --approve is ask, auto or deny, not “${approve}”.`, 2);
    const speed = args.text("speed") ?? "1";
    if (speed !== "1" && speed !== "max") return failed(`fly: --speed is 1 or max, not “${speed}”.`, 2);
    const limit = args.number("limit", 600, 1, 86_400);
    if (!limit.ok) return failed(limit.error, 2);
    const address = parseStationAddress(args.text("at") ?? "sim://office?seed=1", args.has("simulated"));
    if (!address.ok) return failed(`fly: ${address.error}`, 2);
    const { kind, text } = address.value;
    const refusal = approvalModeRefusal(approve, kind !== "hardware");
    if (refusal !== null)
      return failed(`fly: ${refusal}. A simulator behind this address needs --simulated.`, 2);
    const further = embeddedOptions(args.all("embedded"));
    if (further === null) return failed("fly: --embedded looks like NAME=VALUE.", 2);
    if (
      kind !== "embedded" &&
      (speed === "max" ||
        args.all("event").length > 0 ||
        args.text("faults") !== undefined ||
        further.length > 0)
    )
      return failed(
        "fly: --speed max, --event, --faults and --embedded need the embedded vehicle (sim://).",
        2,
      );
    const faults = args.text("faults");
    const record = args.text("record");
    const station = await openStation({
      address: text,
      simulated: kind === "foreign_simulator",
      approve,
      speed,
      ...(record === undefined ? {} : { flights: record }),
      embeddedArgs: [
        ...args.all("event").flatMap((event) => ["--event", event]),
        ...(faults === undefined ? [] : ["--faults", faults]),
        ...further,
      ],
    });
    try {
      return await fly(station, { say, limit_ms: limit.value * 1000, approve }, context);
    } finally {
      await station.close();
    }
  },
};

/** `catalogue=x` as the embedded vehicle's own argument; null when one is not of that form. */
function embeddedOptions(given: readonly string[]): readonly string[] | null {
  const pairs = given.map((text) => /^([a-z-]+)=(.+)$/.exec(text));
  if (pairs.some((pair) => pair === null)) return null;
  return pairs.flatMap((pair) => [`--${pair?.[1] ?? ""}`, pair?.[2] ?? ""]);
}

interface OpenOptions {
  readonly address: string;
  readonly simulated: boolean;
  readonly approve: ApprovalMode;
  readonly speed: "1" | "max";
  readonly flights?: string;
  readonly embeddedArgs: readonly string[];
}

function openStation(options: OpenOptions): Promise<Station> {
  const home = homePaths();
  return createStation({
    clock: options.speed === "max" ? new LockstepClock() : realClock(),
    home,
    logger: openLogger({ folder: home.logs, name: "cli" }),
    address: options.address,
    simulated: options.simulated,
    approvals: options.approve,
    embeddedArgs: options.embeddedArgs,
    ...(options.flights === undefined ? {} : { flights: options.flights }),
  });
}

async function fly(
  station: Station,
  order: { say: string; limit_ms: number; approve: ApprovalMode },
  context: VerbContext,
): Promise<VerbResult> {
  const { station: status, alerts } = station.snapshot();
  if (status.vehicle_kind === "none")
    return failed(`fly: ${alerts[0]?.text ?? "no connection"}`, 1, { outcome: "refused" });
  const watch = new Watch(station, context.signal);
  const ready = await watch.until((s) => armable(s.vehicle) && pictured(s), ready_timeout_ms);
  if (ready !== "yes") {
    const why = station.snapshot().alerts[0]?.text ?? notReady(station.vehicle);
    return failed(`fly: ${ready === "aborted" ? "interrupted" : why}`, 1, {
      outcome: ready === "aborted" ? "stopped" : "timeout",
    });
  }
  const origin = originOf(station.vehicle);
  const started = await station.startMission(order.say);
  if (!started.ok) return failed(`fly: ${started.error}`, 1, { outcome: "refused" });
  context.say(`Understood: ${station.mission.understood.join(" → ")}`);
  if (order.approve === "ask") void decideOnTerminal(station, context, watch);
  watch.onStep((step) => {
    if (step.status !== null)
      context.say(
        `${String(step.step)}. ${step.proposal.call.skill}: ${step.status}${step.detail === "" ? "" : ` (${step.detail})`}`,
      );
  });
  // On simulated time the limit is simulated too, so that a slow machine changes nothing; a world that stands ends the wait.
  const until_ms = station.snapshot().station.now_ms + order.limit_ms;
  const over = await watch.until(
    (s) => settled(s.mission) || s.station.now_ms >= until_ms,
    Math.max(order.limit_ms, stands_ms),
  );
  const ended = over === "yes" && !settled(station.mission) ? "timeout" : over;
  const outcome = outcomeOf(station.mission, ended);
  const document = report(station, outcome, origin, station.recording);
  if (ended !== "yes" && station.vehicle.armed) {
    station.emergency("hold", "command line");
    await watch.until((s) => s.vehicle.mode === "hold" || !s.vehicle.armed, 3000);
  }
  await station.close();
  const why = station.mission.why === "" ? "" : `: ${station.mission.why}`;
  return { code: outcome === "success" ? 0 : 1, json: document, text: `fly: ${outcome}${why}` };
}

/** The mission waits for a person or is over, and what was flying has ended and said how. */
function settled(mission: MissionState): boolean {
  if (["reasoning", "awaiting_approval", "executing"].includes(mission.phase)) return false;
  return mission.steps.every((s) => s.started_at_ms === null || s.status !== null);
}

const armable = (v: Event<"vehicle">): boolean =>
  v.connected &&
  v.position_enu_m !== null &&
  v.yaw_enu_rad !== null &&
  v.arming.every((i) => i.severity !== "blocks") &&
  v.estimate.health !== "unknown";

/** The embedded vehicle has a camera; without its first picture every move would be refused. */
const pictured = (s: ReturnType<Station["snapshot"]>): boolean =>
  s.station.vehicle_kind !== "embedded" || s.perception !== null;

function notReady(v: Event<"vehicle">): string {
  if (!v.connected) return "no vehicle answered in time";
  const blocks = v.arming.filter((i) => i.severity === "blocks").map((i) => i.text);
  return blocks.length > 0
    ? `the vehicle does not let itself be armed: ${blocks.join("; ")}`
    : "the vehicle has no position yet";
}
