import { createInterface } from "node:readline/promises";
import { wrapPi } from "#contract/frames";
import type { PoseYaw } from "#contract/geometry";
import type { Event } from "#contract/ipc";
import type { ApprovalCard, MissionState, StepRecord } from "#contract/mission";
import { type ApprovalMode, approvalModeRefusal } from "../dispatch/approvals";
import { realClock } from "../platform/clock";
import { LockstepClock } from "../platform/lockstep-clock";
import { openLogger } from "../platform/logger";
import { homePaths } from "../platform/paths";
import { createStation, type Station } from "../station";
import { parseStationAddress } from "../station/address";
import { failed, type Verb, type VerbContext, type VerbResult } from "./verb";

type Outcome = "success" | "failed" | "stopped" | "refused" | "timeout";

/** A vehicle that is not ready by then will not be. A real one may need half a minute after boot. */
const ready_timeout_ms = 60_000;

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
      { name: "limit", value: "SECONDS", help: "give up after this long (600)" },
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
    if (
      kind !== "embedded" &&
      (speed === "max" || args.all("event").length > 0 || args.text("faults") !== undefined)
    )
      return failed("fly: --speed max, --event and --faults need the embedded vehicle (sim://).", 2);
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
      ],
    });
    try {
      return await fly(station, { say, limit_ms: limit.value * 1000, approve }, context);
    } finally {
      await station.close();
    }
  },
};

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
  const ended = await watch.until((s) => settled(s.mission), order.limit_ms);
  if (ended !== "yes" && station.vehicle.armed) {
    station.emergency("hold", "command line");
    await watch.until((s) => s.vehicle.mode === "hold" || !s.vehicle.armed, 3000);
  }
  const outcome = outcomeOf(station.mission, ended);
  const recording = station.recording;
  const document = report(station, outcome, origin, recording);
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

const originOf = (v: Event<"vehicle">): PoseYaw => ({
  position_enu_m: v.position_enu_m ?? [0, 0, 0],
  yaw_enu_rad: v.yaw_enu_rad ?? 0,
});

function outcomeOf(mission: MissionState, ended: "yes" | "timeout" | "aborted"): Outcome {
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
    forward: [0.5, 0, 0, 0],
    backward: [-0.5, 0, 0, 0],
    left: [0, 0.5, 0, 0],
    right: [0, -0.5, 0, 0],
    up: [0, 0, 0.3, 0],
    down: [0, 0, -0.3, 0],
    yaw_left: [0, 0, 0, Math.PI / 6],
    yaw_right: [0, 0, 0, -Math.PI / 6],
  };
  let [x, y, z] = origin.position_enu_m;
  let yaw = origin.yaw_enu_rad;
  const ground = z;
  for (const { proposal, status } of steps) {
    if (status !== "success") continue;
    const { skill, args } = proposal.call;
    if (skill === "take_off") z = ground + (args["altitude_m"] ?? 1.5);
    if (skill === "land") z = ground;
    const [f, l, u, turn] = moves[skill] ?? [0, 0, 0, 0];
    x += f * Math.cos(yaw) - l * Math.sin(yaw);
    y += f * Math.sin(yaw) + l * Math.cos(yaw);
    z += u;
    yaw = wrapPi(yaw + turn);
  }
  return { position_enu_m: [x, y, z], yaw_enu_rad: yaw };
}

function report(station: Station, outcome: Outcome, origin: PoseYaw, recording: string | null): unknown {
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
    recording,
    tlog: recording === null ? null : `${recording}/flight.tlog`,
  };
}

/** Waits for conditions on the station's own events; time-outs are on real time, because a simulated clock may stand. */
class Watch {
  readonly #station: Station;
  readonly #signal: AbortSignal;
  readonly #steps = new Set<(step: StepRecord) => void>();
  readonly #seen = new Set<string>();

  constructor(station: Station, signal: AbortSignal) {
    this.#station = station;
    this.#signal = signal;
    station.on((name, value) => {
      if (name === "mission") this.#tellSteps(value as MissionState);
    });
  }

  onStep(listener: (step: StepRecord) => void): void {
    this.#steps.add(listener);
  }
  onCard(listener: (card: ApprovalCard | null) => void): void {
    this.#station.on((name, value) => {
      if (name === "approval") listener(value as ApprovalCard | null);
    });
  }

  until(
    holds: (snapshot: ReturnType<Station["snapshot"]>) => boolean,
    limit_ms: number,
  ): Promise<"yes" | "timeout" | "aborted"> {
    return new Promise((resolve) => {
      const clock = realClock();
      const end = (how: "yes" | "timeout" | "aborted"): void => {
        unlisten();
        cancel();
        this.#signal.removeEventListener("abort", abort);
        resolve(how);
      };
      const abort = (): void => {
        end("aborted");
      };
      const check = (): void => {
        if (holds(this.#station.snapshot())) end("yes");
      };
      const unlisten = this.#station.on((name) => {
        if (name === "vehicle" || name === "mission") check();
      });
      const cancel = clock.after(limit_ms, () => {
        end("timeout");
      });
      if (this.#signal.aborted) abort();
      else {
        this.#signal.addEventListener("abort", abort, { once: true });
        check();
      }
    });
  }

  #tellSteps(mission: MissionState): void {
    for (const step of mission.steps) {
      const key = `${String(step.step)} ${step.status ?? step.decision?.kind ?? ""}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      for (const tell of this.#steps) tell(step);
    }
  }
}

/** One question a card. Anything but a clear yes is a no; a text is the reason that the policy gets. */
async function decideOnTerminal(station: Station, context: VerbContext, watch: Watch): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  context.signal.addEventListener("abort", () => {
    terminal.close();
  });
  const ask = async (card: ApprovalCard): Promise<void> => {
    const worst = card.verdict.checks[0];
    context.say(`\n${card.proposal.call.skill}: ${card.proposal.trace.reasoning}`);
    if (worst !== undefined) context.say(`  ${worst.label}: ${worst.status}, ${worst.detail}`);
    const answer = (await terminal.question("  approve? [y, or a reason why not] ")).trim();
    const decision =
      answer === "y" || answer === "yes"
        ? ({ kind: "approve", token: card.token } as const)
        : ({
            kind: "reject",
            token: card.token,
            reason: answer === "" ? "no reason given" : answer,
          } as const);
    const taken = await station.handlers["approval.decide"](decision);
    if (!taken.ok) context.say(`  ${taken.reason}`);
  };
  watch.onCard((card) => {
    if (card !== null) void ask(card);
  });
  const waiting = station.snapshot().approval;
  if (waiting !== null) await ask(waiting);
}
