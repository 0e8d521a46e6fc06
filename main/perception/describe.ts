/** Words for what is seen. They describe colour and shape; they claim no class. */
export function describeObject(
  colour: readonly [number, number, number],
  size_m: readonly [number, number, number],
): string {
  return `${colourName(colour)} ${shapeName(size_m)}`;
}

function shapeName([width_m, , height_m]: readonly [number, number, number]): string {
  if (height_m > 1.6 * width_m) return "upright object";
  if (height_m < 0.45 * width_m) return "flat object";
  return width_m > 0.16 ? "large object" : "object";
}

function colourName([r, g, b]: readonly [number, number, number]): string {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const saturation = max === 0 ? 0 : (max - min) / max;
  if (max < 40) return "black";
  if (saturation < 0.16) return max > 165 ? "white" : "grey";
  const span = max - min;
  const hue =
    60 * (max === r ? ((g - b) / span + 6) % 6 : max === g ? (b - r) / span + 2 : (r - g) / span + 4);
  if (hue < 14 || hue >= 340) return "red";
  if (hue < 40) return max < 150 || saturation < 0.5 ? "brown" : "orange";
  if (hue < 68) return "yellow";
  if (hue < 165) return "green";
  if (hue < 200) return "cyan";
  if (hue < 260) return "blue";
  return "purple";
}
