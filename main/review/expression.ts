import { err, ok, type Result } from "#contract/result";
import { upperBound } from "./bounds";
import { derivative, integral, lowPass, movingDeviation, movingMean } from "./filters";
import type { Column } from "./reader";

/**
 * Arithmetic on fields: `{vehicle_local_position.z} * -1`, `deg({ATTITUDE.roll}) - deg({ATTITUDE_TARGET.roll})`.
 * Fields stand in braces as TOPIC.FIELD. The first one's times are those of the result; of the others the newest
 * value at each time is taken. Operators + - * / ^, parentheses, and the functions below.
 */
export function evaluateExpression(
  text: string,
  columnOf: (reference: string) => Column | null,
): Result<Column, string> {
  const parsed = parseExpression(text);
  if (!parsed.ok) return parsed;
  const references = new Map<string, Column>();
  for (const name of parsed.value.references) {
    const column = columnOf(name);
    if (!column) return err(`There is no numeric field {${name}}.`);
    references.set(name, column);
  }
  const [first] = references.values();
  if (!first) return err("An expression needs at least one field in braces, like {TOPIC.FIELD}.");
  const { t_s } = first;
  const aligned = new Map([...references].map(([name, column]) => [name, sampleAt(column, t_s)]));
  return ok({ t_s, values: parsed.value.evaluate({ t_s, aligned }), unit: "" });
}

/** The fields that an expression uses; null when it cannot be understood. */
export function expressionReferences(text: string): string[] | null {
  const parsed = parseExpression(text);
  return parsed.ok ? [...parsed.value.references] : null;
}

interface Inputs {
  readonly t_s: Float64Array;
  readonly aligned: ReadonlyMap<string, Float64Array>;
}
type Evaluate = (inputs: Inputs) => Float64Array;

/** The newest value at each time, NaN before the first. */
export function sampleAt(column: Column, t_s: Float64Array): Float64Array {
  if (column.t_s === t_s) return column.values;
  return Float64Array.from(t_s, (t) => column.values[upperBound(column.t_s, t) - 1] ?? Number.NaN);
}

const map = (a: Float64Array, f: (x: number) => number): Float64Array => a.map((x) => f(x));
const zip = (a: Float64Array, b: Float64Array, f: (x: number, y: number) => number): Float64Array =>
  a.map((x, i) => f(x, b[i] as number));

const ONE: Readonly<Record<string, (x: number) => number>> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
  deg: (x) => (x * 180) / Math.PI,
  rad: (x) => (x * Math.PI) / 180,
  exp: Math.exp,
  sign: Math.sign,
  wrap_deg: (x) => wrap(x, 360),
  wrap_rad: (x) => wrap(x, 2 * Math.PI),
};
const TWO: Readonly<Record<string, (x: number, y: number) => number>> = {
  min: Math.min,
  max: Math.max,
  hypot: Math.hypot,
  atan2: Math.atan2,
};

/** Wraps an angle to half a turn either way. */
const wrap = (x: number, turn: number): number => x - turn * Math.round(x / turn);

/** Functions of a whole series, with a number where they need one (`mean(x, 0.5)`: seconds; `lowpass(x, 5)`: Hz). */
const SERIES: Readonly<
  Record<
    string,
    { readonly number: boolean; run(v: Float64Array, t_s: Float64Array, by: number): Float64Array }
  >
> = {
  ddt: { number: false, run: derivative },
  int: { number: false, run: integral },
  mean: { number: true, run: movingMean },
  rms: { number: true, run: movingDeviation },
  lowpass: { number: true, run: lowPass },
  highpass: {
    number: true,
    run: (v, t_s, hz) => {
      const low = lowPass(v, t_s, hz);
      return v.map((x, i) => x - (low[i] as number));
    },
  },
  vibration: { number: false, run: (v, t_s) => movingDeviation(v, t_s, VIBRATION_S) },
};
/** Long enough for slow rotors, short enough that the vehicle's own motion does not count. */
const VIBRATION_S = 0.5;

const TOKEN = /\s*(?:\{([^{}]+)\}|(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)|([a-z]\w*)|([-+*/^(),]))/y;
type Token = { readonly kind: "field" | "number" | "name" | "sign"; readonly text: string };

function tokens(text: string): Result<Token[], string> {
  const out: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (pattern.lastIndex < text.trimEnd().length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) return err(`“${text.slice(at).trim().slice(0, 12)}” cannot be understood.`);
    const [, field, number, name, sign] = match;
    if (field !== undefined) out.push({ kind: "field", text: field.trim() });
    else if (number !== undefined) out.push({ kind: "number", text: number });
    else if (name !== undefined) out.push({ kind: "name", text: name });
    else out.push({ kind: "sign", text: sign ?? "" });
  }
  return ok(out);
}

class SyntaxProblem extends Error {}

function parseExpression(text: string): Result<{ evaluate: Evaluate; references: Set<string> }, string> {
  const list = tokens(text);
  if (!list.ok) return list;
  const references = new Set<string>();
  let at = 0;
  const take = (sign: string): boolean => {
    const found = list.value[at]?.kind === "sign" && list.value[at]?.text === sign;
    if (found) at += 1;
    return found;
  };
  const expect = (sign: string): void => {
    if (!take(sign)) throw new SyntaxProblem(`“${sign}” is missing.`);
  };
  const sum = (): Evaluate => {
    let left = product();
    for (;;) {
      const [a, plus] = [left, take("+")];
      if (!plus && !take("-")) return left;
      const b = product();
      left = (inputs) => zip(a(inputs), b(inputs), plus ? (x, y) => x + y : (x, y) => x - y);
    }
  };
  const product = (): Evaluate => {
    let left = signed();
    for (;;) {
      const [a, times] = [left, take("*")];
      if (!times && !take("/")) return left;
      const b = signed();
      left = (inputs) => zip(a(inputs), b(inputs), times ? (x, y) => x * y : (x, y) => x / y);
    }
  };
  const signed = (): Evaluate => {
    if (take("-")) {
      const inner = signed();
      return (inputs) => map(inner(inputs), (x) => -x);
    }
    const base = atom();
    if (!take("^")) return base;
    const exponent = signed();
    return (inputs) => zip(base(inputs), exponent(inputs), (x, y) => x ** y);
  };
  const atom = (): Evaluate => {
    if (take("(")) {
      const inner = sum();
      expect(")");
      return inner;
    }
    const token = list.value[at++];
    if (token?.kind === "number") {
      const value = Number(token.text);
      return ({ t_s }) => new Float64Array(t_s.length).fill(value);
    }
    if (token?.kind === "field") {
      references.add(token.text);
      return ({ aligned }) => aligned.get(token.text) ?? new Float64Array();
    }
    if (token?.kind === "name") return call(token.text);
    throw new SyntaxProblem("A value is missing.");
  };
  const plainNumber = (name: string): number => {
    expect(",");
    const token = list.value[at++];
    const by = token?.kind === "number" ? Number(token.text) : Number.NaN;
    if (!(by > 0)) throw new SyntaxProblem(`“${name}” needs a number above zero after the comma.`);
    return by;
  };
  const call = (name: string): Evaluate => {
    if (name === "pi") return ({ t_s }) => new Float64Array(t_s.length).fill(Math.PI);
    expect("(");
    const first = sum();
    const [one, two, series] = [ONE[name], TWO[name], SERIES[name]];
    if (series) {
      const by = series.number ? plainNumber(name) : 0;
      expect(")");
      return (inputs) => series.run(first(inputs), inputs.t_s, by);
    }
    if (two) {
      expect(",");
      const second = sum();
      expect(")");
      return (inputs) => zip(first(inputs), second(inputs), two);
    }
    expect(")");
    if (!one) throw new SyntaxProblem(`There is no function “${name}”.`);
    return (inputs) => map(first(inputs), one);
  };
  try {
    const evaluate = sum();
    if (at < list.value.length) return err(`“${list.value[at]?.text ?? ""}” is one too many.`);
    return ok({ evaluate, references });
  } catch (problem) {
    if (problem instanceof SyntaxProblem) return err(problem.message);
    throw problem;
  }
}
