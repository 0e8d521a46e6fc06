import { type Check, measured, unmeasured } from "./check";

const label = "Sight";

/**
 * Whether the vehicle can see now. The proposal itself may be older (people take time to decide): what it would do is
 * planned and judged anew, and that needs live sight, not the picture the policy saw.
 */
export const observationFresh: Check = ({ context: { observation, limits, simulation }, now_ms }) => {
  if (observation.camera === "none")
    return unmeasured("observation_fresh", label, "No camera is connected", simulation ? "caution" : "fail");
  if (observation.captured_at_ms === null)
    return unmeasured("observation_fresh", label, "No picture from the camera yet");
  if (observation.depth_at_ms === null)
    return unmeasured("observation_fresh", label, "No depth from the camera yet");
  // Without depth nothing is localised and nothing is watched: a picture without it is not sight.
  const blind =
    observation.depth_at_ms !== undefined && !(observation.depth_at_ms >= observation.captured_at_ms);
  const age_ms = now_ms - (blind ? observation.depth_at_ms : observation.captured_at_ms);
  return measured({
    id: "observation_fresh",
    label,
    value: age_ms,
    needed: limits.observation_age_max_ms,
    unit: "ms",
    sense: "at_most",
    detail: `Newest ${blind ? "depth" : "picture"} ${Math.round(age_ms).toString()} ms old`,
  });
};
