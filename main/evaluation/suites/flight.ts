import { gradeDisplacement, mostMoved_m } from "../displacement";
import { medianColumn, passedShare, plain, quantileFigure, share, spread, sumOf, valuesOf } from "../figures";
import {
  ended,
  endMeasures,
  endsAt,
  landsGently,
  onGroundDisarmed,
  staysUpright,
  touchesNothing,
} from "../predicates/flight";
import type { Suite, Trial } from "../suite";
import { drawMoves, isClimb, isTurn, type Mission, sentence } from "./missions";

const variants = ["take-off and landing", "moves", "turns", "climbs", "everything"] as const;
const duration = {
  key: "duration_s",
  of: (e: Parameters<Trial["measures"][number]["of"]>[0]) =>
    (e.flown.ended_at_ms - (e.flown.started_at_ms ?? 0)) / 1000,
};

const still: Mission = { words: [], leg: { ahead_m: 0, left_m: 0, up_m: 0, turn_rad: 0 } };

/** Take off, some moves, land: does the vehicle truly end where the words say? */
export const flightSuite: Suite = {
  name: "flight",
  title: "Flight",
  about:
    "Take off, moves, turns and climbs in words, land: where the vehicle truly ended, what it touched, how it landed.",
  variants,
  policies: ["rules"],
  trial_s: 25,
  trial: (variant, draw) => {
    const mission =
      variant === "moves"
        ? drawMoves(draw, 3, (m) => !isTurn(m) && !isClimb(m))
        : variant === "turns"
          ? drawMoves(draw, 3, (m) => isTurn(m) || m.ahead_m > 0)
          : variant === "climbs"
            ? drawMoves(draw, 3, isClimb)
            : variant === "everything"
              ? drawMoves(draw, 5)
              : still;
    // The ground ends all climbs and descents.
    const leg = { ...mission.leg, up_m: 0 };
    return {
      variant,
      scene: "office",
      scene_seed: draw.integer(1, 9999),
      catalogue: null,
      command: sentence(["take off", ...mission.words, "land"]),
      events: [],
      faults: null,
      limit_s: 180,
      predicates: [
        ended("success"),
        endsAt(leg),
        onGroundDisarmed,
        staysUpright(),
        landsGently(),
        touchesNothing,
      ],
      measures: [
        ...endMeasures(leg),
        duration,
        { key: "object_moved_m", of: mostMoved_m },
        { key: "false_alarms", of: (e) => gradeDisplacement(e).false_alarms.length },
      ],
    };
  },
  columns: [
    passedShare,
    medianColumn("position_error_m", "Position error, median", "m"),
    {
      figure: (r) =>
        quantileFigure(
          { key: "position_p95", label: "95 %", unit: "m" },
          0.95,
          valuesOf(r, "position_error_m"),
        ),
    },
    medianColumn("yaw_error_rad", "Yaw error, median", "rad"),
    medianColumn("duration_s", "Duration, median", "s"),
  ],
  figures: (results) => ({
    success: plain(
      share({ key: "success", label: "" }, results.filter((r) => r.passed).length, results.length),
    ),
    position_error_m: spread(results, "position_error_m", [
      ["median", 0.5],
      ["p95", 0.95],
    ]),
    yaw_error_rad: spread(results, "yaw_error_rad", [
      ["median", 0.5],
      ["p95", 0.95],
    ]),
    false_alarms: sumOf(results, "false_alarms"),
    duration_s: spread(results, "duration_s", [
      ["median", 0.5],
      ["p95", 0.95],
    ]),
  }),
  published: [],
};
