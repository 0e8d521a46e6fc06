import { type Enu, ned, nedToEnu, wrapPi } from "#contract/frames";
import type { SiteStatus } from "#contract/link-detail";
import { err, ok, type Result } from "#contract/result";
import type { LocalFrame } from "../../vehicle/frame";
import type { SiteTransform } from "../../vehicle/site-transform";

/** The vehicle is to be carried so far along the site's x axis. */
const CARRY_m = 1;
/** Less says nothing of a direction. */
const LEAST_m = 0.5;
/** A hand's breadth, and six degrees. */
const LENGTH_TOLERANCE_m = 0.15;
const YAW_TOLERANCE_rad = 0.105;

interface Check {
  readonly state: "carrying" | "done";
  readonly from_enu_m: Enu;
  readonly to_enu_m: Enu;
}

export interface SitePorts {
  readonly frame: () => LocalFrame;
  readonly armed: () => boolean;
  readonly set: (site: SiteTransform) => void;
  /** Keeps it for the next start. */
  readonly keep: (site: SiteTransform) => Result<void, string>;
  readonly now_ms: () => number;
}

/** Where the vehicle's local frame lies in the site, and its check: carry the vehicle one metre and look. */
export class SiteDesk {
  readonly #ports: SitePorts;
  #check: Check | null = null;
  #reset: { readonly jump_m: number; readonly at_ms: number } | null = null;

  constructor(ports: SitePorts) {
    this.#ports = ports;
  }

  noteReset(jump_m: number): void {
    this.#reset = { jump_m, at_ms: this.#ports.now_ms() };
  }

  set(yaw_rad: number, offset_enu_m: Enu): Result<void, string> {
    if (this.#ports.armed())
      return err("The vehicle is armed; the site stays where it is until it is disarmed.");
    if (![yaw_rad, ...offset_enu_m].every(Number.isFinite)) return err("The transform needs finite numbers.");
    const site = { yaw_rad: wrapPi(yaw_rad), offset_enu_m };
    const kept = this.#ports.keep(site);
    if (!kept.ok) return kept;
    this.#ports.set(site);
    return ok(undefined);
  }

  check(step: "begin" | "end" | "adopt"): Result<void, string> {
    if (step === "adopt") return this.#adopt();
    if (this.#ports.armed()) return err("The vehicle is armed; it is carried disarmed.");
    const here = localEnu(this.#ports.frame());
    if (here === null) return err("The vehicle does not tell its position yet.");
    if (step === "begin") {
      this.#check = { state: "carrying", from_enu_m: here, to_enu_m: here };
      return ok(undefined);
    }
    if (this.#check === null) return err("Begin the check first, then carry the vehicle.");
    this.#check = { ...this.#check, state: "done", to_enu_m: here };
    return ok(undefined);
  }

  status(): SiteStatus {
    const { anchor } = this.#ports.frame();
    return {
      yaw_rad: wrapPi(anchor.site.yaw_rad + (anchor.site.heading_rad ?? 0)),
      offset_enu_m: anchor.site.offset_enu_m,
      resets: anchor.resets,
      last_jump_m: this.#reset === null || !Number.isFinite(this.#reset.jump_m) ? null : this.#reset.jump_m,
      last_reset_at_ms: this.#reset?.at_ms ?? null,
      check: this.#found(),
    };
  }

  #found(): SiteStatus["check"] {
    const check = this.#check;
    if (check === null) return null;
    const to = check.state === "done" ? check.to_enu_m : (localEnu(this.#ports.frame()) ?? check.to_enu_m);
    const [x, y] = [to[0] - check.from_enu_m[0], to[1] - check.from_enu_m[1]];
    const carried_m = Math.hypot(x, y);
    if (carried_m < LEAST_m) {
      return {
        state: check.state,
        carried_m,
        bearing_rad: null,
        yaw_error_rad: null,
        verdict: "carry_further",
        text: `Carry the vehicle ${String(CARRY_m)} m along the site's x axis; so far ${carried_m.toFixed(2)} m.`,
      };
    }
    const bearing_rad = Math.atan2(y, x);
    const yaw_error_rad = wrapPi(bearing_rad + this.#ports.frame().anchor.site.yaw_rad);
    const degrees = ((yaw_error_rad * 180) / Math.PI).toFixed(0);
    const scale = check.state === "done" && Math.abs(carried_m - CARRY_m) > LENGTH_TOLERANCE_m;
    const turned = Math.abs(yaw_error_rad) > YAW_TOLERANCE_rad;
    const verdict = scale ? "scale_wrong" : turned ? "turned" : "agrees";
    const text = {
      scale_wrong: `It measured ${carried_m.toFixed(2)} m for ${String(CARRY_m)} m: check the tracker's calibration and the way it was carried.`,
      turned: `The site is turned by ${degrees}° against what is stored; adopt it, or check the axis.`,
      agrees: "Length and direction agree with the stored transform.",
    }[verdict];
    return { state: check.state, carried_m, bearing_rad, yaw_error_rad, verdict, text };
  }

  /** Turns the site so that the way carried is its x axis, about the place where it began. */
  #adopt(): Result<void, string> {
    const found = this.#found();
    const check = this.#check;
    if (check?.state !== "done" || found?.bearing_rad == null)
      return err("There is no finished check to adopt.");
    if (found.verdict === "scale_wrong") return err(found.text);
    const { site } = this.#ports.frame().anchor;
    const yaw_rad = -found.bearing_rad;
    const turn = (yaw: number): readonly [number, number] => [
      Math.cos(yaw) * check.from_enu_m[0] - Math.sin(yaw) * check.from_enu_m[1],
      Math.sin(yaw) * check.from_enu_m[0] + Math.cos(yaw) * check.from_enu_m[1],
    ];
    const [before, after] = [turn(site.yaw_rad), turn(yaw_rad)];
    const o = site.offset_enu_m;
    return this.set(yaw_rad, [o[0] + before[0] - after[0], o[1] + before[1] - after[1], o[2]]);
  }
}

function localEnu(frame: LocalFrame): Enu | null {
  if (frame.place === null) return null;
  const [x, y, z] = frame.place.local_ned_m;
  return nedToEnu(ned(x, y, z));
}
