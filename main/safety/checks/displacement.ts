import { score_caution, score_stop } from "../s-safe";
import { type Check, measured, unmeasured } from "./check";

const label = "S_safe";

/** No move starts while something that must stay put has moved. */
export const displacementCalm: Check = ({ context: { safety } }) => {
  if (safety.level === "stop")
    return {
      ...measured({
        id: "displacement",
        label,
        value: safety.score ?? NaN,
        needed: score_stop,
        unit: "",
        sense: "at_least",
        detail: "",
      }),
      status: "fail",
      detail: `${safety.worst ?? "An object"} has moved ${(safety.worst_displacement_m * 100).toFixed(0)} cm`,
    };
  if (safety.score === null || safety.level === "unknown")
    return unmeasured("displacement", label, "No object is being watched", "caution");
  const finding = measured({
    id: "displacement",
    label,
    value: safety.score,
    needed: score_stop,
    unit: "",
    sense: "at_least",
    thin: score_caution / score_stop - 1,
    detail: `${safety.seen.toString()} of ${safety.total.toString()} objects in sight, worst score ${safety.score.toFixed(0)}`,
  });
  return safety.level === "caution" && finding.status === "pass"
    ? { ...finding, status: "caution" }
    : finding;
};
