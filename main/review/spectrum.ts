import type { ReviewSpectrum } from "#contract/review";
import { lowerBound, upperBound } from "./bounds";
import type { Column } from "./reader";

type Window = ReviewSpectrum["window"];
export type Spectrum = Omit<ReviewSpectrum, "topic" | "field" | "unit">;

const FEWEST = 16;
const LONGEST = 4096;
const PEAKS = 5;

/**
 * Amplitude spectrum by Welch's method (P. Welch, "The use of fast Fourier transform for the estimation of power
 * spectra", 1967): the stretch is put on an even grid at its own mean rate, cut into half-overlapping windows, each
 * without its mean, weighted, transformed; powers are averaged. A sine of amplitude A shows as A. Null when there are too
 * few samples to say anything.
 */
export function spectrumOf(
  column: Column,
  from_s: number | null,
  to_s: number | null,
  window: Window,
): Spectrum | null {
  const samples = evenly(column, from_s, to_s);
  if (samples === null) return null;
  const { values, rate_hz } = samples;
  const size = 2 ** Math.floor(Math.log2(Math.min(LONGEST, values.length)));
  const weights = Float64Array.from({ length: size }, (_, i) =>
    window === "hann" ? 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size) : 1,
  );
  const gain = weights.reduce((sum, w) => sum + w, 0) / 2;
  const power = new Float64Array(size / 2 + 1);
  let windows = 0;
  for (let start = 0; start + size <= values.length; start += size / 2) {
    const re = values.slice(start, start + size);
    const mean = re.reduce((sum, v) => sum + v, 0) / size;
    for (let i = 0; i < size; i++) re[i] = ((re[i] as number) - mean) * (weights[i] as number);
    const im = new Float64Array(size);
    fft(re, im);
    for (let k = 0; k < power.length; k++)
      power[k] = (power[k] as number) + (re[k] as number) ** 2 + (im[k] as number) ** 2;
    windows += 1;
  }
  const amplitude = Array.from(power, (p, k) => {
    const a = Math.sqrt(p / windows) / gain;
    // Zero and the highest frequency have no mirror image.
    return k === 0 || k === size / 2 ? a / 2 : a;
  });
  const resolution_hz = rate_hz / size;
  const frequency_hz = amplitude.map((_, k) => k * resolution_hz);
  return {
    window,
    sample_rate_hz: rate_hz,
    resolution_hz,
    windows,
    frequency_hz,
    amplitude,
    peaks: peaksOf(frequency_hz, amplitude),
  };
}

/** Samples of the stretch at even distances, by straight lines between neighbours; gaps and NaN are bridged. */
function evenly(
  column: Column,
  from_s: number | null,
  to_s: number | null,
): { values: Float64Array; rate_hz: number } | null {
  const first = from_s === null ? 0 : lowerBound(column.t_s, from_s);
  const end = to_s === null ? column.t_s.length : upperBound(column.t_s, to_s);
  const t: number[] = [];
  const v: number[] = [];
  for (let i = first; i < end; i++) {
    const value = column.values[i] as number;
    if (!Number.isFinite(value)) continue;
    t.push(column.t_s[i] as number);
    v.push(value);
  }
  const [start_s, stop_s] = [t[0] ?? 0, t.at(-1) ?? 0];
  if (t.length < FEWEST || !(stop_s > start_s)) return null;
  const rate_hz = (t.length - 1) / (stop_s - start_s);
  const values = new Float64Array(t.length);
  let k = 0;
  for (let i = 0; i < values.length; i++) {
    const at_s = start_s + i / rate_hz;
    while (k + 2 < t.length && (t[k + 1] as number) <= at_s) k += 1;
    const [a_s, b_s] = [t[k] as number, t[k + 1] as number];
    const part = b_s > a_s ? Math.min(1, Math.max(0, (at_s - a_s) / (b_s - a_s))) : 0;
    values[i] = (v[k] as number) * (1 - part) + (v[k + 1] as number) * part;
  }
  return { values, rate_hz };
}

/** In place, radix 2 (Cooley and Tukey 1965); the length is a power of two. Own: see docs/adr/0012-own-fft.md. */
export function fft(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j] as number, re[i] as number];
    [im[i], im[j]] = [im[j] as number, im[i] as number];
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; k++) {
      const angle = (-2 * Math.PI * k) / size;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let a = k; a < n; a += size) {
        const b = a + half;
        const [br, bi] = [re[b] as number, im[b] as number];
        const tr = br * c - bi * s;
        const ti = br * s + bi * c;
        re[b] = (re[a] as number) - tr;
        im[b] = (im[a] as number) - ti;
        re[a] = (re[a] as number) + tr;
        im[a] = (im[a] as number) + ti;
      }
    }
  }
}

function peaksOf(frequency_hz: readonly number[], amplitude: readonly number[]): Spectrum["peaks"] {
  const sorted = [...amplitude.slice(1)].sort((a, b) => a - b);
  const floor = (sorted[Math.floor(sorted.length / 2)] ?? 0) * 4;
  return amplitude
    .flatMap((a, k) => {
      const [before = 0, after = 0] = [amplitude[k - 1], amplitude[k + 1]];
      return k > 0 && a > floor && a >= before && a > after
        ? [{ frequency_hz: frequency_hz[k] ?? 0, amplitude: a }]
        : [];
    })
    .sort((a, b) => b.amplitude - a.amplitude)
    .slice(0, PEAKS);
}
