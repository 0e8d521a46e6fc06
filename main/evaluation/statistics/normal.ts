/**
 * The standard normal distribution. `normalCdf` by Graeme West, "Better approximations to cumulative normal functions" (2005):
 * errors below 1e-14; `normalQuantile` by Acklam's rational approximation, then one step of Halley on it.
 */
export function normalCdf(x: number): number {
  const z = Math.abs(x);
  if (z > 37) return x > 0 ? 1 : 0;
  const e = Math.exp((-z * z) / 2);
  let tail: number;
  if (z < 7.07106781186547) {
    const above = [
      3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
      221.213596169931, 220.206867912376,
    ].reduce((sum, c) => sum * z + c, 0);
    const below = [
      8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
      637.333633378831, 793.826512519948, 440.413735824752,
    ].reduce((sum, c) => sum * z + c, 0);
    tail = (e * above) / below;
  } else {
    const fraction = z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 0.65))));
    tail = e / fraction / 2.506628274631;
  }
  return x > 0 ? 1 - tail : tail;
}

const a = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
];
const b = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1,
];
const c = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1];
const polynomial = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, k) => sum * x + k, 0);

/** The value below which a share `p` lies; infinite at 0 and 1, NaN outside. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  if (p === 0) return Number.NEGATIVE_INFINITY;
  if (p === 1) return Number.POSITIVE_INFINITY;
  if (p > 0.5) return -normalQuantile(1 - p);
  let x: number;
  if (p < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(p));
    x = polynomial(c, q) / polynomial(d, q);
  } else {
    const q = p - 0.5;
    x = (polynomial(a, q * q) * q) / polynomial(b, q * q);
  }
  const off = (normalCdf(x) - p) * Math.sqrt(2 * Math.PI) * Math.exp((x * x) / 2);
  return Number.isFinite(off) ? x - off / (1 + (x * off) / 2) : x;
}
