import { type Check, measured, unmeasured } from "./check";

const label = "Battery";

export const battery: Check = ({ context: { vehicle, limits } }) => {
  const { remaining } = vehicle.battery;
  if (remaining === null) return unmeasured("battery", label, "The vehicle does not report its charge");
  return measured({
    id: "battery",
    label,
    value: remaining,
    needed: limits.battery_min,
    unit: "",
    sense: "at_least",
    thin: 0.15,
    detail: `${Math.round(remaining * 100).toString()} % left, needs ${Math.round(limits.battery_min * 100).toString()} %`,
  });
};
