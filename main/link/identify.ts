import type { VehicleState } from "#contract/vehicle";
import type { Clock } from "../platform/clock";
import { CommandSender } from "./command-sender";
import type { LinkHub, Received } from "./port";
import { requestMessage } from "./protocols/message-intervals";
import { encodingOf } from "./protocols/parameter-value";
import { ParameterService } from "./protocols/parameters";
import type { ServiceTarget } from "./protocols/service";

/** What is at an address, as `kingfisher link` prints it. */
export interface Identity {
  readonly autopilot: VehicleState["autopilot"];
  readonly type: string;
  readonly firmware: string | null;
  readonly git_hash: string | null;
  readonly system_id: number;
  readonly component_id: number;
  /** Messages per second from the vehicle, by name. */
  readonly rates: Readonly<Record<string, number>>;
  /** Share of frames lost, 0 to 1. */
  readonly loss: number;
  readonly parameters: { readonly received: number; readonly count: number | null };
  readonly arming: VehicleState["arming"];
  readonly mode: string;
  readonly armed: boolean;
}

export interface IdentifyOptions {
  readonly hub: LinkHub;
  readonly clock: Clock;
  readonly duration_ms: number;
  /** The vehicle's reducer: features meet in the composition root, not here. */
  readonly initial: () => VehicleState;
  readonly reduce: (state: VehicleState, received: Received, now_ms: number) => VehicleState;
}

const AUTOPILOT_VERSION = 148;

/** Listens for a while, asks for version and parameters; null when no vehicle was heard. */
export async function identify(options: IdentifyOptions): Promise<Identity | null> {
  const { hub, clock, duration_ms } = options;
  let state = options.initial();
  let capabilities: number | null = null;
  let asking: Promise<unknown> | undefined;
  let parameters: ParameterService | undefined;
  const counts = new Map<string, number>();
  const sender = new CommandSender(hub, clock);
  const start_ms = clock.now_ms();

  const ask = async (target: ServiceTarget): Promise<void> => {
    await requestMessage(sender, target, AUTOPILOT_VERSION);
    parameters = new ParameterService(hub, clock, target, () => encodingOf(capabilities, state.autopilot));
    await parameters.list();
  };
  const unhear = hub.onMessage((received) => {
    state = options.reduce(state, received, clock.now_ms());
    if (received.system_id !== state.system_id) return;
    counts.set(received.name, (counts.get(received.name) ?? 0) + 1);
    const bits = received.fields["capabilities"];
    if (received.name === "AUTOPILOT_VERSION" && typeof bits === "number") capabilities = bits;
    if (state.component_id !== null) {
      asking ??= ask({ system_id: state.system_id, component_id: state.component_id });
    }
  });
  await new Promise<void>((done) => {
    clock.after(duration_ms, done);
  });
  unhear();
  const progress = parameters?.progress ?? { received: 0, count: null };
  parameters?.close();
  sender.close();
  if (state.system_id === null || state.component_id === null) return null;
  const seconds = (clock.now_ms() - start_ms) / 1000;
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return {
    autopilot: state.autopilot,
    type: state.type,
    firmware: state.firmware,
    git_hash: state.git_hash,
    system_id: state.system_id,
    component_id: state.component_id,
    rates: Object.fromEntries(sorted.map(([name, count]) => [name, round(count / seconds)])),
    loss: Math.max(0, ...hub.status().map((link) => link.loss)),
    parameters: progress,
    arming: state.arming,
    mode: state.mode_label,
    armed: state.armed,
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;
