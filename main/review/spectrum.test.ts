import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fft, spectrumOf } from "./spectrum";

const column = (rate_hz: number, seconds: number, value: (t: number) => number) => {
  const t_s = Float64Array.from({ length: rate_hz * seconds }, (_, i) => i / rate_hz);
  return { t_s, values: t_s.map(value), unit: "" };
};

test("the transform is that of the definition, for any signal", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 32, maxLength: 32 }),
      (x) => {
        const re = Float64Array.from(x);
        const im = new Float64Array(32);
        fft(re, im);
        for (let k = 0; k < 32; k++) {
          let [a, b] = [0, 0];
          x.forEach((v, n) => {
            a += v * Math.cos((2 * Math.PI * k * n) / 32);
            b -= v * Math.sin((2 * Math.PI * k * n) / 32);
          });
          expect(re[k]).toBeCloseTo(a, 8);
          expect(im[k]).toBeCloseTo(b, 8);
        }
      },
    ),
    { numRuns: 20 },
  );
});

test("a sine shows at its frequency with its amplitude, on either window, whatever lies under it", () => {
  for (const window of ["hann", "rectangular"] as const) {
    const found = spectrumOf(
      column(256, 16, (t) => 40 + 3 * Math.sin(2 * Math.PI * 32 * t)),
      null,
      null,
      window,
    );
    expect(found?.peaks[0]?.frequency_hz).toBeCloseTo(32, 1);
    expect(found?.peaks[0]?.amplitude).toBeCloseTo(3, 1);
    expect(found?.sample_rate_hz).toBeCloseTo(256, 6);
  }
});

test("two sines are two peaks, the larger first; a stretch counts alone", () => {
  const both = column(200, 40, (t) =>
    t < 20 ? 2 * Math.sin(2 * Math.PI * 10 * t) : 5 * Math.sin(2 * Math.PI * 45 * t),
  );
  const early = spectrumOf(both, 0, 19, "hann");
  expect(early?.peaks.map((p) => Math.round(p.frequency_hz))).toEqual([10]);
  const whole = spectrumOf(both, null, null, "hann");
  expect(whole?.peaks.slice(0, 2).map((p) => Math.round(p.frequency_hz))).toEqual([45, 10]);
});

test("gaps and missing numbers do not make a spectrum of nothing", () => {
  expect(
    spectrumOf(
      column(100, 0.1, () => 1),
      null,
      null,
      "hann",
    ),
  ).toBeNull();
  const holes = column(100, 10, (t) => (t > 3 && t < 3.5 ? Number.NaN : Math.sin(2 * Math.PI * 5 * t)));
  expect(spectrumOf(holes, null, null, "hann")?.peaks[0]?.frequency_hz).toBeCloseTo(5, 0);
});
