import { DoubleSide, type Material, MeshBasicMaterial, MeshStandardMaterial } from "three";
import type { Palette } from "./palette";

export interface AirframeMaterials {
  readonly light: Material;
  readonly dark: Material;
  readonly metal: Material;
  readonly accent: Material;
  readonly disc: Material;
  readonly rim: Material;
}

/** The vehicle's own look: neutral, because colour is kept for meaning. */
export function vehicleMaterials(palette: Palette): AirframeMaterials {
  const standard = (color: string, roughness: number, metalness: number) =>
    new MeshStandardMaterial({ color, roughness, metalness });
  return {
    light: standard(palette.body_light, 0.55, 0.05),
    dark: standard(palette.body_dark, 0.6, 0.25),
    metal: standard(palette.metal, 0.35, 0.55),
    accent: standard("#e8edf2", 0.4, 0),
    disc: new MeshBasicMaterial({
      color: palette.body_light,
      transparent: true,
      opacity: 0.13,
      depthWrite: false,
      side: DoubleSide,
    }),
    rim: new MeshBasicMaterial({
      color: palette.metal,
      transparent: true,
      opacity: 0.75,
      depthWrite: false,
      side: DoubleSide,
    }),
  };
}

/** One material for the whole ghost: what the machine proposes, seen through. */
export function ghostMaterials(palette: Palette): AirframeMaterials {
  const skin = new MeshBasicMaterial({ color: palette.machine, transparent: true, opacity: 0.34 });
  const disc = new MeshBasicMaterial({
    color: palette.machine,
    transparent: true,
    opacity: 0.1,
    depthWrite: false,
    side: DoubleSide,
  });
  const rim = new MeshBasicMaterial({
    color: palette.machine,
    transparent: true,
    opacity: 0.85,
    depthWrite: false,
    side: DoubleSide,
  });
  return { light: skin, dark: skin, metal: skin, accent: skin, disc, rim };
}
