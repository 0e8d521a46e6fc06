import type { ReviewTopic } from "#contract/review";
import { fillable, type Layout, type PlotSpec, plot } from "./plots";

const xyz = ["x", "y", "z"] as const;
const vehicle = "/kingfisher/vehicle";
const setpoint = "/kingfisher/setpoint";
const safe_limits = [
  { at: 90, tone: "caution" },
  { at: 70, tone: "warning" },
] as const;

const all: readonly Layout[] = [
  {
    id: "mission",
    title: "Mission",
    plots: [
      plot("Height", [
        [vehicle, "position_enu_m[2]", "up"],
        [setpoint, "position_enu_m[2]", "commanded", "commanded"],
      ]),
      plot("East, north", [
        [vehicle, "position_enu_m[0]", "east"],
        [vehicle, "position_enu_m[1]", "north"],
        [setpoint, "position_enu_m[0]", "east commanded", "commanded"],
        [setpoint, "position_enu_m[1]", "north commanded", "commanded"],
      ]),
      plot("S_safe", [["/kingfisher/s_safe", "score", "S_safe"]], { scale: [0, 104], limits: safe_limits }),
    ],
  },
  {
    id: "mission-motion",
    title: "Motion",
    plots: [
      plot("Velocity", [
        [vehicle, "velocity_enu_m_s[0]", "east"],
        [vehicle, "velocity_enu_m_s[1]", "north"],
        [vehicle, "velocity_enu_m_s[2]", "up"],
      ]),
      plot("Yaw", [
        [vehicle, "yaw_enu_rad", "yaw"],
        [setpoint, "yaw_enu_rad", "commanded", "commanded"],
      ]),
      plot("Battery", [[vehicle, "battery.voltage_v", "voltage"]]),
    ],
  },
  {
    id: "mission-safety",
    title: "Safety",
    plots: [
      plot("S_safe", [["/kingfisher/s_safe", "score", "S_safe"]], { scale: [0, 104], limits: safe_limits }),
      plot("Largest displacement", [["/kingfisher/s_safe", "worst_displacement_m", "worst"]]),
      plot("Objects", [
        ["/kingfisher/s_safe", "seen", "seen"],
        ["/kingfisher/s_safe", "total", "watched"],
      ]),
      plot("Camera", [
        ["/kingfisher/perception", "latency_ms", "latency"],
        ["/kingfisher/perception", "frames_per_s", "frames"],
      ]),
    ],
  },
  ...mavlinkLayouts(),
  ...ulogLayouts(),
  ...dataflashLayouts(),
];

function mavlinkLayouts(): readonly Layout[] {
  const position = (axis: string, label: string): PlotSpec =>
    plot(label, [
      ["LOCAL_POSITION_NED", axis, axis],
      ["POSITION_TARGET_LOCAL_NED", axis, `${axis} target`, "commanded"],
    ]);
  return [
    {
      id: "tlog-attitude",
      title: "Attitude",
      plots: [
        plot("Roll, pitch", [
          ["ATTITUDE", "roll", "roll"],
          ["ATTITUDE", "pitch", "pitch"],
        ]),
        plot("Yaw", [["ATTITUDE", "yaw", "yaw"]]),
        plot("Rates", [
          ["ATTITUDE", "rollspeed", "roll rate"],
          ["ATTITUDE", "pitchspeed", "pitch rate"],
          ["ATTITUDE", "yawspeed", "yaw rate"],
        ]),
      ],
    },
    {
      id: "tlog-position",
      title: "Position",
      plots: [position("x", "North (x)"), position("y", "East (y)"), position("z", "Down (z)")],
    },
    {
      id: "tlog-velocity",
      title: "Velocity",
      plots: xyz.map((axis) =>
        plot(`v${axis}`, [
          ["LOCAL_POSITION_NED", `v${axis}`, `v${axis}`],
          ["POSITION_TARGET_LOCAL_NED", `v${axis}`, "target", "commanded"],
        ]),
      ),
    },
    {
      id: "tlog-power",
      title: "Power and estimator",
      plots: [
        plot("Battery", [["BATTERY_STATUS", "battery_remaining", "remaining"]]),
        plot("Voltage", [["SYS_STATUS", "voltage_battery", "voltage"]]),
        plot("Estimator", [
          ["ESTIMATOR_STATUS", "vel_ratio", "velocity"],
          ["ESTIMATOR_STATUS", "pos_horiz_ratio", "position"],
          ["ESTIMATOR_STATUS", "pos_vert_ratio", "height"],
        ]),
        plot(
          "Vibration",
          xyz.map((a) => ["VIBRATION", `vibration_${a}`, a] as const),
        ),
      ],
    },
    {
      id: "tlog-actuators",
      title: "Actuators",
      plots: [
        plot(
          "Outputs",
          [1, 2, 3, 4, 5, 6].map((n) => ["SERVO_OUTPUT_RAW", `servo${n}_raw`, `M${n}`] as const),
        ),
        plot("Thrust", [["ATTITUDE_TARGET", "thrust", "thrust target", "commanded"]]),
      ],
    },
  ];
}

function ulogLayouts(): readonly Layout[] {
  const local = "vehicle_local_position";
  const wish = "vehicle_local_position_setpoint";
  return [
    {
      id: "ulog-attitude",
      title: "Attitude",
      plots: [
        plot(
          "Rates",
          xyz.map((a, i) => ["vehicle_angular_velocity", `xyz[${i}]`, a] as const),
        ),
        plot("Rate setpoints", [
          ["vehicle_rates_setpoint", "roll", "roll", "commanded"],
          ["vehicle_rates_setpoint", "pitch", "pitch", "commanded"],
          ["vehicle_rates_setpoint", "yaw", "yaw", "commanded"],
        ]),
        plot(
          "Quaternion",
          [0, 1, 2, 3].map((i) => ["vehicle_attitude", `q[${i}]`, `q${i}`] as const),
        ),
      ],
    },
    {
      id: "ulog-position",
      title: "Position",
      plots: xyz.map((a) =>
        plot(`Local ${a}`, [
          [local, a, a],
          [wish, a, "setpoint", "commanded"],
        ]),
      ),
    },
    {
      id: "ulog-velocity",
      title: "Velocity",
      plots: xyz.map((a) =>
        plot(`v${a}`, [
          [local, `v${a}`, `v${a}`],
          [wish, `v${a}`, "setpoint", "commanded"],
        ]),
      ),
    },
    {
      id: "ulog-actuators",
      title: "Actuators",
      plots: [
        plot(
          "Motors",
          [0, 1, 2, 3, 4, 5].map((i) => ["actuator_motors", `control[${i}]`, `M${i + 1}`] as const),
        ),
        plot(
          "Outputs",
          [0, 1, 2, 3, 4, 5].map((i) => ["actuator_outputs", `output[${i}]`, `${i + 1}`] as const),
        ),
      ],
    },
    {
      id: "ulog-vibration",
      title: "Vibration and power",
      plots: [
        plot(
          "Acceleration",
          [0, 1, 2].map((i) => ["sensor_combined", `accelerometer_m_s2[${i}]`, xyz[i] ?? ""] as const),
        ),
        plot("Battery", [["battery_status", "voltage_v", "voltage"]]),
        plot("Load", [["cpuload", "load", "load"]]),
      ],
    },
  ];
}

function dataflashLayouts(): readonly Layout[] {
  return [
    {
      id: "dataflash-attitude",
      title: "Attitude",
      plots: [
        plot("Roll", [
          ["ATT", "Roll", "roll"],
          ["ATT", "DesRoll", "desired", "commanded"],
        ]),
        plot("Pitch", [
          ["ATT", "Pitch", "pitch"],
          ["ATT", "DesPitch", "desired", "commanded"],
        ]),
        plot("Yaw", [
          ["ATT", "Yaw", "yaw"],
          ["ATT", "DesYaw", "desired", "commanded"],
        ]),
      ],
    },
    {
      id: "dataflash-height",
      title: "Height and vibration",
      plots: [
        plot("Height", [
          ["CTUN", "Alt", "height"],
          ["CTUN", "DAlt", "desired", "commanded"],
        ]),
        plot(
          "Vibration",
          ["VibeX", "VibeY", "VibeZ"].map((f) => ["VIBE", f, f] as const),
        ),
        plot("Battery", [["BAT", "Volt", "voltage"]]),
      ],
    },
  ];
}

/** The ready-made layouts this recording can fill, the most telling first. */
export const offered = (topics: readonly ReviewTopic[]): readonly Layout[] => fillable(all, topics);
