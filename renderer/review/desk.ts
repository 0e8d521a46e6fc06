import { createStore, type StoreApi } from "zustand/vanilla";
import { Site } from "#contract/geometry";
import type { Output } from "#contract/ipc";
import type { FlightEntry, ReviewSeries, ReviewSummary, ReviewTrack } from "#contract/review";
import type { Stores } from "../stores/stores";
import { Recent } from "./latest";
import { offered } from "./layouts";
import { isPlaying, type Playback, type PlaybackEvent, startPlayback, step } from "./playback";
import { firstLook, type Layout, type PlotSpec, withField, withoutLine } from "./plots";
import { clampRange, followRange, type Range } from "./range";
import { modesOf, type TimeMode } from "./time";

export type Phase =
  | { readonly kind: "empty" }
  | { readonly kind: "loading"; readonly path: string }
  | { readonly kind: "error"; readonly path: string; readonly reason: string }
  | { readonly kind: "open"; readonly summary: ReviewSummary };

export interface DeskState {
  readonly phase: Phase;
  /** Null while the list has not been told. */
  readonly flights: readonly FlightEntry[] | null;
  readonly playback: Playback;
  readonly range: Range;
  readonly track: ReviewTrack | null;
  readonly site: Site | null;
  readonly layouts: readonly Layout[];
  /** Null once the operator has changed the plots by hand. */
  readonly layout: string | null;
  readonly plots: readonly PlotSpec[];
  /** The plot that takes the next field; null makes a new one. */
  readonly into: number | null;
  readonly time_mode: TimeMode;
}

type ImageAnswer = Extract<Output<"review.image">, { readonly ok: true }>;
/** An encoded picture of the recording. */
export type RecordedImage = ImageAnswer["value"];

const closed: Omit<DeskState, "flights" | "time_mode"> = {
  phase: { kind: "empty" },
  playback: startPlayback(0),
  range: { from_s: 0, to_s: 1 },
  track: null,
  site: null,
  layouts: [],
  layout: null,
  plots: [],
  into: null,
};

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
    time_mode: "flight",
  }));
  readonly #stores: Stores;
  readonly #series = new Recent<ReviewSeries>(160);
  #opening = 0;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  async listFlights(): Promise<void> {
    try {
      this.state.setState({ flights: await this.#stores.bridge.request("review.flights", {}) });
    } catch {
      this.state.setState({ flights: [] });
    }
  }

  async pick(): Promise<void> {
    const { path } = await this.#stores.bridge.request("review.pick", {});
    if (path !== null) await this.open(path);
  }

  /** Opens a recording in place of the present one. The newest wish wins over one still loading. */
  async open(path: string): Promise<void> {
    const mine = ++this.#opening;
    this.#release();
    this.state.setState({ ...closed, phase: { kind: "loading", path } });
    const { bridge } = this.#stores;
    let answer: Awaited<ReturnType<typeof bridge.request<"review.open">>>;
    try {
      answer = await bridge.request("review.open", { path });
    } catch (cause) {
      answer = { ok: false, reason: `The review process did not answer: ${text(cause)}` };
    }
    if (mine !== this.#opening) {
      if (answer.ok) void bridge.request("review.close", { id: answer.value.id });
      return;
    }
    if (!answer.ok) {
      this.state.setState({ ...closed, phase: { kind: "error", path, reason: answer.reason } });
      return;
    }
    this.#show(answer.value);
    await this.#loadScene(answer.value, mine);
  }

  close(): void {
    this.#opening += 1;
    this.#release();
    this.state.setState(closed);
    void this.listFlights();
  }

  send(event: PlaybackEvent): void {
    const { playback, range } = this.state.getState();
    const next = step(playback, event, this.#stores.time.monotonic_ms());
    if (next === playback) return;
    const page =
      isPlaying(next) || event.kind !== "tick" ? followRange(range, next.cursor_s, next.duration_s) : range;
    this.state.setState(page === range ? { playback: next } : { playback: next, range: page });
  }

  setRange(range: Range): void {
    const { playback } = this.state.getState();
    this.state.setState({ range: clampRange(range, playback.duration_s) });
  }

  showAll(): void {
    this.setRange({ from_s: 0, to_s: this.state.getState().playback.duration_s });
  }

  useLayout(id: string): void {
    const layout = this.state.getState().layouts.find((l) => l.id === id);
    if (layout !== undefined) this.state.setState({ layout: id, plots: layout.plots, into: null });
  }

  addField(topic: string, field: string): void {
    const { plots, into } = this.state.getState();
    this.state.setState({ plots: withField(plots, topic, field, into), layout: null });
  }

  removeLine(plot: number, line: number): void {
    this.state.setState({
      plots: withoutLine(this.state.getState().plots, plot, line),
      layout: null,
      into: null,
    });
  }

  removePlot(plot: number): void {
    const { plots } = this.state.getState();
    this.state.setState({ plots: plots.filter((_, i) => i !== plot), layout: null, into: null });
  }

  takeFields(plot: number | null): void {
    this.state.setState({ into: plot });
  }

  setTimeMode(time_mode: TimeMode): void {
    this.state.setState({ time_mode });
  }

  /** One series at the resolution of the screen; remembered, so that zooming back costs nothing. */
  async series(
    topic: string,
    field: string,
    range: Range | null,
    points: number,
  ): Promise<ReviewSeries | null> {
    const { phase } = this.state.getState();
    if (phase.kind !== "open") return null;
    const { id } = phase.summary;
    const [from_s, to_s] = range === null ? [null, null] : [range.from_s, range.to_s];
    const key = JSON.stringify([id, topic, field, from_s, to_s, points]);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const answer = await this.#stores.bridge.request("review.series", {
      id,
      topic,
      field,
      from_s,
      to_s,
      points,
    });
    if (!answer.ok) return null;
    this.#series.set(key, answer.value);
    return answer.value;
  }

  async image(topic: string, at_s: number): Promise<RecordedImage | null> {
    const { phase } = this.state.getState();
    if (phase.kind !== "open") return null;
    const answer = await this.#stores.bridge.request("review.image", { id: phase.summary.id, topic, at_s });
    return answer.ok ? answer.value : null;
  }

  async message(topic: string, at_s: number): Promise<unknown> {
    const { phase } = this.state.getState();
    if (phase.kind !== "open" || !phase.summary.topics.some((t) => t.name === topic && t.count > 0))
      return null;
    const answer = await this.#stores.bridge.request("review.message", { id: phase.summary.id, topic, at_s });
    return answer.ok ? answer.value.message : null;
  }

  #show(summary: ReviewSummary): void {
    const layouts = offered(summary.topics);
    const [first] = layouts;
    const modes = modesOf(summary);
    const { time_mode } = this.state.getState();
    this.state.setState({
      ...closed,
      phase: { kind: "open", summary },
      playback: startPlayback(summary.duration_s),
      range: { from_s: 0, to_s: Math.max(summary.duration_s, 0.05) },
      layouts,
      layout: first?.id ?? null,
      plots: first?.plots ?? firstLook(summary.topics),
      time_mode: modes.includes(time_mode) ? time_mode : "flight",
    });
  }

  async #loadScene(summary: ReviewSummary, mine: number): Promise<void> {
    const { bridge } = this.#stores;
    const still = (): boolean => mine === this.#opening;
    if (summary.has_track) {
      const track = await bridge.request("review.track", { id: summary.id });
      if (track.ok && still()) this.state.setState({ track: track.value });
    }
    const site = Site.safeParse(await this.message("/kingfisher/site", summary.duration_s));
    if (site.success && still()) this.state.setState({ site: site.data });
  }

  #release(): void {
    const { phase } = this.state.getState();
    if (phase.kind === "open") void this.#stores.bridge.request("review.close", { id: phase.summary.id });
  }
}

const text = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
