import { Check, OctagonAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { GateCheck } from "#contract/safety";
import { useSettingsStore } from "../stores/context";
import css from "./Checks.module.css";
import { measured, meterShare, splitChecks } from "./card";

const signs = {
  pass: { Icon: Check, word: "passed" },
  caution: { Icon: TriangleAlert, word: "caution" },
  fail: { Icon: OctagonAlert, word: "failed" },
} as const;

/** Every gate with its margin, worst first; what passed with room to spare is one click away. */
export function Checks({ checks }: { readonly checks: readonly GateCheck[] }) {
  const [all, setAll] = useState(false);
  const { shown, passed } = splitChecks(checks);
  return (
    <div className={css.checks}>
      <ul className={css.checkList} data-all={all || undefined}>
        {(all ? checks : shown).map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
      {passed.length > 0 && (
        <button type="button" className={css.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Fewer" : `${passed.length} more ${passed.length === 1 ? "check" : "checks"} passed`}
        </button>
      )}
    </div>
  );
}

function CheckRow({ check }: { readonly check: GateCheck }) {
  const units = useSettingsStore((settings) => settings.appearance.units);
  const { Icon, word } = signs[check.status];
  return (
    <li className={css.check} data-status={check.status} title={check.detail}>
      <Icon size={13} role="img" aria-label={word} />
      <span>
        {check.label}
        {check.status === "fail" && check.hard && <b> · hard limit</b>}
      </span>
      <span className={css.measured}>{measured(check, units)}</span>
      {check.needed !== null && (
        <div className={css.meter} aria-hidden>
          <i style={{ transform: `scaleX(${meterShare(check)})` }} />
        </div>
      )}
      {check.status !== "pass" && <p>{check.detail}</p>}
    </li>
  );
}
