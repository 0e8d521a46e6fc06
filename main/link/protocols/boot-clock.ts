/**
 * From the vehicle's boot time to the station's clock.
 *
 * A message stamped `boot_ms` arrives at `boot_ms + offset + delay` with a delay that is never negative, so the smallest
 * difference over a while is the best estimate of the offset (arrival-minimum filter). Minima are kept per second for half a
 * minute, so that the clocks may drift. The least delay itself stays in: half of it is what TIMESYNC measures.
 */
export interface BootClock {
  readonly newest_boot_ms: number;
  /** Smallest arrival minus boot time, per second of arrival, newest last. */
  readonly minima: readonly { readonly second: number; readonly difference_ms: number }[];
  /** Half the best round trip of TIMESYNC. */
  readonly transit_ms: number;
}

export const initialBootClock: BootClock = {
  newest_boot_ms: Number.NEGATIVE_INFINITY,
  minima: [],
  transit_ms: 0,
};

const KEEP_s = 30;
const REBOOT_ms = 3000;

export function stepBootClock(clock: BootClock, boot_ms: number, at_ms: number): BootClock {
  if (!Number.isFinite(boot_ms)) return clock;
  const fresh = boot_ms < clock.newest_boot_ms - REBOOT_ms ? { ...initialBootClock } : clock;
  const second = Math.floor(at_ms / 1000);
  const difference_ms = at_ms - boot_ms;
  const last = fresh.minima.at(-1);
  const newest_boot_ms = Math.max(fresh.newest_boot_ms, boot_ms);
  if (last?.second === second) {
    if (difference_ms >= last.difference_ms) {
      return newest_boot_ms === fresh.newest_boot_ms ? fresh : { ...fresh, newest_boot_ms };
    }
    return { ...fresh, newest_boot_ms, minima: [...fresh.minima.slice(0, -1), { second, difference_ms }] };
  }
  const minima = [...fresh.minima, { second, difference_ms }].filter((m) => second - m.second < KEEP_s);
  return { ...fresh, newest_boot_ms, minima };
}

/** Null until something has been heard. */
export function bootToStation(clock: BootClock, boot_ms: number): number | null {
  if (clock.minima.length === 0) return null;
  return boot_ms + Math.min(...clock.minima.map((m) => m.difference_ms)) - clock.transit_ms;
}
