import type { EmergencyAction, EmergencyState } from "#contract/station";
import type { VehicleState } from "#contract/vehicle";
import type { Emergency } from "../safety/emergency";
import type { Answer } from "./commander";
import { answered, beginTrack, describe, type EmergencyTrack, stepTrack } from "./emergency-track";

const actions: readonly EmergencyAction[] = ["hold", "land", "kill"];
const idle = (action: EmergencyAction): EmergencyState => ({
  action,
  state: "idle",
  detail: "",
  at_ms: null,
});
const rank = (action: EmergencyAction): number => actions.indexOf(action);

/** The one emergency under way, and the state of each button. Sends through `send`, tells changes through `changed`. */
export class EmergencyDesk {
  readonly #send: (action: EmergencyAction, answer: (answer: Answer) => void) => void;
  readonly #changed: (states: readonly EmergencyState[]) => void;
  #track: EmergencyTrack | null = null;
  #states: readonly EmergencyState[] = actions.map(idle);

  constructor(
    send: (action: EmergencyAction, answer: (answer: Answer) => void) => void,
    changed: (states: readonly EmergencyState[]) => void,
  ) {
    this.#send = send;
    this.#changed = changed;
  }

  states(): readonly EmergencyState[] {
    return this.#states;
  }

  /** The action that has been asked for and that the vehicle has not shown yet. */
  underWay(): EmergencyAction | null {
    return this.#track === null || this.#track.state === "confirmed" ? null : this.#track.action;
  }

  /** The failsafe never takes back what was asked for as worse: its HOLD does not stop a landing. */
  outranks(e: Emergency): boolean {
    return e.source === "failsafe" && this.#track !== null && rank(this.#track.action) > rank(e.action);
  }

  begin(e: Emergency, once: boolean, vehicle: VehicleState, now_ms: number): void {
    const track = beginTrack(e.action, e.source, once, now_ms);
    // A newer emergency replaces the older one, except for a message about why HOLD was not to be had.
    this.#states = this.#states.map((s) => (s.state === "unavailable" ? s : idle(s.action)));
    this.#take(track, vehicle);
    this.#transmit();
  }

  unavailable(action: EmergencyAction, detail: string, now_ms: number): void {
    this.#states = actions.map((a) =>
      a === action ? { action, state: "unavailable", detail, at_ms: now_ms } : idle(a),
    );
    this.#changed(this.#states);
  }

  tick(vehicle: VehicleState, now_ms: number): void {
    if (this.#track === null) return;
    const { track, resend } = stepTrack(this.#track, vehicle, now_ms);
    this.#take(track, vehicle);
    if (resend) this.#transmit();
  }

  /** No more repeats: the pilot flies. */
  stopRepeating(): void {
    if (this.#track !== null) this.#track = { ...this.#track, once: true };
  }

  /** A new skill begins: what was, is over. */
  clear(): void {
    this.#track = null;
    if (this.#states.every((s) => s.state === "idle")) return;
    this.#states = actions.map(idle);
    this.#changed(this.#states);
  }

  #transmit(): void {
    const sent = this.#track;
    if (sent === null) return;
    this.#send(sent.action, (answer) => {
      if (this.#track?.began_ms !== sent.began_ms || this.#track.action !== sent.action) return;
      this.#track = answered(this.#track, answer);
    });
  }

  #take(track: EmergencyTrack, vehicle: VehicleState): void {
    this.#track = track;
    const state = describe(track, vehicle);
    const before = this.#states[rank(track.action)];
    if (before?.state === state.state && before.detail === state.detail && before.at_ms === state.at_ms)
      return;
    this.#states = this.#states.map((s) => (s.action === track.action ? state : s));
    this.#changed(this.#states);
  }
}
