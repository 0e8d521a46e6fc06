import { createStore, type StoreApi } from "zustand/vanilla";
import {
  type ArchiveComparison,
  type ArchiveFlight,
  type ArchiveMetric,
  type ArchiveQuery,
  type ArchiveTrend,
  everyFlight,
  type SqlResult,
} from "#contract/archive";
import type { ReviewDesk } from "../desk";

export type View = "flights" | "compare" | "trends" | "sql";

export interface ArchiveState {
  /** Null is the folder of flights recorded here. */
  readonly folder: string | null;
  readonly query: ArchiveQuery;
  readonly total: number;
  readonly flights: readonly ArchiveFlight[];
  readonly chosen: readonly string[];
  readonly view: View;
  readonly indexing: boolean;
  /** What the last reading of the folder found: one line. */
  readonly indexed: string;
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  readonly reason: string | null;
  readonly comparison: ArchiveComparison | null;
  readonly metrics: readonly ArchiveMetric[];
  readonly metric: string | null;
  readonly trend: ArchiveTrend | null;
  readonly sql: string;
  readonly asking: boolean;
  readonly answer: SqlResult | null;
}

const start: ArchiveState = {
  folder: null,
  query: everyFlight,
  total: 0,
  flights: [],
  chosen: [],
  view: "flights",
  indexing: false,
  indexed: "",
  unreadable: [],
  reason: null,
  comparison: null,
  metrics: [],
  metric: null,
  trend: null,
  sql: "SELECT flight, format, round(duration_s, 1) AS duration_s, warnings\nFROM flights ORDER BY start_utc_ms DESC",
  asking: false,
  answer: null,
};

const desks = new WeakMap<ReviewDesk, ArchiveDesk>();

/** The archive outlives the screen that shows it: one for each review desk. */
export function archiveOf(desk: ReviewDesk): ArchiveDesk {
  let archive = desks.get(desk);
  if (archive === undefined) {
    archive = new ArchiveDesk(desk);
    desks.set(desk, archive);
  }
  return archive;
}

/** A folder of flights as a table: searched, compared, asked. The index is made anew from the files at any time. */
export class ArchiveDesk {
  readonly state: StoreApi<ArchiveState> = createStore<ArchiveState>(() => start);
  readonly #desk: ReviewDesk;
  #searching = 0;

  constructor(desk: ReviewDesk) {
    this.#desk = desk;
  }

  get #folder(): string | null {
    return this.state.getState().folder;
  }

  /** Reads what is new in the folder, then searches. */
  async index(rebuild: boolean): Promise<void> {
    this.state.setState({ indexing: true, reason: null });
    const read = await this.#desk.ask("archive.index", { folder: this.#folder, rebuild });
    if (!read.ok) {
      this.state.setState({ indexing: false, reason: read.reason });
      return;
    }
    const { flights, added, removed, unreadable } = read.value;
    const news = [added > 0 ? `${added} read` : "", removed > 0 ? `${removed} gone` : ""].filter(Boolean);
    this.state.setState({
      indexing: false,
      indexed: [`${flights} flights`, ...news].join(" · "),
      unreadable,
    });
    await this.search({});
    const metrics = await this.#desk.ask("archive.metrics", { folder: this.#folder });
    if (metrics.ok) this.state.setState({ metrics: metrics.value });
  }

  async choose(folder: string | null): Promise<void> {
    const { sql } = this.state.getState();
    this.state.setState({ ...start, folder, sql });
    await this.index(false);
  }

  /** The newest search wins. */
  async search(change: Partial<ArchiveQuery>): Promise<void> {
    const mine = ++this.#searching;
    const query = { ...this.state.getState().query, ...change };
    this.state.setState({ query });
    const found = await this.#desk.ask("archive.search", { folder: this.#folder, query });
    if (mine !== this.#searching) return;
    if (!found.ok) {
      this.state.setState({ reason: found.reason });
      return;
    }
    const { total, flights } = found.value;
    const names = new Set(flights.map((f) => f.flight));
    this.state.setState({
      total,
      flights,
      reason: null,
      chosen: this.state.getState().chosen.filter((c) => names.has(c)),
    });
  }

  toggle(flight: string): void {
    const { chosen } = this.state.getState();
    this.state.setState({
      chosen: chosen.includes(flight) ? chosen.filter((c) => c !== flight) : [...chosen, flight],
    });
  }

  async show(view: View): Promise<void> {
    this.state.setState({ view, reason: null });
    if (view === "compare") await this.#compare();
    if (view === "trends") {
      const { metric, metrics } = this.state.getState();
      const wanted = metric ?? metrics[0]?.id ?? null;
      if (wanted !== null) await this.trend(wanted);
    }
  }

  async #compare(): Promise<void> {
    const { chosen } = this.state.getState();
    if (chosen.length === 0) return;
    const answer = await this.#desk.ask("archive.compare", { folder: this.#folder, flights: chosen });
    this.state.setState(answer.ok ? { comparison: answer.value } : { reason: answer.reason });
  }

  async trend(metric: string): Promise<void> {
    const { query } = this.state.getState();
    this.state.setState({ metric });
    const answer = await this.#desk.ask("archive.trend", { folder: this.#folder, metric, query });
    if (this.state.getState().metric !== metric) return;
    this.state.setState(answer.ok ? { trend: answer.value } : { reason: answer.reason, trend: null });
  }

  async run(): Promise<void> {
    const { sql } = this.state.getState();
    this.state.setState({ asking: true, reason: null });
    const answer = await this.#desk.ask("archive.sql", {
      folder: this.#folder,
      sql,
      limit: 1000,
      timeout_s: 60,
    });
    this.state.setState({
      asking: false,
      ...(answer.ok ? { answer: answer.value } : { reason: answer.reason, answer: null }),
    });
  }
}
