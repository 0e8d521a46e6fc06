import type { PlotLayout } from "#contract/review-workspace";
import { caution, layout, plot, warning } from "./spec";

const vehicle = "/kingfisher/vehicle";
const setpoint = "/kingfisher/setpoint";
const safety = "/kingfisher/s_safe";
const score = plot("S_safe", [[safety, "score", "S_safe"]], {
  scale: [0, 104],
  limits: [caution(90), warning(70)],
});
const error = (axis: number): string =>
  `{${vehicle}.position_enu_m[${axis}]} - {${setpoint}.position_enu_m[${axis}]}`;

/** Kingfisher's own flights. */
export const missionLayouts: readonly PlotLayout[] = [
  layout("mission", "Mission", [
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
    score,
  ]),
  layout("mission-motion", "Motion", [
    plot("Velocity", [
      [vehicle, "velocity_enu_m_s[0]", "east"],
      [vehicle, "velocity_enu_m_s[1]", "north"],
      [vehicle, "velocity_enu_m_s[2]", "up"],
    ]),
    plot("Roll, pitch", [
      [vehicle, "quat_flu_enu.roll_deg", "roll"],
      [vehicle, "quat_flu_enu.pitch_deg", "pitch"],
    ]),
    plot("Yaw", [
      [vehicle, "yaw_enu_rad", "yaw"],
      [setpoint, "yaw_enu_rad", "commanded", "commanded"],
    ]),
    plot("Distance from the setpoint", [
      ["=", `hypot(hypot(${error(0)}, ${error(1)}), ${error(2)})`, "error"],
    ]),
  ]),
  layout("mission-safety", "Safety", [
    score,
    plot("Largest displacement", [[safety, "worst_displacement_m", "worst"]], {
      limits: [caution(0.028), warning(0.05)],
    }),
    plot("Objects", [
      [safety, "seen", "seen"],
      [safety, "total", "watched"],
    ]),
    plot("Governor", [["/kingfisher/governor", "scale", "speed share"]], { scale: [0, 1.05] }),
  ]),
  layout("mission-vision", "Vision", [
    plot("Camera", [
      ["/kingfisher/perception", "latency_ms", "latency"],
      ["/kingfisher/perception", "frames_per_s", "frames"],
    ]),
    plot("Resets", [[vehicle, "reset_counter", "position resets"]]),
  ]),
  layout("mission-battery", "Battery", [
    plot("Voltage", [[vehicle, "battery.voltage_v", "voltage"]]),
    plot("Current", [[vehicle, "battery.current_a", "current"]]),
    plot("Remaining", [[vehicle, "battery.remaining", "remaining"]], {
      scale: [0, 1],
      limits: [caution(0.3), warning(0.15)],
    }),
  ]),
];
