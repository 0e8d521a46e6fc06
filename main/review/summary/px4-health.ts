import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { counterFindings, stretchFinding } from "./findings";
import { resetFindings, setpointFindings } from "./health-motion";
import { batteryFindings, sagFindings, saturationFindings } from "./health-power";
import { changesOf, hasTopic, plain } from "./lanes";

const ARMED = 2;
const NAV_OFFBOARD = 14;
/** Acceleration vibration above 4.905 m/s² (half of g) disturbs PX4's estimator (docs.px4.io, log analysis). */
export const PX4_VIBRATION_M_S2 = 4.905;

/** Health of a PX4 flight by rule. Field names are those of PX4's message files; older ones where they were renamed. */
export function px4Health(reader: LogReader): ReviewFinding[] {
  const armed = stateAt(reader, "vehicle_status", "arming_state", (value) => value === ARMED);
  const offboard = stateAt(reader, "vehicle_status", "nav_state", (value) => value === NAV_OFFBOARD);
  const voltage = ["voltage_v", "voltage_filtered_v"].find((f) => reader.column("battery_status", f, 10));
  return [
    ...batteryFindings(reader, "battery_status", "remaining", 1),
    ...sagFindings(reader, "battery_status", voltage ?? "voltage_v", 1),
    ...vibrationFindings(reader),
    ...estimatorFindings(reader),
    ...saturationFindings(
      reader,
      "actuator_motors",
      Array.from({ length: 12 }, (_, i) => ({ field: `control[${i}]`, full: 0.999, motor: i + 1 })),
      armed,
    ),
    ...resetFindings(reader, "vehicle_local_position", RESETS, armed, "estimate_reset"),
    ...resetFindings(reader, "vehicle_visual_odometry", VISION, () => true, "vision_reset"),
    ...setpointFindings(reader, {
      topic: "trajectory_setpoint",
      fields: ["position[0]", "position[1]", "position[2]"],
      flowing: offboard,
    }),
    ...linkFindings(reader),
  ];
}

const RESETS = [
  ["xy_reset_counter", "Position reset"],
  ["z_reset_counter", "Height reset"],
  ["heading_reset_counter", "Heading reset"],
] as const;
const VISION = [["reset_counter", "Vision reset"]] as const;

/** Whether a state held at a time; false before it was first told. */
export function stateAt(
  reader: LogReader,
  topic: string,
  field: string,
  is: (value: number) => boolean,
): (at_s: number) => boolean {
  const changes = changesOf(reader, topic, field);
  return (at_s) => {
    let value: number | null = null;
    for (const change of changes) {
      if (change.at_s > at_s) break;
      value = change.value;
    }
    return value !== null && is(value);
  };
}

function vibrationFindings(reader: LogReader): ReviewFinding[] {
  return reader.topics
    .filter(({ type }) => type === "vehicle_imu_status")
    .flatMap(({ name }) => [
      ...stretchFinding({
        reader,
        topic: name,
        field: "accel_vibration_metric",
        rule: "vibration",
        limit: PX4_VIBRATION_M_S2,
        least_s: 0.5,
        say: (total_s, worst) => ({
          severity: "caution",
          title: "Vibration",
          detail: `${plain(worst)} m/s² at worst, above ${plain(PX4_VIBRATION_M_S2)} for ${plain(total_s)} s (${name})`,
        }),
      }),
      ...["x", "y", "z"].flatMap((axis, i) =>
        counterFindings(reader, name, `accel_clipping[${i}]`, "clipping", (rise) => ({
          severity: rise > 100 ? "warning" : "caution",
          title: "Accelerometer clipping",
          detail: `${rise} samples on ${axis} (${name})`,
        })),
      ),
    ]);
}

const SENSORS: Readonly<Record<string, string>> = {
  pos: "position",
  vel: "velocity",
  hgt: "height",
  mag: "compass",
};

/** A test ratio above 1 means that the estimator rejects the sensor. */
function estimatorFindings(reader: LogReader): ReviewFinding[] {
  const topic = hasTopic(reader, "estimator_status") ? "estimator_status" : "ekf2_innovations";
  return Object.entries(SENSORS).flatMap(([sensor, name]) =>
    stretchFinding({
      reader,
      topic,
      field: `${sensor}_test_ratio`,
      rule: "estimator_innovation",
      limit: 1,
      least_s: 0.5,
      say: (total_s, worst) => ({
        severity: "caution",
        title: "Estimator rejects a sensor",
        detail: `${name} innovation ${plain(worst)} times its gate, ${plain(total_s)} s in all`,
      }),
    }),
  );
}

const LINKS = [
  ["gcs_connection_lost", "Ground station lost"],
  ["data_link_lost", "Ground station lost"],
  ["manual_control_signal_lost", "Radio lost"],
  ["rc_signal_lost", "Radio lost"],
] as const;

/** Links that were there and fell silent; one that never was is no gap. */
function linkFindings(reader: LogReader): ReviewFinding[] {
  return ["vehicle_status", "failsafe_flags"].flatMap((topic) =>
    LINKS.flatMap(([field, title]): ReviewFinding[] => {
      const changes = changesOf(reader, topic, field);
      return changes.flatMap(({ at_s, value }, i) => {
        if (i === 0 || value === 0) return [];
        const to_s = changes[i + 1]?.at_s ?? reader.duration_s;
        return [
          {
            at_s,
            severity: "warning" as const,
            title,
            detail: `for ${plain(to_s - at_s)} s, as the vehicle saw it`,
            rule: "link_gap",
            evidence: { topic, field, from_s: at_s, to_s, limit: null },
          },
        ];
      });
    }),
  );
}
