import { createStore, type StoreApi } from "zustand/vanilla";
import { Site } from "#contract/geometry";
import type { Input, Output } from "#contract/ipc";
import type { ReviewSeries, ReviewSummary } from "#contract/review";
import { parseMomentLink } from "#contract/review-link";
import type { PlotLine, PlotSpec } from "#contract/review-workspace";
import type { Stores } from "../stores/stores";
import { closed, type DeskState } from "./desk-state";
import { Recent } from "./latest";
import { isPlaying, type PlaybackEvent, startPlayback, step } from "./playback";
import { firstLook, withField, withoutLine, withPlot } from "./plots";
import { clampRange, followRange, type Range, shortest_s } from "./range";
import { modesOf, type TimeMode } from "./time";

type ImageAnswer = Extract<Output<"review.image">, { readonly ok: true }>;
/** An encoded picture of the recording. */
export type RecordedImage = ImageAnswer["value"];

/** Requests that answer with a value or with one sentence. */
type Asked = {
  [C in keyof Answers]: Answers[C] extends { readonly ok: true; readonly value: infer V } ? V : never;
};
type Answers = { [C in ReviewChannel]: Extract<Output<C>, { readonly ok: true }> };
type ReviewChannel = Exclude<
  Extract<Parameters<Stores["bridge"]["request"]>[0], `review.${string}` | `archive.${string}`>,
  "review.flights" | "review.recent" | "review.recent_clear" | "review.pick" | "review.close"
>;
export type Answer<V> =
  | { readonly ok: true; readonly value: V }
  | { readonly ok: false; readonly reason: string };

const desks = new WeakMap<Stores, ReviewDesk>();

/** The review under way outlives a change of workspace: one desk for each set of stores. */
export function deskOf(stores: Stores): ReviewDesk {
  let desk = desks.get(stores);
  if (desk === undefined) {
    desk = new ReviewDesk(stores);
    desks.set(stores, desk);
  }
  return desk;
}

/** What lies open for review, and everything that can be done with it. Asks the station through the bridge only. */
export class ReviewDesk {
  readonly state: StoreApi<DeskState> = createStore<DeskState>(() => ({
    ...closed,
    flights: null,
    recent: [],
    time_mode: "recording",
  }));
  readonly stores: Stores;
  #series = new Recent<ReviewSeries>(160);
  #opening = 0;

  constructor(stores: Stores) {
    this.stores = stores;
  }

  /** A request that cannot fail but by its answer: a process that went away is a reason like any other. */
  async ask<C extends ReviewChannel>(channel: C, input: Input<C>): Promise<Answer<Asked[C]>> {
    try {
      return (await this.stores.bridge.request(channel, input)) as unknown as Answer<Asked[C]>;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      return { ok: false, reason: `The review process did not answer: ${why}` };
    }
  }

  async listFlights(): Promise<void> {
    const { bridge } = this.stores;
    const flights = await bridge.request("review.flights", {}).catch(() => []);
    const recent = await bridge.request("review.recent", {}).catch(() => []);
    this.state.setState({ flights, recent });
  }

  /** The open review; null when there is none. */
  get summary(): ReviewSummary | null {
    const { phase } = this.state.getState();
    return phase.kind === "open" ? phase.summary : null;
  }

  /**
   * Opens a recording, or a link to a moment of one, in place of the present one. The newest wish wins over one still
   * loading; false when it did not come to stand open.
   */
  async open(asked: string): Promise<boolean> {
    const mine = ++this.#opening;
    const moment = parseMomentLink(asked);
    const path = moment?.path ?? asked;
    this.#release();
    this.state.setState({ ...closed, phase: { kind: "loading", path } });
    const answer = await this.ask("review.open", { path });
    if (mine !== this.#opening) {
      if (answer.ok) void this.stores.bridge.request("review.close", { id: answer.value.id });
      return false;
    }
    if (!answer.ok) {
      this.fail(path, answer.reason);
      return false;
    }
    await this.#show(answer.value, mine);
    if (moment?.at_s !== undefined && moment.at_s !== null) this.send({ kind: "seek", to_s: moment.at_s });
    return mine === this.#opening;
  }

  fail(path: string, reason: string): void {
    this.state.setState({ ...closed, phase: { kind: "error", path, reason } });
  }

  close(): void {
    this.#opening += 1;
    this.#release();
    this.state.setState(closed);
    void this.listFlights();
  }

  /** The same review with other logs or offsets: cursor, plots, bookmarks and notes stay. */
  async replace(summary: ReviewSummary): Promise<void> {
    const { playback } = this.state.getState();
    this.#series = new Recent<ReviewSeries>(160);
    this.state.setState({
      phase: { kind: "open", summary },
      playback: { ...startPlayback(summary.span), cursor_s: playback.cursor_s, speed: playback.speed },
      range: { from_s: summary.span.from_s, to_s: Math.max(summary.span.to_s, shortest_s) },
    });
    this.send({ kind: "seek", to_s: playback.cursor_s });
    await this.#loadLayouts(summary, this.#opening);
    await this.#loadScene(summary, this.#opening);
  }

  send(event: PlaybackEvent): void {
    const { playback, range } = this.state.getState();
    const next = step(playback, event, this.stores.time.monotonic_ms());
    if (next === playback) return;
    const page =
      isPlaying(next) || event.kind !== "tick" ? followRange(range, next.cursor_s, next.span) : range;
    this.state.setState(page === range ? { playback: next } : { playback: next, range: page });
  }

  setRange(range: Range): void {
    this.state.setState({ range: clampRange(range, this.state.getState().playback.span) });
  }

  showAll(): void {
    this.setRange(this.state.getState().playback.span);
  }

  useLayout(id: string): void {
    const layout = this.state.getState().layouts.find((l) => l.id === id);
    if (layout !== undefined) this.state.setState({ layout: id, plots: layout.plots, into: null });
  }

  /** Plots by hand belong to no layout any more. */
  setPlots(plots: readonly PlotSpec[], into: number | null = null): void {
    this.state.setState({ plots, into, layout: null });
  }

  addField(topic: string, field: string): void {
    const { plots, into } = this.state.getState();
    this.setPlots(withField(plots, topic, field, into), into);
  }

  addPlot(spec: PlotSpec): void {
    this.setPlots(withPlot(this.state.getState().plots, spec));
  }

  removeLine(plot: number, line: number): void {
    this.setPlots(withoutLine(this.state.getState().plots, plot, line));
  }

  removePlot(plot: number): void {
    this.setPlots(this.state.getState().plots.filter((_, i) => i !== plot));
  }

  takeFields(plot: number | null): void {
    this.state.setState({ into: plot });
  }

  showSpectrum(line: PlotLine | null): void {
    this.state.setState({ spectrum: line });
  }

  setTimeMode(time_mode: TimeMode): void {
    this.state.setState({ time_mode });
  }

  say(text: string, bad = false): void {
    this.state.setState({ said: { text, bad } });
  }

  /** One series at the resolution of the screen; remembered, so that zooming back costs nothing. */
  async series(
    topic: string,
    field: string,
    range: Range | null,
    points: number,
  ): Promise<ReviewSeries | null> {
    const { summary } = this;
    if (summary === null) return null;
    const kept = this.#series;
    const [from_s, to_s] = range === null ? [null, null] : [range.from_s, range.to_s];
    const key = JSON.stringify([summary.id, topic, field, from_s, to_s, points]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const answer = await this.ask("review.series", { id: summary.id, topic, field, from_s, to_s, points });
    if (!answer.ok) return null;
    kept.set(key, answer.value);
    return answer.value;
  }

  async image(topic: string, at_s: number): Promise<RecordedImage | null> {
    const { summary } = this;
    if (summary === null) return null;
    const answer = await this.ask("review.image", { id: summary.id, topic, at_s });
    return answer.ok ? answer.value : null;
  }

  async message(topic: string, at_s: number): Promise<unknown> {
    const { summary } = this;
    if (summary === null || !summary.topics.some((t) => t.name === topic && t.count > 0)) return null;
    const answer = await this.ask("review.message", { id: summary.id, topic, at_s });
    return answer.ok ? answer.value.message : null;
  }

  async #show(summary: ReviewSummary, mine: number): Promise<void> {
    const modes = modesOf(summary);
    const { time_mode } = this.state.getState();
    this.state.setState({
      ...closed,
      phase: { kind: "open", summary },
      playback: startPlayback(summary.span),
      range: { from_s: summary.span.from_s, to_s: Math.max(summary.span.to_s, shortest_s) },
      time_mode: modes.includes(time_mode) ? time_mode : "recording",
    });
    await this.#loadLayouts(summary, mine);
    const { layouts, plots } = this.state.getState();
    const [first] = layouts;
    if (plots.length === 0 && mine === this.#opening)
      this.state.setState({ layout: first?.id ?? null, plots: first?.plots ?? firstLook(summary.topics) });
    await this.#loadScene(summary, mine);
  }

  async #loadLayouts(summary: ReviewSummary, mine: number): Promise<void> {
    const offered = await this.ask("review.layouts", { id: summary.id });
    if (offered.ok && mine === this.#opening) this.state.setState({ layouts: offered.value });
  }

  async #loadScene(summary: ReviewSummary, mine: number): Promise<void> {
    const still = (): boolean => mine === this.#opening;
    if (summary.has_track) {
      const track = await this.ask("review.track", { id: summary.id });
      if (track.ok && still()) this.state.setState({ track: track.value });
      const tracks = await this.ask("review.tracks", { id: summary.id });
      if (tracks.ok && still()) this.state.setState({ tracks: tracks.value });
    }
    const site = Site.safeParse(await this.message("/kingfisher/site", summary.duration_s));
    if (site.success && still()) this.state.setState({ site: site.data });
  }

  #release(): void {
    const { summary } = this;
    if (summary !== null) void this.stores.bridge.request("review.close", { id: summary.id });
  }
}
