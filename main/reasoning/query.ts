import type { InvalidAnswer, MissionState, PolicyReply } from "#contract/mission";
import { err, ok, type Result } from "#contract/result";
import { abortable } from "./abortable";
import type { LoopPorts } from "./loop-port";
import { buildPrompt } from "./prompt";
import { parseReply } from "./reply";

/** Invalid answers in a row before the operator is asked (design default E8). */
const maxAttempts = 3;

export interface Answered {
  readonly reply: PolicyReply;
  readonly invalid: readonly InvalidAnswer[];
  readonly tokens: number | null;
  readonly latency_ms: number;
}

type QueryPorts = Pick<LoopPorts, "clock" | "policy" | "observe" | "onInvalid">;

/** Asks until an answer is valid, feeding back why the last one was not; "interrupted" when `signal` aborts. */
export async function queryPolicy(
  ports: QueryPorts,
  state: Pick<MissionState, "command" | "steps">,
  signal: AbortSignal,
): Promise<Result<Answered, string>> {
  const invalid: InvalidAnswer[] = [];
  const observation = ports.observe();
  const asked_at_ms = ports.clock.now_ms();
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const correction = invalid.at(-1)?.reason ?? "";
    const prompt = buildPrompt({
      command: state.command,
      steps: state.steps,
      observation,
      correction,
    });
    let text: string;
    let tokens: number | null;
    try {
      ({ text, tokens } = await abortable(ports.clock.hold(ports.policy.propose(prompt, signal)), signal));
    } catch (error) {
      if (signal.aborted) return err("interrupted");
      return err(
        `The policy ${ports.policy.name} failed: ${error instanceof Error ? error.message : String(error)}. The vehicle holds.`,
      );
    }
    const reply = parseReply(text);
    if (reply.ok)
      return ok({ reply: reply.value, invalid, tokens, latency_ms: ports.clock.now_ms() - asked_at_ms });
    const refused = { attempt, text: text.slice(0, 4000), reason: reply.error };
    invalid.push(refused);
    ports.onInvalid(refused);
  }
  return err(
    `The policy gave ${String(maxAttempts)} invalid answers (${invalid.at(-1)?.reason ?? ""}); the vehicle holds.`,
  );
}
