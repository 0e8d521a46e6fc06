import type { Clock } from "../../platform/clock";
import type { Autopilot, AutopilotOptions } from "../autopilot/port";
import type { CameraServer } from "../camera/server";
import type { GraderServer } from "../grader/server";
import type { Simulation } from "../simulation";
import type { Px4Link } from "./link";
import { HilSensors, sensorPeriod_us } from "./sensors";

/** A PX4 that takes longer than this for one sample is said to be silent; the world holds all the same. */
const silent_ms = 5_000;
/** Farther behind the clock than this, the lost time is given up. */
const giveUp_ms = 400;

/** The simulation's autopilot when a PX4 flies: outputs come from the link, sensors go to it. */
export class Px4Pilot {
  readonly link: Px4Link;
  #sensors: HilSensors | null = null;

  constructor(link: Px4Link) {
    this.link = link;
    link.onTruthInterval = (interval_us) => {
      if (this.#sensors !== null) this.#sensors.truthPeriod_us = interval_us;
    };
  }

  readonly create = (options: AutopilotOptions): Autopilot => {
    const { link } = this;
    const motors = options.vehicle.rotors.length;
    this.#sensors = new HilSensors(options.seed, options.home);
    return {
      step: () => link.motors(motors),
      handle: () => undefined,
      outbox: () => [],
      // What speaks beside the autopilot (the arm) has no link here: stations talk to PX4 itself.
      send: () => undefined,
      inject: () => undefined,
      get armed() {
        return link.state.kind === "flying" && link.state.armed;
      },
    };
  };

  /** Sends everything that is due at the simulation's time and forgets earlier answers. */
  sample(simulation: Simulation): void {
    const truth = { ...simulation.world.truth(), position_lost: simulation.positionLost };
    this.link.ask();
    this.link.send(this.#sensors?.sample(truth) ?? []);
  }
}

export interface Px4Parts {
  readonly simulation: Simulation;
  readonly pilot: Px4Pilot;
  readonly camera: CameraServer | null;
  readonly grader: GraderServer | null;
}

export interface Px4Pace {
  /** Simulated seconds per second while PX4 keeps step; infinity is as fast as it answers. */
  readonly speed: number;
  readonly clock: Clock;
  readonly stopped: () => boolean;
  readonly say: (text: string) => void;
  /** The world has begun anew: whatever was scheduled is to be scheduled again. */
  readonly onRestart: () => void;
}

/**
 * A real PX4 flies this world in lockstep: each sensor sample waits for the outputs computed from the one before, so that
 * neither's speed changes the flight. Without PX4 the world stands still and says so; a PX4 that comes back is a new one,
 * whose estimator begins on the ground, so the world begins on the pad too. Resolves when `stopped` says so.
 */
export async function runWithPx4(parts: Px4Parts, pace: Px4Pace): Promise<void> {
  const { simulation, pilot } = parts;
  const { link } = pilot;
  const { clock } = pace;
  const steps = Math.round(sensorPeriod_us / 1e6 / simulation.world.timestep_s);
  const due_ms = (zero_ms: number): number =>
    zero_ms + (simulation.time_s * 1000) / speedOf(link, pace.speed);
  let zero_ms = clock.now_ms();
  while (!pace.stopped()) {
    if (link.state.kind === "absent") {
      await standStill(parts, pace);
      zero_ms = clock.now_ms();
      continue;
    }
    const looking = parts.camera !== null && parts.camera.readers > 0;
    for (let i = 0; i < steps; i++) simulation.step(looking);
    pilot.sample(simulation);
    for (const picture of simulation.pictures()) parts.camera?.promise(picture);
    parts.grader?.slice();
    await simulation.camera?.drawn(2);
    if (link.state.kind === "flying" && link.state.lockstep) await answer(link, pace);
    const ahead_ms = due_ms(zero_ms) - clock.now_ms();
    if (ahead_ms < -giveUp_ms) zero_ms -= ahead_ms;
    if (ahead_ms > 1 || link.state.kind !== "flying")
      await new Promise<void>((resolve) => {
        clock.after(Math.max(0, Math.min(50, ahead_ms)), resolve);
      });
  }
}

/** Until outputs arrive, PX4 boots in its own time; without lockstep it flies in real time. */
function speedOf(link: Px4Link, speed: number): number {
  return link.state.kind === "flying" && link.state.lockstep ? speed : 1;
}

async function standStill({ simulation, pilot }: Px4Parts, pace: Px4Pace): Promise<void> {
  const { link } = pilot;
  const begun = simulation.time_s > 0;
  pace.say(
    begun
      ? "PX4 has gone; the world holds, and begins anew when one connects"
      : `waiting for PX4 on TCP ${String(link.port)}; the world holds`,
  );
  while (!pace.stopped() && link.state.kind === "absent") await link.news();
  if (pace.stopped()) return;
  if (begun) {
    simulation.restart();
    pace.onRestart();
  }
  pace.say("PX4 has connected");
}

async function answer(link: Px4Link, pace: Px4Pace): Promise<void> {
  const began_ms = pace.clock.now_ms();
  const cancel = pace.clock.after(silent_ms, () => {
    pace.say(`PX4 has not answered for ${String(silent_ms / 1000)} s; the world holds`);
  });
  while (!pace.stopped() && !link.answered && link.state.kind !== "absent") await link.news();
  cancel();
  if (link.answered && pace.clock.now_ms() - began_ms >= silent_ms) pace.say("PX4 answers again");
}
