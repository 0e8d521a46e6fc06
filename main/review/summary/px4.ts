import type { ReviewFinding } from "#contract/review";
import type { LogReader } from "../reader";
import { batteryFindings, counterFindings, stretchFinding } from "./findings";
import { changesOf, hasTopic, lane, plain, type Seen, spansOf, told } from "./lanes";
import { messageFindings, messageMarks } from "./mavlink";
import { px4NavName, vehicleTypeName } from "./modes";
import { type Story, sortFindings } from "./story";
import { joinTrack, nedColumns, quatColumns } from "./track";

const ARMED = 2;

/** PX4's onboard logs. Field names are those of PX4's message files; older ones are tried where they were renamed. */
export function px4Story(reader: LogReader): Story {
  const end_s = reader.duration_s;
  const seen = (field: string, state: (value: number) => Omit<Seen, "at_s">): ReturnType<typeof spansOf> =>
    spansOf(
      changesOf(reader, "vehicle_status", field).map(({ at_s, value }) => ({ at_s, ...state(value) })),
      end_s,
    );
  const failsafe = seen("failsafe", (value) => ({ label: value > 0 ? "Failsafe" : "", tone: "warning" }));
  const airborne = spansOf(
    changesOf(reader, "vehicle_land_detected", "landed").map(
      ({ at_s, value }): Seen => ({ at_s, label: value > 0 ? "On ground" : "In flight", tone: "neutral" }),
    ),
    end_s,
  );
  const type = changesOf(reader, "vehicle_status", "system_type")[0]?.value ?? 0;
  const position = nedColumns(reader, "vehicle_local_position", ["x", "y", "z"]);
  return {
    title: `PX4 ${type === 0 ? "vehicle" : vehicleTypeName(type)}`,
    lanes: [
      lane(
        "mode",
        "Mode",
        seen("nav_state", (value) => ({ label: px4NavName(value), tone: "neutral" })),
      ),
      lane(
        "armed",
        "Armed",
        seen("arming_state", (value) =>
          value === ARMED ? { label: "Armed", tone: "intent" } : { label: "Disarmed", tone: "neutral" },
        ),
      ),
      lane("air", "In the air", airborne),
      lane("failsafe", "Failsafe", failsafe),
      lane("messages", "Messages", [], messageMarks(reader)),
    ],
    steps: [],
    messages: [],
    findings: sortFindings([
      ...failsafe.map(
        ({ from_s, to_s }): ReviewFinding => ({
          at_s: from_s,
          severity: "warning",
          title: "Failsafe",
          detail: `active for ${plain(to_s - from_s)} s`,
        }),
      ),
      ...batteryFindings(reader, "battery_status", "remaining", 1),
      ...vibrationFindings(reader),
      ...estimatorFindings(reader),
      ...motorFindings(reader),
      ...resetFindings(reader),
      ...messageFindings(reader),
    ]),
    track: position && joinTrack(position, quatColumns(reader, "vehicle_attitude", QUAT)),
    meta: { autopilot: "PX4", type: vehicleTypeName(type) },
  };
}

const QUAT = ["q[0]", "q[1]", "q[2]", "q[3]"];

/** Acceleration vibration above 4.905 m/s² (half of g) disturbs PX4's estimator (docs.px4.io, log analysis). */
const VIBRATION_M_S2 = 4.905;

function vibrationFindings(reader: LogReader): ReviewFinding[] {
  return reader.topics
    .filter(({ type }) => type === "vehicle_imu_status")
    .flatMap(({ name }) => [
      ...stretchFinding(
        told(reader, name, "accel_vibration_metric"),
        (value) => value > VIBRATION_M_S2,
        0.5,
        (total_s, worst) => ({
          severity: "caution",
          title: "Vibration",
          detail: `${plain(worst)} m/s² at worst, above ${plain(VIBRATION_M_S2)} for ${plain(total_s)} s (${name})`,
        }),
      ),
      ...["x", "y", "z"].flatMap((axis, i) =>
        counterFindings(told(reader, name, `accel_clipping[${i}]`), (rise) => ({
          severity: rise > 100 ? "warning" : "caution",
          title: "Accelerometer clipping",
          detail: `${rise} samples on ${axis} (${name})`,
        })),
      ),
    ]);
}

/** A test ratio above 1 means that the estimator rejects the sensor. */
function estimatorFindings(reader: LogReader): ReviewFinding[] {
  const topic = hasTopic(reader, "estimator_status") ? "estimator_status" : "ekf2_innovations";
  return ["pos", "vel", "hgt", "mag"].flatMap((sensor) =>
    stretchFinding(
      told(reader, topic, `${sensor}_test_ratio`),
      (value) => value > 1,
      0.5,
      (total_s, worst) => ({
        severity: "caution",
        title: "Estimator rejects a sensor",
        detail: `${SENSORS[sensor] ?? sensor} innovation ${plain(worst)} times its gate, ${plain(total_s)} s in all`,
      }),
    ),
  );
}
const SENSORS: Readonly<Record<string, string>> = {
  pos: "position",
  vel: "velocity",
  hgt: "height",
  mag: "compass",
};

/** Motors at their limit leave nothing to steer with. */
function motorFindings(reader: LogReader): ReviewFinding[] {
  return Array.from({ length: 12 }, (_, i) => i).flatMap((i) =>
    stretchFinding(
      told(reader, "actuator_motors", `control[${i}]`),
      (value) => value >= 0.999,
      0.2,
      (total_s) => ({
        severity: total_s > 2 ? "warning" : "caution",
        title: `Motor ${i + 1} saturated`,
        detail: `at full output for ${plain(total_s)} s`,
      }),
    ),
  );
}

const RESETS = [
  ["xy_reset_counter", "Position reset"],
  ["z_reset_counter", "Height reset"],
  ["heading_reset_counter", "Heading reset"],
] as const;

/** Resets in the air; those while the estimator starts up on the ground are normal. */
function resetFindings(reader: LogReader): ReviewFinding[] {
  const armed = changesOf(reader, "vehicle_status", "arming_state");
  const armedAt = (at_s: number): boolean => armed.filter((a) => a.at_s <= at_s).at(-1)?.value === ARMED;
  return RESETS.flatMap(([field, title]) =>
    changesOf(reader, "vehicle_local_position", field)
      .slice(1)
      .filter(({ at_s }) => armedAt(at_s))
      .map(({ at_s, value }) => ({
        at_s,
        severity: "caution" as const,
        title,
        detail: `the estimate jumped while armed (reset ${value})`,
      })),
  );
}
