import type { Input, Output } from "#contract/ipc";
import { openLog, type ReviewDeps } from "./open";
import type { ReviewRequest } from "./service-names";
import { Session } from "./session";

const MAX_OPEN = 8;
const refuse = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });

/** Answers review requests in this process; `main.ts` puts it behind a channel, the command line calls it directly. */
export class ReviewService {
  readonly #deps: ReviewDeps;
  readonly #sessions = new Map<string, Session>();
  #next = 1;

  constructor(deps: ReviewDeps) {
    this.#deps = deps;
  }

  async open(path: string): Promise<Session | string> {
    const log = await openLog(path, this.#deps);
    if (!log.ok) return log.error;
    const session = new Session(`review-${this.#next++}`, log.value, this.#deps);
    this.#sessions.set(session.id, session);
    // The window closes what it no longer shows; a reloaded one cannot, so the oldest make room.
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_OPEN && oldest !== undefined) this.close(oldest);
    return session;
  }

  close(id: string): void {
    this.#sessions.get(id)?.close();
    this.#sessions.delete(id);
  }

  /** Never rejects: a bug in a reader becomes a refusal that says so. */
  async answer<C extends ReviewRequest>(channel: C, input: Input<C>): Promise<Output<C>> {
    try {
      return (await this.#answer(channel, input)) as Output<C>;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return (channel === "review.close" ? {} : refuse(`Review failed: ${why}`)) as Output<C>;
    }
  }

  async #answer(channel: ReviewRequest, input: unknown): Promise<unknown> {
    if (channel === "review.open") {
      const session = await this.open((input as Input<"review.open">).path);
      return typeof session === "string" ? refuse(session) : { ok: true, value: session.summary() };
    }
    const { id } = input as { id: string };
    if (channel === "review.close") {
      this.close(id);
      return {};
    }
    const session = this.#sessions.get(id);
    if (!session) return refuse("This log is no longer open; open it again.");
    switch (channel) {
      case "review.series": {
        const { topic, field, from_s, to_s, points } = input as Input<"review.series">;
        const value = session.series(topic, field, from_s, to_s, points);
        return value ? { ok: true, value } : refuse(`${topic} has no numeric field ${field}.`);
      }
      case "review.track": {
        const value = session.track();
        return value ? { ok: true, value } : refuse("This log carries no position to fly in the twin.");
      }
      case "review.image": {
        const { topic, at_s } = input as Input<"review.image">;
        const value = session.image(topic, at_s);
        return value ? { ok: true, value } : refuse(`${topic} has no picture at that time.`);
      }
      case "review.message": {
        const { topic, at_s } = input as Input<"review.message">;
        const value = session.message(topic, at_s);
        return value ? { ok: true, value } : refuse(`${topic} has no message that can be read.`);
      }
    }
  }
}
