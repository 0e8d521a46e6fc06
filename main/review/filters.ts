/**
 * What expressions do to a whole series with its times: derivatives, integrals, moving figures. NaN is passed over where a
 * window holds other values and kept where it does not.
 */

/** Change per second from one sample to the next. */
export function derivative(values: Float64Array, t_s: Float64Array): Float64Array {
  return values.map((value, i) =>
    i === 0
      ? Number.NaN
      : (value - (values[i - 1] as number)) / ((t_s[i] as number) - (t_s[i - 1] as number)),
  );
}

/** Area under the line so far, by trapezoids. */
export function integral(values: Float64Array, t_s: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value, i) => {
    if (i > 0) {
      const part = ((value + (values[i - 1] as number)) / 2) * ((t_s[i] as number) - (t_s[i - 1] as number));
      if (Number.isFinite(part)) sum += part;
    }
    return sum;
  });
}

/** Mean of the samples within `window_s` around each time. */
export const movingMean = (values: Float64Array, t_s: Float64Array, window_s: number): Float64Array =>
  moving(values, t_s, window_s, (sum, _squares, n, base) => base + sum / n);

/** Root mean square about the mean of the samples within `window_s` around each time. */
export const movingDeviation = (values: Float64Array, t_s: Float64Array, window_s: number): Float64Array =>
  moving(values, t_s, window_s, (sum, squares, n) => Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2)));

function moving(
  values: Float64Array,
  t_s: Float64Array,
  window_s: number,
  of: (sum: number, squares: number, n: number, base: number) => number,
): Float64Array {
  const out = new Float64Array(values.length);
  // About the first value: squares of large numbers that hardly differ would cancel.
  const base = values.find((v) => Number.isFinite(v)) ?? 0;
  let [from, to, sum, squares, n] = [0, 0, 0, 0, 0];
  const take = (i: number, sign: 1 | -1): void => {
    const v = (values[i] as number) - base;
    if (!Number.isFinite(v)) return;
    sum += sign * v;
    squares += sign * v * v;
    n += sign;
  };
  for (let i = 0; i < values.length; i++) {
    const t = t_s[i] as number;
    while (to < values.length && (t_s[to] as number) <= t + window_s / 2) take(to++, 1);
    while (from < to && (t_s[from] as number) < t - window_s / 2) take(from++, -1);
    out[i] = n > 0 ? of(sum, squares, n, base) : Number.NaN;
  }
  return out;
}

/** First-order low pass with the corner `hz`, right for uneven samples. */
export function lowPass(values: Float64Array, t_s: Float64Array, hz: number): Float64Array {
  let state = Number.NaN;
  return values.map((value, i) => {
    if (!Number.isFinite(value)) return Number.NaN;
    const dt_s = i === 0 ? 0 : (t_s[i] as number) - (t_s[i - 1] as number);
    const share = 1 - Math.exp(-2 * Math.PI * hz * dt_s);
    state = Number.isNaN(state) ? value : state + share * (value - state);
    return state;
  });
}
