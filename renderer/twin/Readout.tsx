import { useNow, useSettingsStore, useVehicleStore } from "../stores/context";
import { age, speed } from "../ui/format";
import { poseText } from "./scene/views";
import css from "./TwinPanel.module.css";

const stale_ms = 1500;

/** Position, heading and speed in words under the picture; says so when they are old. */
export function Readout() {
  const position = useVehicleStore((s) => s.position_enu_m);
  const velocity = useVehicleStore((s) => s.velocity_enu_m_s);
  const yaw = useVehicleStore((s) => s.yaw_enu_rad);
  const at_ms = useVehicleStore((s) => s.position_at_ms);
  const units = useSettingsStore((s) => s.appearance.units);
  const now_ms = useNow(250);
  if (position === null) return null;
  const old = at_ms === null || now_ms - at_ms > stale_ms;
  return (
    <div className={css.readout}>
      <span>{poseText(position, yaw, units)}</span>
      {velocity !== null && !old && <span>{speed(Math.hypot(...velocity), units)}</span>}
      {old && (
        <span className={css.stale}>
          ▲ last known, {at_ms === null ? "age unknown" : age(now_ms - at_ms)} old
        </span>
      )}
    </div>
  );
}
