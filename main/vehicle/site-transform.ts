import { type Enu, enu, type Ned, nedToEnu, type QuatFluEnu, quatMultiply, wrapPi } from "#contract/frames";

/**
 * From the vehicle's local frame to the site frame, both z up: turned by `yaw_rad` about z, then moved by `offset_enu_m`.
 * Indoors local is not north, so the yaw is whatever carrying the vehicle along a known line has shown.
 */
export interface SiteTransform {
  readonly yaw_rad: number;
  readonly offset_enu_m: Enu;
  /**
   * Added to headings alone: what the estimator's heading was reset by. A position that comes from outside keeps its axes
   * when the heading is corrected, so points and vectors do not turn with it.
   */
  readonly heading_rad?: number;
}

const headingTurn = (site: SiteTransform): number => site.yaw_rad + (site.heading_rad ?? 0);

/** Local frame and site frame are the same, as with the embedded vehicle. */
export const identitySite: SiteTransform = { yaw_rad: 0, offset_enu_m: [0, 0, 0] };

export function vectorToSite(site: SiteTransform, local_enu: Enu): Enu {
  const c = Math.cos(site.yaw_rad);
  const s = Math.sin(site.yaw_rad);
  return enu(c * local_enu[0] - s * local_enu[1], s * local_enu[0] + c * local_enu[1], local_enu[2]);
}

export function pointToSite(site: SiteTransform, local_ned_m: Ned): Enu {
  const turned = vectorToSite(site, nedToEnu(local_ned_m));
  const offset = site.offset_enu_m;
  return enu(turned[0] + offset[0], turned[1] + offset[1], turned[2] + offset[2]);
}

export function quatToSite(site: SiteTransform, local: QuatFluEnu): QuatFluEnu {
  const turn_rad = headingTurn(site);
  if (turn_rad === 0) return local;
  const turn = [Math.cos(turn_rad / 2), 0, 0, Math.sin(turn_rad / 2)] as const;
  const q = quatMultiply(turn, local);
  return q[0] < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
}

/** The inverse of {@link quatToSite}. */
export function quatToLocal(site: SiteTransform, in_site: QuatFluEnu): QuatFluEnu {
  const turn_rad = -headingTurn(site);
  const q = quatMultiply([Math.cos(turn_rad / 2), 0, 0, Math.sin(turn_rad / 2)], in_site);
  return q[0] < 0 ? [-q[0], -q[1], -q[2], -q[3]] : q;
}

/** A site position in the vehicle's local frame, where setpoints are given. */
export function pointToLocal(site: SiteTransform, position_enu_m: Enu): Ned {
  const dx = position_enu_m[0] - site.offset_enu_m[0];
  const dy = position_enu_m[1] - site.offset_enu_m[1];
  const c = Math.cos(site.yaw_rad);
  const s = Math.sin(site.yaw_rad);
  const local_x = c * dx + s * dy;
  const local_y = -s * dx + c * dy;
  return [local_y, local_x, -(position_enu_m[2] - site.offset_enu_m[2])];
}

export const yawToLocalNed = (site: SiteTransform, yaw_enu_rad: number): number =>
  wrapPi(Math.PI / 2 - (yaw_enu_rad - headingTurn(site)));

/** The transform after the estimator moved its frame and heading (local): the vehicle stays where it is in the site. */
export function reanchored(site: SiteTransform, jump_enu_m: Enu, turn_rad = 0): SiteTransform {
  const jump = vectorToSite(site, jump_enu_m);
  const o = site.offset_enu_m;
  const heading_rad = wrapPi((site.heading_rad ?? 0) - turn_rad);
  const offset_enu_m = enu(o[0] - jump[0], o[1] - jump[1], o[2] - jump[2]);
  return { yaw_rad: site.yaw_rad, offset_enu_m, ...(heading_rad === 0 ? {} : { heading_rad }) };
}
