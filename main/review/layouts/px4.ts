import type { PlotLayout } from "#contract/review-workspace";
import { angleError, caution, layout, plot, warning } from "./spec";

const local = "vehicle_local_position";
const wish = "vehicle_local_position_setpoint";
const xyz = ["x", "y", "z"] as const;
const names = { x: "North (x)", y: "East (y)", z: "Down (z)" } as const;
const three = [0, 1, 2] as const;
const motors = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const angle = (name: "roll" | "pitch" | "yaw"): ReturnType<typeof plot> =>
  plot(`${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`, [
    ["vehicle_attitude", `q.${name}_deg`, name],
    ["vehicle_attitude_setpoint", `q_d.${name}_deg`, "setpoint", "commanded"],
  ]);

/** PX4's onboard logs (ULog). */
export const px4Layouts: readonly PlotLayout[] = [
  layout("ulog-attitude", "Attitude", [
    angle("roll"),
    angle("pitch"),
    angle("yaw"),
    plot("Error against setpoint", [
      ["=", angleError("vehicle_attitude.q.roll_deg", "vehicle_attitude_setpoint.q_d.roll_deg"), "roll"],
      ["=", angleError("vehicle_attitude.q.pitch_deg", "vehicle_attitude_setpoint.q_d.pitch_deg"), "pitch"],
    ]),
  ]),
  layout("ulog-rates", "Rates", [
    ...(["roll", "pitch", "yaw"] as const).map((name, i) =>
      plot(`${name} rate`, [
        ["vehicle_angular_velocity", `xyz[${i}]`, name],
        ["vehicle_rates_setpoint", name, "setpoint", "commanded"],
      ]),
    ),
  ]),
  layout("ulog-position", "Position", [
    ...xyz.map((axis) =>
      plot(names[axis], [
        [local, axis, axis],
        [wish, axis, "setpoint", "commanded"],
        ["vehicle_local_position_groundtruth", axis, "truth"],
      ]),
    ),
    plot("Distance from the setpoint", [
      [
        "=",
        `hypot(hypot({${local}.x} - {${wish}.x}, {${local}.y} - {${wish}.y}), {${local}.z} - {${wish}.z})`,
        "error",
      ],
    ]),
  ]),
  layout(
    "ulog-velocity",
    "Velocity",
    xyz.map((axis) =>
      plot(`v${axis}`, [
        [local, `v${axis}`, `v${axis}`],
        [wish, `v${axis}`, "setpoint", "commanded"],
      ]),
    ),
  ),
  layout("ulog-estimator", "Estimator", [
    plot(
      "Innovation test ratios",
      ["pos", "vel", "hgt", "mag"].map((s) => ["estimator_status", `${s}_test_ratio`, s] as const),
      { limits: [warning(1)] },
    ),
    plot("Accuracy", [
      ["estimator_status", "pos_horiz_accuracy", "horizontal"],
      ["estimator_status", "pos_vert_accuracy", "vertical"],
    ]),
    plot("Resets", [
      [local, "xy_reset_counter", "position"],
      [local, "z_reset_counter", "height"],
      [local, "heading_reset_counter", "heading"],
    ]),
    plot("Error against the truth", [["=", `{${local}.z} - {vehicle_local_position_groundtruth.z}`, "down"]]),
  ]),
  layout("ulog-vibration", "Vibration", [
    plot(
      "Acceleration",
      three.map((i) => ["sensor_combined", `accelerometer_m_s2[${i}]`, xyz[i]] as const),
    ),
    plot(
      "Vibration (RMS of 0.5 s)",
      three.map((i) => ["=", `vibration({sensor_combined.accelerometer_m_s2[${i}]})`, xyz[i]] as const),
    ),
    plot("Vibration metric", [["vehicle_imu_status", "accel_vibration_metric", "acceleration"]], {
      limits: [caution(4.905)],
    }),
    plot(
      "Clipping",
      three.map((i) => ["vehicle_imu_status", `accel_clipping[${i}]`, xyz[i]] as const),
    ),
  ]),
  layout("ulog-battery", "Battery", [
    plot("Voltage", [["battery_status", "voltage_v", "voltage"]]),
    plot("Current", [["battery_status", "current_a", "current"]]),
    plot("Remaining", [["battery_status", "remaining", "remaining"]], {
      scale: [0, 1],
      limits: [caution(0.3), warning(0.15)],
    }),
    plot("Processor", [["cpuload", "load", "load"]]),
  ]),
  layout("ulog-actuators", "Actuators", [
    plot(
      "Motors",
      motors.map((i) => ["actuator_motors", `control[${i}]`, `M${i + 1}`] as const),
      { limits: [caution(1)] },
    ),
    plot(
      "Outputs",
      motors.map((i) => ["actuator_outputs", `output[${i}]`, `${i + 1}`] as const),
    ),
    plot("Thrust", [["vehicle_thrust_setpoint", "xyz[2]", "thrust (down)", "commanded"]]),
  ]),
  layout("ulog-vision", "Vision", [
    plot(
      "Vision position",
      three.map((i) => ["vehicle_visual_odometry", `position[${i}]`, xyz[i]] as const),
    ),
    plot("Vision resets", [["vehicle_visual_odometry", "reset_counter", "resets"]]),
    plot("Vision against estimate", [["=", `{vehicle_visual_odometry.position[2]} - {${local}.z}`, "down"]]),
    plot("Vision innovations", [
      ["estimator_innovation_test_ratios", "ev_hpos[0]", "position"],
      ["estimator_innovation_test_ratios", "ev_vpos", "height"],
      ["estimator_innovation_test_ratios", "heading", "heading"],
    ]),
  ]),
];
