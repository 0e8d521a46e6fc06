/** One design token's value in force, for scenes and canvases that cannot use CSS. */
export const readToken = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name);

export const prefersStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
