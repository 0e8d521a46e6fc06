import { createInterface } from "node:readline/promises";
import type { ApprovalCard, MissionState, StepRecord } from "#contract/mission";
import { realClock } from "../platform/clock";
import type { Station } from "../station";
import type { VerbContext } from "./verb";

/** Waits for conditions on the station's own events; time-outs are on real time, because a simulated clock may stand. */
export class Watch {
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
export async function decideOnTerminal(station: Station, context: VerbContext, watch: Watch): Promise<void> {
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
