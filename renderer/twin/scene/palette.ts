import { Color } from "three";

/** Colours of the scene, one per meaning; read from the design tokens so that the three themes reach the twin. */
export interface Palette {
  readonly background_near: string;
  readonly background_far: string;
  readonly grid: string;
  readonly grid_strong: string;
  readonly floor: string;
  readonly wall: string;
  readonly text: string;
  readonly muted: string;
  readonly body_light: string;
  readonly body_dark: string;
  readonly metal: string;
  readonly intent: string;
  readonly machine: string;
  readonly caution: string;
  readonly warning: string;
  readonly go: string;
  /** Share of ambient light, 0-1: bright in sunlight so that nothing drowns in its own shadow. */
  readonly ambient: number;
}

export const darkPalette: Palette = {
  background_near: "#1b232c",
  background_far: "#0c1015",
  grid: "#333e4a",
  grid_strong: "#48566a",
  floor: "#2a323b",
  wall: "#3a4652",
  text: "#b3bdc8",
  muted: "#76828f",
  body_light: "#d6dde4",
  body_dark: "#4b5661",
  metal: "#97a3ae",
  intent: "#3cc4da",
  machine: "#e46bd4",
  caution: "#f0b13a",
  warning: "#ff5357",
  go: "#48c97f",
  ambient: 0.95,
};

const tokenOf = {
  text: "--text-1",
  muted: "--text-2",
  intent: "--intent",
  machine: "--machine",
  caution: "--caution",
  warning: "--warning",
  go: "--go",
} as const satisfies Partial<Record<keyof Palette, string>>;

/**
 * The palette of the theme in force. `token` reads one CSS custom property; missing ones keep the dark default.
 * Whether the theme is light is decided by the background's own luminance, not by its name.
 */
export function paletteFrom(token: (name: string) => string): Palette {
  const named: Partial<Record<keyof Palette, string>> = {};
  for (const [key, name] of Object.entries(tokenOf)) {
    const value = token(name).trim();
    if (value !== "") named[key as keyof typeof tokenOf] = value;
  }
  const surface = token("--bg-1").trim();
  const light = surface !== "" && isLight(surface);
  const light_overrides = light
    ? {
        background_near: "#f4f6f8",
        background_far: "#d5dbe1",
        floor: "#e6eaee",
        grid: "#b4bec8",
        grid_strong: "#8793a0",
        wall: "#b9c2cb",
        body_light: "#f5f7f9",
        body_dark: "#4a545e",
        metal: "#77828d",
        ambient: 1.25,
      }
    : {};
  return { ...darkPalette, ...light_overrides, ...named } as Palette;
}

/** Relative luminance above one half (WCAG 2.2 definition, three.js converts to linear). */
export function isLight(css: string): boolean {
  const c = new Color(css);
  return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b > 0.5;
}

/** Sensors and scenes give 0-1 or 0-255; both mean the same colour. */
export function colourOf(rgb: readonly [number, number, number]): Color {
  const scale = Math.max(...rgb) > 1 ? 1 / 255 : 1;
  return new Color().setRGB(rgb[0] * scale, rgb[1] * scale, rgb[2] * scale, "srgb");
}
