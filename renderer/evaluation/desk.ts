import { createStore, type StoreApi } from "zustand/vanilla";
import type { SuiteInfo } from "#contract/evaluation";
import type { EvaluationRun, EvaluationRunDetail, EvaluationState } from "#contract/evaluation-ipc";
import type { Stores } from "../stores/stores";
import { tell } from "../stores/stores";

export interface EvaluationView {
  /** Null until the station has answered. */
  readonly suites: readonly SuiteInfo[] | null;
  /** Why the suites could not be listed. */
  readonly problem: string | null;
  readonly runs: readonly EvaluationRun[] | null;
  readonly state: EvaluationState;
  /** The run whose results are shown; null for none. */
  readonly open: EvaluationRunDetail | null;
}

const desks = new WeakMap<Stores, EvaluationStore>();

/** One for each set of stores: a run that was started is still shown when the workspace is come back to. */
export function evaluationOf(stores: Stores): EvaluationStore {
  let desk = desks.get(stores);
  if (desk === undefined) {
    desk = new EvaluationStore(stores);
    desks.set(stores, desk);
  }
  return desk;
}

/** What the window knows of evaluation, and all it can ask for. */
class EvaluationStore {
  readonly view: StoreApi<EvaluationView> = createStore<EvaluationView>(() => ({
    suites: null,
    problem: null,
    runs: null,
    state: { running: null, ended: null, blocked: null },
    open: null,
  }));
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
    stores.bridge.on("evaluation", (state) => {
      this.#take(state);
    });
  }

  /** Asked when the workspace is shown. */
  async refresh(): Promise<void> {
    const { bridge } = this.#stores;
    const [state, suites] = await Promise.all([
      bridge.request("evaluation.state", {}),
      bridge.request("evaluation.suites", {}),
    ]);
    this.view.setState({ state });
    if (suites.ok) this.view.setState({ suites: suites.value, problem: null });
    else this.view.setState({ suites: [], problem: suites.reason });
    await this.#list();
  }

  start(order: {
    readonly suite: string;
    readonly policy: string;
    readonly trials: number;
    readonly seed: number;
    readonly jobs: number;
  }): Promise<boolean> {
    return tell(this.#stores, this.#stores.bridge.request("evaluation.start", order));
  }

  resume(folder: string): Promise<boolean> {
    return tell(this.#stores, this.#stores.bridge.request("evaluation.resume", { folder }));
  }

  stop(): Promise<boolean> {
    return tell(this.#stores, this.#stores.bridge.request("evaluation.stop", {}));
  }

  async open(folder: string): Promise<void> {
    const answer = await this.#stores.bridge.request("evaluation.open", { folder });
    if (answer.ok) this.view.setState({ open: answer.value });
    else await tell(this.#stores, Promise.resolve(answer));
  }

  /** A trial's flight, in Review. */
  review(recording: string): void {
    this.#stores.ui.setState({ workspace: "review", review_path: recording });
  }

  async #list(): Promise<void> {
    const runs = await this.#stores.bridge.request("evaluation.runs", {});
    this.view.setState({ runs });
    const { open } = this.view.getState();
    const [newest] = runs;
    if (open === null && newest !== undefined) await this.open(newest.folder);
  }

  /** When a run has ended its table is there: it is shown. */
  #take(state: EvaluationState): void {
    const before = this.view.getState().state;
    this.view.setState({ state });
    if (before.running === null || state.running !== null || state.ended === null) return;
    void this.#list();
    void this.open(state.ended.folder);
  }
}
