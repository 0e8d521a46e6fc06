import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { counterFindings, stretchFinding } from "./findings";
import { resetFindings, setpointFindings } from "./health-motion";
import { batteryFindings, sagFindings, saturationFindings } from "./health-power";
import { plain } from "./lanes";
import { stateAt } from "./px4-health";

/** ArduPilot's documentation calls 30 m/s² the start of trouble and 60 certain trouble. */
export const ARDUPILOT_VIBRATION_M_S2 = 30;
const GUIDED = 4;
/** SERVOn_FUNCTION of Motor1 … Motor8 and Motor9 … Motor12. */
const motorOf = (fn: number): number | null =>
  fn >= 33 && fn <= 40 ? fn - 32 : fn >= 82 && fn <= 85 ? fn - 73 : null;

/** Health of an ArduPilot flight by rule. */
export function ardupilotHealth(reader: LogReader): ReviewFinding[] {
  const armed = stateAt(reader, "ARM", "ArmState", (value) => value > 0);
  const guided = stateAt(reader, "MODE", "ModeNum", (value) => value === GUIDED);
  return [
    ...batteryFindings(reader, "BAT", "RemPct", 0.01),
    ...sagFindings(reader, "BAT", "Volt", 1),
    ...vibrationFindings(reader),
    ...estimatorFindings(reader),
    ...saturationFindings(reader, "RCOU", motorOutputs(reader), armed),
    ...resetFindings(reader, "VISP", [["Rst", "Vision reset"]], () => true, "vision_reset"),
    ...resetFindings(reader, "VISO", [["Rst", "Vision reset"]], () => true, "vision_reset"),
    ...setpointFindings(reader, { topic: "GUIP", fields: ["pX", "pY", "pZ"], flowing: guided }),
  ];
}

/** The channels that drive motors, as the parameters say, with the pulse that is full throttle. */
function motorOutputs(reader: LogReader): { field: string; full: number; motor: number }[] {
  const value = (name: string): number | undefined => reader.parameters.find((p) => p.name === name)?.value;
  const full = (value("MOT_PWM_MAX") ?? 2000) - 5;
  return Array.from({ length: 14 }, (_, i) => i + 1).flatMap((channel) => {
    const fn = value(`SERVO${channel}_FUNCTION`);
    const motor = fn === undefined ? null : motorOf(fn);
    return motor === null ? [] : [{ field: `C${channel}`, full, motor }];
  });
}

function vibrationFindings(reader: LogReader): ReviewFinding[] {
  return reader.topics
    .filter(({ type }) => type === "VIBE")
    .flatMap(({ name }) => [
      ...["VibeX", "VibeY", "VibeZ"].flatMap((axis) =>
        stretchFinding({
          reader,
          topic: name,
          field: axis,
          rule: "vibration",
          limit: ARDUPILOT_VIBRATION_M_S2,
          least_s: 0.5,
          say: (total_s, worst) => ({
            severity: worst > 2 * ARDUPILOT_VIBRATION_M_S2 ? "warning" : "caution",
            title: "Vibration",
            detail: `${axis} ${plain(worst)} m/s² at worst, above ${ARDUPILOT_VIBRATION_M_S2} for ${plain(total_s)} s (${name})`,
          }),
        }),
      ),
      ...counterFindings(reader, name, "Clip", "clipping", (rise) => ({
        severity: rise > 100 ? "warning" : "caution",
        title: "Accelerometer clipping",
        detail: `${rise} samples (${name})`,
      })),
    ]);
}

const VARIANCES = { SV: "velocity", SP: "position", SH: "height", SM: "compass" };

/** XKF4: variances above 1 make the estimator reject the sensor. */
function estimatorFindings(reader: LogReader): ReviewFinding[] {
  return Object.entries(VARIANCES).flatMap(([field, sensor]) =>
    stretchFinding({
      reader,
      topic: "XKF4",
      field,
      rule: "estimator_innovation",
      limit: 1,
      bad: (value) => value >= 1,
      least_s: 0.5,
      say: (total_s, worst) => ({
        severity: "caution",
        title: "Estimator rejects a sensor",
        detail: `${sensor} variance ${plain(worst, 2)}, ${plain(total_s)} s in all`,
      }),
    }),
  );
}
