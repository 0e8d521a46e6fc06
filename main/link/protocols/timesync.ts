import type { Cancel, Clock } from "../../platform/clock";
import type { Received } from "../port";
import { type BootClock, bootToStation, initialBootClock, stepBootClock } from "./boot-clock";
import { listen, type ServiceTarget, type ServiceWire, to } from "./service";

export interface Timesync {
  /** The station's time at which the vehicle's boot clock showed `boot_ms`; null before anything was heard. */
  toStation(boot_ms: number): number | null;
  /** Best round trip of late; null when the vehicle does not answer. */
  readonly round_trip_ms: number | null;
  stop(): void;
}

const PERIOD_ms = 1000;
const ROUND_TRIPS = 30;

/** Measures the vehicle's clock (https://mavlink.io/en/services/timesync.html) and answers when it measures ours. */
export function startTimesync(wire: ServiceWire, clock: Clock, target: ServiceTarget): Timesync {
  let boot: BootClock = initialBootClock;
  let roundTrips: readonly number[] = [];

  const onTimesync = (received: Received): void => {
    const { tc1, ts1 } = received.fields;
    if (typeof tc1 !== "number" || typeof ts1 !== "number") return;
    if (tc1 === 0) {
      wire.send("TIMESYNC", { tc1: nanoseconds(clock.now_ms()), ts1, ...to(target) });
      return;
    }
    const round_trip_ms = received.at_ms - ts1 / 1e6;
    if (!(round_trip_ms >= 0 && round_trip_ms < 5000)) return;
    roundTrips = [...roundTrips, round_trip_ms].slice(-ROUND_TRIPS);
    boot = stepBootClock(boot, tc1 / 1e6, received.at_ms);
    boot = { ...boot, transit_ms: Math.min(...roundTrips) / 2 };
  };
  const cancels: Cancel[] = [
    listen(wire, target, ["TIMESYNC"], onTimesync),
    listen(wire, target, ["ATTITUDE_QUATERNION", "ATTITUDE", "LOCAL_POSITION_NED"], (received) => {
      const { time_boot_ms } = received.fields;
      if (typeof time_boot_ms === "number") boot = stepBootClock(boot, time_boot_ms, received.at_ms);
    }),
    clock.every(PERIOD_ms, () => {
      wire.send("TIMESYNC", { tc1: 0, ts1: nanoseconds(clock.now_ms()), ...to(target) });
    }),
  ];
  return {
    toStation: (boot_ms) => bootToStation(boot, boot_ms),
    get round_trip_ms() {
      return roundTrips.length === 0 ? null : Math.min(...roundTrips);
    },
    stop: () => {
      for (const cancel of cancels) cancel();
    },
  };
}

/** 2^53 ns are 104 days of uptime. */
const nanoseconds = (ms: number): number => Math.round(ms * 1e6);
