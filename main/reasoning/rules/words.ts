/** Words and numbers of the built-in policy's language: English imperatives, distances in words or figures. */

const units: Readonly<Record<string, { readonly unit: Unit; readonly factor: number }>> = {
  m: { unit: "m", factor: 1 },
  meter: { unit: "m", factor: 1 },
  meters: { unit: "m", factor: 1 },
  metre: { unit: "m", factor: 1 },
  metres: { unit: "m", factor: 1 },
  cm: { unit: "m", factor: 0.01 },
  centimeter: { unit: "m", factor: 0.01 },
  centimeters: { unit: "m", factor: 0.01 },
  centimetre: { unit: "m", factor: 0.01 },
  centimetres: { unit: "m", factor: 0.01 },
  ft: { unit: "m", factor: 0.3048 },
  foot: { unit: "m", factor: 0.3048 },
  feet: { unit: "m", factor: 0.3048 },
  deg: { unit: "deg", factor: 1 },
  degree: { unit: "deg", factor: 1 },
  degrees: { unit: "deg", factor: 1 },
  "°": { unit: "deg", factor: 1 },
  s: { unit: "s", factor: 1 },
  sec: { unit: "s", factor: 1 },
  second: { unit: "s", factor: 1 },
  seconds: { unit: "s", factor: 1 },
  minute: { unit: "s", factor: 60 },
  minutes: { unit: "s", factor: 60 },
  step: { unit: "step", factor: 1 },
  steps: { unit: "step", factor: 1 },
  times: { unit: "times", factor: 1 },
};
export type Unit = "m" | "deg" | "s" | "step" | "times" | "none";

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const tens: Readonly<Record<string, number>> = { thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 };

/** Splits into words, figures and stops. Sentence points become stops; decimal points and commas stay in their number. */
export function tokenise(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/(\d),(\d)/g, "$1.$2")
    .replace(/take-?off\b/g, "take off")
    .replace(/(\d)(m|cm|ft|deg|°|s)\b/g, "$1 $2")
    .replace(/°/g, " ° ");
  return plain.match(/\d+(?:\.\d+)?|°|[\p{L}]+|[.,;:!?]/gu) ?? [];
}

export const isStop = (token: string): boolean => /^[.,;:!?]$/.test(token);

export interface Quantity {
  readonly value: number;
  readonly unit: Unit;
  /** Tokens taken. */
  readonly used: number;
}

/** A number at `at`, with its unit when one follows: "2 m", "one and a half metres", "half a metre", "ninety degrees". */
export function readQuantity(tokens: readonly string[], at: number): Quantity | null {
  const number = readNumber(tokens, at);
  if (number === null) return null;
  let used = number.used;
  if (tokens[at + used] === "of" && number.value !== 0) used += 1;
  if (tokens[at + used] === "a" && number.value === 0.5) used += 1;
  const unit = units[tokens[at + used] ?? ""];
  if (unit === undefined) return { value: number.value, unit: "none", used: number.used };
  used += 1;
  if (matches(tokens, at + used, "and a half")) {
    return { value: (number.value + 0.5) * unit.factor, unit: unit.unit, used: used + 3 };
  }
  return { value: number.value * unit.factor, unit: unit.unit, used };
}

function readNumber(tokens: readonly string[], at: number): { value: number; used: number } | null {
  const token = tokens[at] ?? "";
  let value: number;
  let used = 1;
  for (const phrase of ["one hundred and eighty", "a hundred and eighty", "one hundred eighty"])
    if (matches(tokens, at, phrase)) return { value: 180, used: phrase.split(" ").length };
  if (/^\d/.test(token)) value = Number(token);
  else if (small.includes(token)) value = small.indexOf(token);
  else if (token in tens) {
    value = tens[token] ?? 0;
    const ones = small.indexOf(tokens[at + 1] ?? "");
    if (ones >= 1 && ones <= 9) {
      value += ones;
      used = 2;
    }
  } else if (token === "half") value = 0.5;
  else if (matches(tokens, at, "a half")) return { value: 0.5, used: 2 };
  else if (matches(tokens, at, "a couple of")) return { value: 2, used: 3 };
  else if ((token === "a" || token === "an") && (tokens[at + 1] ?? "") in units) value = 1;
  else return null;
  if (matches(tokens, at + used, "and a half")) return { value: value + 0.5, used: used + 3 };
  return { value, used };
}

export function matches(tokens: readonly string[], at: number, phrase: string): boolean {
  return phrase.split(" ").every((word, i) => tokens[at + i] === word);
}
