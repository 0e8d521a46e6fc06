import { X } from "lucide-react";
import { useNow, useSettingsStore } from "../stores/context";
import { Button, Kbd } from "../ui/Button";
import { age, fixed, length, small_length } from "../ui/format";
import type { SeenObject } from "./scene/seen-objects";
import css from "./TwinPanel.module.css";

interface Props {
  readonly object: SeenObject;
  readonly onClose: () => void;
  readonly onFrame: () => void;
}

const stateWord = {
  settling: "settling, baseline not taken yet",
  seen: "seen in the newest frame",
  not_seen: "not seen",
  exempt: "target, may be moved",
} as const;

/** Everything that is known of one perceived object. */
export function ObjectRecord({ object: o, onClose, onFrame }: Props) {
  const units = useSettingsStore((s) => s.appearance.units);
  const now_ms = useNow(500);
  const [x, y, z] = o.position_enu_m;
  const m = (v: number): string => length(v, units);
  const rows: readonly (readonly [string, string])[] = [
    ["State", stateWord[o.state]],
    ["Last seen", `${age(now_ms - o.last_seen_at_ms)} ago`],
    ["Confidence", o.confidence === null ? "not tracked" : fixed(o.confidence, 2)],
    ["Position", `E ${m(x)}, N ${m(y)}, up ${m(z)}`],
    ["Size", o.size_m.map((v) => small_length(v, units, 0)).join(" × ")],
    ["Moved", o.baseline_enu_m === null ? "no baseline" : small_length(o.displacement_m, units)],
    ["Deadband", o.baseline_enu_m === null ? "–" : small_length(o.deadband_m, units)],
    ["Score", o.score === null ? "–" : fixed(o.score, 0)],
    ["Noise (1 σ)", o.sigma_m === null ? "–" : small_length(o.sigma_m, units)],
    ["Range", o.range_m === null ? "–" : m(o.range_m)],
  ];
  return (
    <aside className={css.record} aria-label={`Object ${o.label}`}>
      <header>
        <h3>{o.label}</h3>
        <Button size="small" onClick={onFrame}>
          Frame <Kbd>F</Kbd>
        </Button>
        <Button size="small" aria-label="Close the record" onClick={onClose}>
          <X size={14} aria-hidden />
        </Button>
      </header>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name} data-alarm={name === "Moved" || name === "Score" ? o.alarm : "none"}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
