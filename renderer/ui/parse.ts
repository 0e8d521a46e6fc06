/**
 * A decimal number as a person types it. "1.5" and "1,5" are the same; anything with a thousands separator is refused rather
 * than guessed (1,234 could be either), as is everything that is not wholly a number.
 */
export function parseDecimal(text: string): number | null {
  const trimmed = text.trim().replace("−", "-");
  if (!/^[-+]?(\d+([.,]\d*)?|[.,]\d+)$/.test(trimmed)) return null;
  if (/,\d{3}$/.test(trimmed) && !/^[-+]?0?,/.test(trimmed)) return null;
  const value = Number(trimmed.replace(",", "."));
  return Number.isFinite(value) ? value : null;
}

/** A number within its limits, or what is wrong with it in one sentence. */
export function parseWithin(
  text: string,
  limits: { readonly min: number; readonly max: number; readonly unit: string },
): { readonly value: number } | { readonly problem: string } {
  const value = parseDecimal(text);
  if (value === null) return { problem: "Not a number" };
  if (!(value >= limits.min && value <= limits.max)) {
    return { problem: `Must be ${limits.min} to ${limits.max} ${limits.unit}`.trim() };
  }
  return { value };
}
