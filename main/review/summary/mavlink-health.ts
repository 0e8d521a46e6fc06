import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { ARDUPILOT_VIBRATION_M_S2 } from "./ardupilot-health";
import { counterFindings, stretchFinding } from "./findings";
import { resetFindings, setpointFindings } from "./health-motion";
import { batteryFindings, sagFindings, saturationFindings } from "./health-power";
import { plain } from "./lanes";
import { PX4_VIBRATION_M_S2, stateAt } from "./px4-health";

const ARMED = 128;
const PX4_OFFBOARD = 6;
const SETPOINT = "SET_POSITION_TARGET_LOCAL_NED";
/** Vibration of VIBRATION.vibration_z is PX4's acceleration metric; its other two are of the gyroscope. */
const PX4_AXES = ["vibration_z"];
const ALL_AXES = ["vibration_x", "vibration_y", "vibration_z"];
const RATIOS = [
  ["ESTIMATOR_STATUS", "vel_ratio", "velocity"],
  ["ESTIMATOR_STATUS", "pos_horiz_ratio", "position"],
  ["ESTIMATOR_STATUS", "pos_vert_ratio", "height"],
  ["ESTIMATOR_STATUS", "mag_ratio", "compass"],
  ["EKF_STATUS_REPORT", "velocity_variance", "velocity"],
  ["EKF_STATUS_REPORT", "pos_horiz_variance", "position"],
  ["EKF_STATUS_REPORT", "pos_vert_variance", "height"],
  ["EKF_STATUS_REPORT", "compass_variance", "compass"],
] as const;
const FULL_PULSE_US = 1995;

/** Health of a flight as its telemetry tells it. */
export function mavlinkHealth(reader: LogReader, px4: boolean): ReviewFinding[] {
  const armed = stateAt(reader, "HEARTBEAT", "base_mode", (value) => (value & ARMED) !== 0);
  const offboard = stateAt(
    reader,
    "HEARTBEAT",
    "custom_mode",
    (value) => px4 && ((value >> 16) & 0xff) === PX4_OFFBOARD,
  );
  const setpoints = reader.topics.filter(({ name }) => name === SETPOINT || name.startsWith(`${SETPOINT}@`));
  return [
    ...batteryFindings(reader, "SYS_STATUS", "battery_remaining", 0.01),
    ...sagFindings(reader, "SYS_STATUS", "voltage_battery", unitScale(reader)),
    ...vibrationFindings(reader, px4),
    ...estimatorFindings(reader),
    ...saturationFindings(
      reader,
      "SERVO_OUTPUT_RAW",
      Array.from({ length: 8 }, (_, i) => ({
        field: `servo${i + 1}_raw`,
        full: FULL_PULSE_US,
        motor: i + 1,
      })),
      armed,
    ),
    ...resetFindings(reader, "ODOMETRY", [["reset_counter", "Position reset"]], armed, "estimate_reset"),
    ...resetFindings(
      reader,
      "VISION_POSITION_ESTIMATE",
      [["reset_counter", "Vision reset"]],
      () => true,
      "vision_reset",
    ),
    ...setpoints.flatMap(({ name }) =>
      setpointFindings(reader, { topic: name, fields: ["x", "y", "z"], flowing: offboard }),
    ),
  ];
}

/** Telemetry carries millivolts; a reader that turns them into volts says so in the unit. */
const unitScale = (reader: LogReader): number =>
  reader.column("SYS_STATUS", "voltage_battery", 10)?.unit === "V" ? 1 : 1e-3;

function vibrationFindings(reader: LogReader, px4: boolean): ReviewFinding[] {
  const limit = px4 ? PX4_VIBRATION_M_S2 : ARDUPILOT_VIBRATION_M_S2;
  return [
    ...(px4 ? PX4_AXES : ALL_AXES).flatMap((field) =>
      stretchFinding({
        reader,
        topic: "VIBRATION",
        field,
        rule: "vibration",
        limit,
        least_s: 0.5,
        say: (total_s, worst) => ({
          severity: worst > 2 * limit ? "warning" : "caution",
          title: "Vibration",
          detail: `${field} ${plain(worst)} m/s² at worst, above ${plain(limit)} for ${plain(total_s)} s`,
        }),
      }),
    ),
    ...[0, 1, 2].flatMap((i) =>
      counterFindings(reader, "VIBRATION", `clipping_${i}`, "clipping", (rise) => ({
        severity: rise > 100 ? "warning" : "caution",
        title: "Accelerometer clipping",
        detail: `${rise} samples (accelerometer ${i + 1})`,
      })),
    ),
  ];
}

/** Ratios above 1 make the estimator reject the sensor. */
function estimatorFindings(reader: LogReader): ReviewFinding[] {
  return RATIOS.flatMap(([topic, field, sensor]) =>
    stretchFinding({
      reader,
      topic,
      field,
      rule: "estimator_innovation",
      limit: 1,
      least_s: 0.5,
      say: (total_s, worst) => ({
        severity: "caution",
        title: "Estimator rejects a sensor",
        detail: `${sensor} innovation ${plain(worst)} times its gate, ${plain(total_s)} s in all`,
      }),
    }),
  );
}
