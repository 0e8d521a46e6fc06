import type { PlotLayout } from "#contract/review-workspace";
import { angleError, caution, layout, plot, warning } from "./spec";

const local = "LOCAL_POSITION_NED";
const wish = "POSITION_TARGET_LOCAL_NED";
const xyz = ["x", "y", "z"] as const;
const names = { x: "North (x)", y: "East (y)", z: "Down (z)" } as const;
const motors = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const angle = (name: "roll" | "pitch" | "yaw"): ReturnType<typeof plot> =>
  plot(`${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`, [
    ["=", `deg({ATTITUDE.${name}})`, name],
    ["ATTITUDE_TARGET", `q.${name}_deg`, "target", "commanded"],
  ]);

/** Telemetry of any MAVLink vehicle. */
export const mavlinkLayouts: readonly PlotLayout[] = [
  layout("tlog-attitude", "Attitude", [
    angle("roll"),
    angle("pitch"),
    angle("yaw"),
    plot("Error against target", [
      ["=", `wrap_deg(deg({ATTITUDE.roll}) - {ATTITUDE_TARGET.q.roll_deg})`, "roll"],
      ["=", `wrap_deg(deg({ATTITUDE.pitch}) - {ATTITUDE_TARGET.q.pitch_deg})`, "pitch"],
    ]),
    plot("Rates", [
      ["ATTITUDE", "rollspeed", "roll rate"],
      ["ATTITUDE", "pitchspeed", "pitch rate"],
      ["ATTITUDE", "yawspeed", "yaw rate"],
    ]),
  ]),
  layout("tlog-position", "Position", [
    ...xyz.map((axis) =>
      plot(names[axis], [
        [local, axis, axis],
        [wish, axis, "target", "commanded"],
      ]),
    ),
    plot("Distance from the target", [
      [
        "=",
        `hypot(hypot({${local}.x} - {${wish}.x}, {${local}.y} - {${wish}.y}), {${local}.z} - {${wish}.z})`,
        "error",
      ],
    ]),
  ]),
  layout(
    "tlog-velocity",
    "Velocity",
    xyz.map((axis) =>
      plot(`v${axis}`, [
        [local, `v${axis}`, `v${axis}`],
        [wish, `v${axis}`, "target", "commanded"],
      ]),
    ),
  ),
  layout("tlog-estimator", "Estimator", [
    plot(
      "Innovation ratios",
      [
        ["ESTIMATOR_STATUS", "vel_ratio", "velocity"],
        ["ESTIMATOR_STATUS", "pos_horiz_ratio", "position"],
        ["ESTIMATOR_STATUS", "pos_vert_ratio", "height"],
        ["ESTIMATOR_STATUS", "mag_ratio", "compass"],
        ["EKF_STATUS_REPORT", "velocity_variance", "velocity"],
        ["EKF_STATUS_REPORT", "pos_horiz_variance", "position"],
        ["EKF_STATUS_REPORT", "pos_vert_variance", "height"],
        ["EKF_STATUS_REPORT", "compass_variance", "compass"],
      ],
      { limits: [warning(1)] },
    ),
  ]),
  layout("tlog-vibration", "Vibration", [
    plot(
      "Vibration",
      xyz.map((axis) => ["VIBRATION", `vibration_${axis}`, axis] as const),
    ),
    plot(
      "Clipping",
      [0, 1, 2].map((i) => ["VIBRATION", `clipping_${i}`, `accelerometer ${i + 1}`] as const),
    ),
  ]),
  layout("tlog-battery", "Battery", [
    plot("Voltage", [["SYS_STATUS", "voltage_battery", "voltage"]]),
    plot("Current", [["SYS_STATUS", "current_battery", "current"]]),
    plot(
      "Remaining",
      [
        ["BATTERY_STATUS", "battery_remaining", "remaining"],
        ["SYS_STATUS", "battery_remaining", "remaining"],
      ],
      { scale: [0, 100], limits: [caution(30), warning(15)] },
    ),
  ]),
  layout("tlog-actuators", "Actuators", [
    plot(
      "Outputs",
      motors.map((n) => ["SERVO_OUTPUT_RAW", `servo${n}_raw`, `M${n}`] as const),
    ),
    plot("Thrust", [["ATTITUDE_TARGET", "thrust", "thrust target", "commanded"]]),
  ]),
  layout("tlog-vision", "Vision", [
    plot(
      "Vision position",
      xyz.map((axis) => ["VISION_POSITION_ESTIMATE", axis, axis] as const),
    ),
    plot(
      "Odometry",
      xyz.map((axis) => ["ODOMETRY", axis, axis] as const),
    ),
    plot("Resets", [
      ["VISION_POSITION_ESTIMATE", "reset_counter", "vision"],
      ["ODOMETRY", "reset_counter", "odometry"],
    ]),
  ]),
];

const att = (name: string): ReturnType<typeof plot> =>
  plot(name, [
    ["ATT", name, name.toLowerCase()],
    ["ATT", `Des${name}`, "desired", "commanded"],
  ]);
const axis = (title: string, topic: string, letter: string): ReturnType<typeof plot> =>
  plot(title, [
    [topic, `P${letter}`, "position"],
    [topic, `TP${letter}`, "target", "commanded"],
  ]);
const pace = (title: string, topic: string, letter: string): ReturnType<typeof plot> =>
  plot(title, [
    [topic, `V${letter}`, "velocity"],
    [topic, `TV${letter}`, "target", "commanded"],
  ]);
const vibe = ["VibeX", "VibeY", "VibeZ"] as const;

/** ArduPilot's onboard logs (DataFlash). */
export const ardupilotLayouts: readonly PlotLayout[] = [
  layout("dataflash-attitude", "Attitude", [
    att("Roll"),
    att("Pitch"),
    att("Yaw"),
    plot("Error against desired", [
      ["=", angleError("ATT.Roll", "ATT.DesRoll"), "roll"],
      ["=", angleError("ATT.Pitch", "ATT.DesPitch"), "pitch"],
      ["=", angleError("ATT.Yaw", "ATT.DesYaw"), "yaw"],
    ]),
  ]),
  layout("dataflash-rates", "Rates", [
    ...(["R", "P", "Y"] as const).map((r) =>
      plot(`${{ R: "Roll", P: "Pitch", Y: "Yaw" }[r]} rate`, [
        ["RATE", r, "rate"],
        ["RATE", `${r}Des`, "desired", "commanded"],
      ]),
    ),
  ]),
  layout("dataflash-position", "Position", [
    axis("North", "PSCN", "N"),
    axis("East", "PSCE", "E"),
    axis("Down", "PSCD", "D"),
    plot("Height", [
      ["CTUN", "Alt", "height"],
      ["CTUN", "DAlt", "desired", "commanded"],
    ]),
  ]),
  layout("dataflash-velocity", "Velocity", [
    pace("North", "PSCN", "N"),
    pace("East", "PSCE", "E"),
    pace("Down", "PSCD", "D"),
  ]),
  layout("dataflash-estimator", "Estimator", [
    plot(
      "Innovation variances",
      [
        ["XKF4", "SV", "velocity"],
        ["XKF4", "SP", "position"],
        ["XKF4", "SH", "height"],
        ["XKF4", "SM", "compass"],
      ],
      { limits: [warning(1)] },
    ),
    plot("Innovations", [
      ["XKF3", "IVN", "velocity north"],
      ["XKF3", "IVE", "velocity east"],
      ["XKF3", "IPN", "position north"],
      ["XKF3", "IPE", "position east"],
    ]),
  ]),
  layout("dataflash-vibration", "Vibration", [
    plot(
      "Vibration",
      vibe.map((f) => ["VIBE", f, f] as const),
      { limits: [caution(30), warning(60)] },
    ),
    plot("Clipping", [["VIBE", "Clip", "samples"]]),
    plot("Vibration (RMS of 0.5 s)", [
      ["=", "vibration({IMU.AccX})", "x"],
      ["=", "vibration({IMU.AccY})", "y"],
      ["=", "vibration({IMU.AccZ})", "z"],
    ]),
  ]),
  layout("dataflash-battery", "Battery", [
    plot("Voltage", [
      ["BAT", "Volt", "voltage"],
      ["BAT", "VoltR", "at rest"],
    ]),
    plot("Current", [["BAT", "Curr", "current"]]),
    plot("Remaining", [["BAT", "RemPct", "remaining"]], {
      scale: [0, 100],
      limits: [caution(30), warning(15)],
    }),
  ]),
  layout("dataflash-actuators", "Actuators", [
    plot(
      "Outputs",
      motors.map((n) => ["RCOU", `C${n}`, `${n}`] as const),
    ),
    plot("Throttle", [["CTUN", "ThO", "throttle"]]),
  ]),
  layout("dataflash-vision", "Vision", [
    plot("Vision position", [
      ["VISP", "PX", "x"],
      ["VISP", "PY", "y"],
      ["VISP", "PZ", "z"],
    ]),
    plot("Vision resets", [["VISP", "Rst", "resets"]]),
  ]),
];
