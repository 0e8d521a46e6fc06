import type { SystemLinks } from "./port";

/** A primary link that has been silent for so long gives way to one that is heard. */
const SWITCH_ms = 1500;

interface Heard {
  from: string;
  at_ms: number;
}

interface SystemRoute {
  primary: string;
  /** The link that an operator wants as primary, while it is heard. */
  chosen: string | null;
  /** Newest word per link. */
  readonly links: Map<string, Heard>;
}

/** Which link, and which peer on it, leads to which system. Pure bookkeeping: time comes in with each call. */
export class Routes {
  readonly #systems = new Map<number, SystemRoute>();
  readonly #components = new Map<number, Heard & { link: string }>();

  /** Notes a frame. False when it came over a link that is not the system's primary: its messages are not used twice. */
  note(system_id: number, component_id: number, link: string, from: string, at_ms: number): boolean {
    this.#components.set(system_id * 256 + component_id, { link, from, at_ms });
    let route = this.#systems.get(system_id);
    if (route === undefined) {
      route = { primary: link, chosen: null, links: new Map() };
      this.#systems.set(system_id, route);
    }
    const heard = route.links.get(link);
    if (heard === undefined) route.links.set(link, { from, at_ms });
    else {
      heard.from = from;
      heard.at_ms = at_ms;
    }
    if (route.primary !== link) {
      const primary = route.links.get(route.primary);
      const alive = primary !== undefined && at_ms - primary.at_ms <= SWITCH_ms;
      if (alive && route.chosen !== link) return false;
      route.primary = link;
    }
    return true;
  }

  /** An operator's choice; null leaves it to what is heard. False when the system was never heard over that link. */
  choose(system_id: number, link: string | null): boolean {
    const route = this.#systems.get(system_id);
    if (route === undefined || (link !== null && !route.links.has(link))) return false;
    route.chosen = link;
    return true;
  }

  /** Every system that was heard, with its links. */
  systems(): readonly SystemLinks[] {
    return [...this.#systems].map(([system_id, route]) => ({
      system_id,
      primary: route.primary,
      chosen: route.chosen !== null,
      links: [...route.links].map(([address, { at_ms }]) => ({ address, last_at_ms: at_ms })),
    }));
  }

  /** The way to a system, preferring the peer at which this very component was heard last. */
  to(system_id: number, component: unknown, now_ms: number): { link: string; from: string } | undefined {
    const route = this.#systems.get(system_id);
    if (route === undefined) return undefined;
    const exact =
      typeof component === "number" && component > 0
        ? this.#components.get(system_id * 256 + component)
        : undefined;
    if (exact !== undefined && exact.link === route.primary && now_ms - exact.at_ms <= SWITCH_ms)
      return exact;
    const heard = route.links.get(route.primary);
    return heard === undefined ? undefined : { link: route.primary, from: heard.from };
  }

  forget(link: string): void {
    for (const [system_id, route] of this.#systems) {
      route.links.delete(link);
      const next = [...route.links].sort((a, b) => b[1].at_ms - a[1].at_ms)[0];
      if (next === undefined) this.#systems.delete(system_id);
      else if (route.primary === link) route.primary = next[0];
      if (route.chosen === link) route.chosen = null;
    }
    for (const [key, heard] of this.#components) if (heard.link === link) this.#components.delete(key);
  }

  primaryLinks(): ReadonlySet<string> {
    return new Set([...this.#systems.values()].map((route) => route.primary));
  }
}
