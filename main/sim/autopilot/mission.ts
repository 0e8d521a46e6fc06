import { type Origin, toLocal } from "./geodesy";
import { command, hasPlace, isAboveHome, type PlanItem } from "./plan";
import type { Vec3 } from "./vector";

export interface Waypoint {
  readonly position: Vec3;
  /** NaN keeps the heading. */
  readonly yaw_rad: number;
  readonly acceptance_m: number;
  readonly hold_s: number;
  readonly speed_m_s: number;
}

export interface MissionContext {
  readonly origin: Origin;
  readonly home: Vec3;
  readonly position: Vec3;
  readonly time_us: number;
}

/** What a mission asks for beside a waypoint. */
export type MissionOrder =
  | { readonly kind: "fly"; readonly waypoint: Waypoint }
  | { readonly kind: "land" }
  | { readonly kind: "return" }
  | { readonly kind: "wait" }
  | { readonly kind: "finished" };

export interface MissionEffects {
  reached(seq: number): void;
  gripper(action: "release" | "grab"): boolean;
  actuators(values: readonly (number | null)[]): boolean;
}

/**
 * Runs the stored mission: waypoints, take-off, landing, loiter, delay, return, speed, heading, jump, gripper and actuator
 * items. Stays where it is when paused, starts over when the list changes.
 */
export class Mission {
  #items: readonly PlanItem[] = [];
  #seq = 0;
  #speed_m_s = Number.NaN;
  #yaw_rad = Number.NaN;
  #jumps = new Map<number, number>();
  #delay_until_us: number | null = null;
  #finished = false;
  readonly #effects: MissionEffects;

  constructor(effects: MissionEffects) {
    this.#effects = effects;
  }

  load(items: readonly PlanItem[]): void {
    this.#items = items;
    this.setCurrent(0);
  }
  get seq(): number {
    return this.#seq;
  }
  get count(): number {
    return this.#items.length;
  }
  get valid(): boolean {
    return this.#items.some((i) => hasPlace(i) || i.command === command.return);
  }
  /** MISSION_STATE: 1 none, 2 not started, 3 active, 4 paused, 5 complete. */
  state(active: boolean): number {
    if (this.#items.length === 0) return 1;
    if (this.#finished) return 5;
    return active ? 3 : this.#seq === 0 ? 2 : 4;
  }

  /** Answers whether there is such an item. */
  setCurrent(seq: number): boolean {
    if (seq !== 0 && !this.#items[seq]) return false;
    this.#seq = seq;
    this.#finished = false;
    this.#delay_until_us = null;
    this.#speed_m_s = Number.NaN;
    this.#yaw_rad = Number.NaN;
    if (seq === 0) this.#jumps = new Map();
    return true;
  }

  /** A finished mission flown again starts at its first item. */
  begin(): void {
    if (this.#finished) this.setCurrent(0);
  }

  /** What to do now. Items without a place are carried out on the way. */
  order(context: MissionContext): MissionOrder {
    for (let guard = 0; guard <= 2 * this.#items.length && !this.#finished; guard++) {
      const item = this.#items[this.#seq];
      if (!item) break;
      const order = this.#orderFor(item, context);
      if (order) return order;
    }
    this.#finished = true;
    return { kind: "finished" };
  }

  #orderFor(item: PlanItem, context: MissionContext): MissionOrder | null {
    switch (item.command) {
      case command.waypoint:
      case command.takeoff:
      case command.loiter_time:
      case command.loiter_unlimited:
        return { kind: "fly", waypoint: this.#waypoint(item, context) };
      case command.land:
        return { kind: "land" };
      case command.return:
        return { kind: "return" };
      case command.delay:
        this.#delay_until_us ??= context.time_us + item.params[0] * 1e6;
        if (context.time_us < this.#delay_until_us) return { kind: "wait" };
        break;
      case command.change_speed:
        this.#speed_m_s = item.params[1];
        break;
      case command.condition_yaw:
        this.#yaw_rad = (item.params[0] * Math.PI) / 180;
        break;
      case command.jump: {
        const used = this.#jumps.get(this.#seq) ?? 0;
        if (item.params[1] < 0 || used < item.params[1]) {
          this.#jumps.set(this.#seq, used + 1);
          this.#seq = item.params[0];
          return null;
        }
        break;
      }
      case command.gripper:
        this.#effects.gripper(item.params[1] === 0 ? "release" : "grab");
        break;
      case command.set_actuator:
        this.#effects.actuators(item.params.map((v) => (Number.isFinite(v) ? v : null)));
        break;
    }
    this.advance();
    return null;
  }

  #waypoint(item: PlanItem, context: MissionContext): Waypoint {
    const ground = isAboveHome(item.frame);
    const [x, y, z] = toLocal(context.origin, item.x / 1e7, item.y / 1e7, item.z);
    const here = item.command === command.takeoff;
    // A take-off climbs where it stands; height above home or above the sea.
    const height: number = ground ? context.home[2] - item.z : z;
    const yaw = (item.params[3] * Math.PI) / 180;
    const hold_s =
      item.command === command.waypoint || item.command === command.loiter_time
        ? item.params[0]
        : item.command === command.loiter_unlimited
          ? Number.POSITIVE_INFINITY
          : 0;
    const placed = item.x !== 0 || item.y !== 0;
    return {
      position: here || !placed ? [context.home[0], context.home[1], height] : [x, y, height],
      yaw_rad: Number.isFinite(item.params[3]) && !here ? yaw : this.#yaw_rad,
      acceptance_m: item.command === command.waypoint ? item.params[1] : 0,
      hold_s: Number.isFinite(hold_s) ? Math.max(0, hold_s) : hold_s,
      speed_m_s: this.#speed_m_s,
    };
  }

  /** The current item is done. */
  advance(): void {
    this.#effects.reached(this.#seq);
    this.#delay_until_us = null;
    this.#seq++;
    if (this.#seq >= this.#items.length) {
      this.#seq = Math.max(0, this.#items.length - 1);
      this.#finished = this.#items.length > 0;
    }
  }
}
