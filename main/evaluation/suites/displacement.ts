import type { EvaluationFigure, TrialResult } from "#contract/evaluation";
import { gradeDisplacement } from "../displacement";
import { hourlyRate, passedShare, quantileFigure, share, spread, sumOf, valuesOf } from "../figures";
import { ended, staysUpright, touchesNothing } from "../predicates/flight";
import type { Measure, Predicate, Suite, Trial } from "../suite";

const variants = [
  "pushed, hovering",
  "pushed, flying about",
  "pushed, looking away and back",
  "nothing moves, hovering",
  "nothing moves, flying about",
  "nothing moves, looking away and back",
] as const;

/** What always stands on the table in front of the pad. */
const onTheTable = ["red_cup", "coke_can", "green_bottle", "banana", "orange", "cracker_box"] as const;

const hovering = "take off and hold for 25 seconds";
const flyingAbout =
  "take off, move left, move right, move right, move left, go up 30 cm and hold for 10 seconds";
/** A quarter turn away, to furniture that was not in sight before, and back. */
const lookingAway = "take off, hold for 5 seconds, turn left, turn right and hold for 8 seconds";

interface Way {
  readonly command: string;
  /** When things are pushed, seconds: before the turn away nothing would be new. */
  readonly push_s: readonly [number, number];
}
const ways: readonly (readonly [string, Way])[] = [
  ["hovering", { command: hovering, push_s: [14, 26] }],
  ["flying about", { command: flyingAbout, push_s: [14, 24] }],
  ["looking away and back", { command: lookingAway, push_s: [18, 36] }],
];

const told: Predicate = {
  id: "told in time what moved",
  judge: (evidence) => {
    const seen = gradeDisplacement(evidence).moves.filter((m) => m.in_view);
    const missed = seen.filter((m) => m.delay_ms === null).map((m) => m.name);
    const words = seen.map(
      (m) => `${m.name} ${m.delay_ms === null ? "not told" : `${String(m.delay_ms)} ms`}`,
    );
    return {
      passed: missed.length === 0,
      detail: words.length === 0 ? "nothing moved in view" : words.join(", "),
    };
  },
};

const noFalseAlarm: Predicate = {
  id: "no false alarm",
  judge: (evidence) => {
    const { false_alarms } = gradeDisplacement(evidence);
    return {
      passed: false_alarms.length === 0,
      detail: false_alarms.length === 0 ? "none" : false_alarms.join(", "),
    };
  },
};

const measures: readonly Measure[] = [
  { key: "moved", of: (e) => gradeDisplacement(e).moves.filter((m) => m.in_view).length },
  { key: "moved_out_of_view", of: (e) => gradeDisplacement(e).moves.filter((m) => !m.in_view).length },
  {
    key: "detected",
    of: (e) => gradeDisplacement(e).moves.filter((m) => m.in_view && m.delay_ms !== null).length,
  },
  {
    key: "delay_ms",
    of: (e) =>
      gradeDisplacement(e).moves.flatMap((m) => (m.in_view && m.delay_ms !== null ? [m.delay_ms] : [])),
  },
  { key: "false_alarms", of: (e) => gradeDisplacement(e).false_alarms.length },
  { key: "watched_s", of: (e) => gradeDisplacement(e).watched_s },
];

const detected = (r: readonly TrialResult[]): EvaluationFigure =>
  share({ key: "detected_share_5cm", label: "Told of 5 cm" }, sumOf(r, "detected"), sumOf(r, "moved"));
const alarms = (r: readonly TrialResult[]): EvaluationFigure =>
  hourlyRate(
    { key: "false_alarms_per_hour", label: "False alarms" },
    sumOf(r, "false_alarms"),
    sumOf(r, "watched_s"),
  );

/** Objects are pushed, or not: what does the displacement monitor say, and when? */
export const displacementSuite: Suite = {
  name: "displacement",
  title: "Displacement",
  about:
    "Objects are pushed by 10 cm while the vehicle hovers, flies about or looks away and back; in half of the trials nothing moves.",
  variants,
  policies: ["rules"],
  trial_s: 25,
  trial: (variant, draw): Trial => {
    const pushed = variant.startsWith("pushed");
    const way = ways.find(([words]) => variant.endsWith(words))?.[1];
    if (way === undefined) throw new Error(`Invariant: no way to fly for "${variant}"`);
    const at_s = draw.between(...way.push_s).toFixed(2);
    return {
      variant,
      scene: "office",
      scene_seed: draw.integer(1, 9999),
      catalogue: null,
      command: way.command,
      events: pushed ? [`push:${draw.pick(onTheTable)}@${at_s}`] : [],
      faults: null,
      limit_s: 120,
      predicates: [...(pushed ? [] : [ended("success")]), told, noFalseAlarm, staysUpright(), touchesNothing],
      measures,
    };
  },
  columns: [
    passedShare,
    { figure: detected },
    {
      figure: (r) =>
        quantileFigure(
          { key: "delay_p50", label: "Delay, median", unit: "ms" },
          0.5,
          valuesOf(r, "delay_ms"),
        ),
    },
    {
      figure: (r) =>
        quantileFigure({ key: "delay_p99", label: "99 %", unit: "ms" }, 0.99, valuesOf(r, "delay_ms")),
    },
    { figure: alarms },
  ],
  figures: (results) => ({
    detected_share_5cm: detected(results).value,
    delay_ms: spread(results, "delay_ms", [
      ["p50", 0.5],
      ["p99", 0.99],
    ]),
    false_alarms_per_hour: alarms(results).value,
    moved_in_view: sumOf(results, "moved"),
    moved_out_of_view: sumOf(results, "moved_out_of_view"),
    watched_s: sumOf(results, "watched_s"),
  }),
  published: [],
};
