import { join } from "node:path";
import type { Input, Output } from "#contract/ipc";
import type { ReviewJob, ReviewSummary } from "#contract/review";
import { parseMomentLink } from "#contract/review-link";
import { archiveAnswers } from "./archive/answers";
import { exportLog } from "./export/export";
import { Jobs } from "./jobs";
import { OffsetsFile } from "./joined/offsets-file";
import { Review } from "./joined/review";
import { offeredLayouts } from "./layouts/offered";
import { openLog, type ReviewDeps } from "./open";
import type { ReviewRequest } from "./service-names";
import { savedLayouts } from "./workspace/layout-files";

const MAX_OPEN = 8;
const CLOSED = "This log is no longer open; open it again.";
type Refusal = { ok: false; reason: string };
const refuse = (reason: string): Refusal => ({ ok: false, reason });
const given = <T>(value: T | null, otherwise: string): { ok: true; value: T } | Refusal =>
  value === null ? refuse(otherwise) : { ok: true, value };

type Answers = { readonly [C in ReviewRequest]: (input: Input<C>) => Output<C> | Promise<Output<C>> };

/** Answers review requests in this process; `main.ts` puts it behind a channel, the command line calls it directly. */
export class ReviewService {
  readonly #deps: ReviewDeps;
  readonly #offsets: OffsetsFile;
  readonly #open = new Map<string, Review>();
  readonly #jobs: Jobs;
  readonly #answers: Answers;
  #next = 1;

  constructor(deps: ReviewDeps, onJobs: (jobs: readonly ReviewJob[]) => void = () => {}) {
    this.#deps = deps;
    this.#offsets = new OffsetsFile(deps.home && join(deps.home.root, "review", "offsets.json"));
    this.#jobs = new Jobs(onJobs);
    this.#answers = this.#table();
  }

  /** A log, a flight's folder, or a link to a moment of one; one clear sentence when it cannot be read. */
  async open(asked: string): Promise<Review | string> {
    const log = await openLog(parseMomentLink(asked)?.path ?? asked, this.#deps);
    if (!log.ok) return log.error;
    const review = new Review(`review-${this.#next++}`, log.value, this.#deps, this.#offsets);
    this.#open.set(review.id, review);
    // The window closes what it no longer shows; a reloaded one cannot, so the oldest make room.
    const [oldest] = this.#open.keys();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.close(oldest);
    return review;
  }

  close(id: string): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }

  /** Never rejects: a bug in a reader becomes a refusal that says so. */
  async answer<C extends ReviewRequest>(channel: C, input: Input<C>): Promise<Output<C>> {
    try {
      return await this.#answers[channel](input);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return (channel === "review.close" ? {} : refuse(`Review failed: ${why}`)) as Output<C>;
    }
  }

  #with<T>(id: string, act: (review: Review) => T): T | Refusal {
    const review = this.#open.get(id);
    return review ? act(review) : refuse(CLOSED);
  }

  /** Does something to a review and answers with what it has become. */
  #changed(
    id: string,
    change: (review: Review) => ReturnType<Review["leave"]> | ReturnType<Review["join"]>,
  ): Promise<{ ok: true; value: ReviewSummary } | Refusal> {
    return Promise.resolve(
      this.#with(id, async (review) => {
        const done = await change(review);
        return done.ok ? { ok: true as const, value: review.summary() } : refuse(done.error);
      }),
    );
  }

  #table(): Answers {
    return {
      "review.open": async ({ path }) => {
        const review = await this.open(path);
        if (typeof review === "string") return refuse(review);
        await review.joinVehicleLogs();
        return { ok: true, value: review.summary() };
      },
      "review.close": ({ id }) => {
        this.close(id);
        return {};
      },
      "review.join": ({ id, path }) => this.#changed(id, (review) => review.join(path)),
      "review.leave": ({ id, source }) => this.#changed(id, (review) => review.leave(source)),
      "review.offset": ({ id, source, offset_s }) =>
        this.#changed(id, (review) => review.setOffset(source, offset_s)),
      "review.series": ({ id, topic, field, from_s, to_s, points }) =>
        this.#with(id, ({ view }) =>
          given(view.series(topic, field, from_s, to_s, points), `${topic} has no numeric field ${field}.`),
        ),
      "review.spectrum": ({ id, topic, field, from_s, to_s, window }) =>
        this.#with(id, ({ view }) => view.spectrum(topic, field, from_s, to_s, window)),
      "review.track": ({ id }) =>
        this.#with(id, ({ view }) => given(view.track(), "This log carries no position to fly in the twin.")),
      "review.tracks": ({ id }) =>
        this.#with(id, ({ view }) => {
          const tracks = view.tracks();
          return tracks.length > 0
            ? { ok: true as const, value: tracks }
            : refuse("This log carries no position to fly in the twin.");
        }),
      "review.image": ({ id, topic, at_s }) =>
        this.#with(id, ({ view }) => given(view.image(topic, at_s), `${topic} has no picture at that time.`)),
      "review.message": ({ id, topic, at_s }) =>
        this.#with(id, ({ view }) =>
          given(view.message(topic, at_s), `${topic} has no message that can be read.`),
        ),
      "review.media": ({ id, source }) =>
        this.#with(id, (review) => given(review.media(source), "This log is no video.")),
      "review.layouts": ({ id }) =>
        this.#with(id, (review) => ({
          ok: true as const,
          value: offeredLayouts(
            review.summary().topics,
            review.parts.map(({ key }) => key),
            this.#deps.home ? savedLayouts(join(this.#deps.home.root, "layouts")) : [],
          ),
        })),
      "review.export": async ({ id, order }) => {
        const review = this.#open.get(id);
        if (!review) return refuse(CLOSED);
        const title = `Export as ${order.format} to ${order.folder}`;
        const done = await this.#jobs.run("export", title, "topics", (job) =>
          exportLog(review.view, order, job),
        );
        return done.ok ? { ok: true as const, value: done.value } : refuse(done.error);
      },
      "jobs.cancel": ({ job }) =>
        this.#jobs.cancel(job) ? { ok: true } : refuse("This work has ended already."),
      ...archiveAnswers(this.#deps, this.#jobs),
    };
  }
}
