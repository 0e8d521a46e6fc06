import { type Check, condition } from "./check";

const details = {
  station: "The station has control",
  pilot: "The pilot has control; hand back first",
  vehicle_failsafe: "The vehicle's own failsafe took over; hand back first",
} as const;

export const modeOurs: Check = ({ context: { control } }) =>
  condition("mode_ours", "Control", control === "station", details[control]);
