import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reviewDeps } from "../deps";
import { ReviewService } from "../service";

const golden = (name: string): string =>
  fileURLToPath(new URL(`../../../tests/golden/${name}`, import.meta.url));

const wanted = {
  "px4-1.18-hexa.ulg": ["Attitude", "Position", "Velocity", "Estimator", "Vibration", "Battery", "Actuators"],
  "ardupilot-4.7-hexa.bin": [
    "Attitude",
    "Position",
    "Velocity",
    "Estimator",
    "Vibration",
    "Battery",
    "Actuators",
  ],
  "px4-1.17-hexa.tlog": ["Attitude", "Position", "Velocity", "Estimator", "Battery", "Actuators"],
};

test.each(Object.entries(wanted))(
  "%s: every ready-made layout is there, and every line of it draws",
  async (name, titles) => {
    const service = new ReviewService({ ...reviewDeps, home: null });
    const review = await service.open(golden(name));
    if (typeof review === "string") throw new Error(review);
    const layouts = await service.answer("review.layouts", { id: review.id });
    if (!layouts.ok) throw new Error(layouts.reason);
    expect(layouts.value.map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
    for (const { plots } of layouts.value)
      for (const { lines } of plots)
        for (const { topic, field } of lines) {
          const series = review.view.series(topic, field, null, null, 100);
          expect([topic, field, (series?.t_s.length ?? 0) > 0]).toEqual([topic, field, true]);
        }
    service.close(review.id);
  },
);
