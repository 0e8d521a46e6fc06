import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { useState } from "react";
import type { ArmingIssue } from "#contract/vehicle";
import { useSettingsStore, useStores, useVehicleStore } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { fixed, length, small_length } from "../../ui/format";
import { Box, Figure, Nothing, Word } from "../parts";
import css from "../Setup.module.css";
import { say } from "../useStation";
import { bySeverity, readiness } from "./order";

/** Everything that keeps the vehicle from arming, all at once, and what it would do by itself. */
export function ChecksSection() {
  const connected = useVehicleStore((vehicle) => vehicle.connected);
  if (!connected)
    return (
      <Nothing
        what="No vehicle answers. Its arming checks and failsafes will stand here."
        how="Open a link under Links."
      />
    );
  return (
    <div className={css.columns}>
      <div>
        <Arming />
        <Failsafes />
      </div>
      <div>
        <Subsystems />
        <Identity />
      </div>
    </div>
  );
}

function Arming() {
  const stores = useStores();
  const arming = useVehicleStore((vehicle) => vehicle.arming);
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const [busy, setBusy] = useState(false);
  const ready = readiness(arming, armed);
  const check = async (): Promise<void> => {
    setBusy(true);
    if (await tell(stores, stores.bridge.request("vehicle.check", {})))
      say(stores, "The vehicle checks itself now");
    setBusy(false);
  };
  return (
    <Box title="Arming" right={<Word tone={ready.tone}>{ready.text}</Word>}>
      {arming.length === 0 && (
        <p>The vehicle and this station have no objection. Arming itself is the pilot's, or a mission's.</p>
      )}
      <ul className={css.issues} aria-label="Arming checks">
        {bySeverity(arming).map((issue) => (
          <Issue key={issue.id} issue={issue} />
        ))}
      </ul>
      <div className={css.end}>
        <span className={css.note}>
          All reasons at once, from the vehicle's events and from this station.
        </span>
        <Button
          size="small"
          aria-disabled={busy || armed}
          onClick={() => {
            if (!busy && !armed) void check();
          }}
        >
          Check again
        </Button>
      </div>
    </Box>
  );
}

const Issue = ({ issue }: { readonly issue: ArmingIssue }) => (
  <li className={css.issue} data-severity={issue.severity}>
    {issue.severity === "blocks" ? (
      <OctagonAlert size={16} role="img" aria-label="blocks arming" />
    ) : (
      <TriangleAlert size={16} role="img" aria-label="warning" />
    )}
    <div>
      <b>{issue.text}</b>
      {issue.advice !== "" && <p>{issue.advice}</p>}
    </div>
  </li>
);

function Failsafes() {
  const failsafes = useVehicleStore((vehicle) => vehicle.failsafes);
  const ceiling_m = useSettingsStore((settings) => settings.limits.ceiling_m);
  const units = useSettingsStore((settings) => settings.appearance.units);
  const sorted = [...failsafes].sort((a, b) => Number(b.blocks) - Number(a.blocks));
  const blocking = failsafes.filter(({ blocks }) => blocks).length;
  return (
    <Box
      title="What the vehicle does by itself"
      right={
        blocking > 0 ? (
          <Word tone="warning">{blocking} would break the ceiling</Word>
        ) : failsafes.length === 0 ? (
          "not read yet"
        ) : (
          "from its parameters"
        )
      }
    >
      {failsafes.length === 0 && (
        <p className={css.note}>
          Its failsafe parameters are still being read. It cannot be armed from here before.
        </p>
      )}
      <ul className={css.failsafes}>
        {sorted.map(({ parameter, sentence, blocks }) => (
          <li key={parameter} data-health={blocks ? "bad" : "good"}>
            {blocks ? (
              <OctagonAlert size={15} role="img" aria-label="blocks arming" />
            ) : (
              <CircleCheck size={15} aria-hidden />
            )}
            <div>
              {sentence}
              <small>{parameter}</small>
            </div>
          </li>
        ))}
      </ul>
      {failsafes.length > 0 && (
        <p className={css.note}>
          The ceiling is {length(ceiling_m, units)} (Limits). A failsafe that climbs above it blocks arming.
        </p>
      )}
    </Box>
  );
}

function Subsystems() {
  const subsystems = useVehicleStore((vehicle) => vehicle.subsystems);
  const estimate = useVehicleStore((vehicle) => vehicle.estimate);
  const units = useSettingsStore((settings) => settings.appearance.units);
  return (
    <Box title="Subsystems" right={subsystems.length === 0 ? "none told" : undefined}>
      <ul className={css.subsystems}>
        {subsystems.map(({ name, health }) => (
          <li key={name} data-health={health}>
            {health === "good" ? (
              <CircleCheck size={14} aria-hidden />
            ) : (
              <TriangleAlert size={14} aria-hidden />
            )}
            {name} <span>{health === "unknown" ? "not known" : health}</span>
          </li>
        ))}
      </ul>
      <dl className={css.figures}>
        <Figure name="position from" value={estimate.source} />
        <Figure
          name="position health"
          value={estimate.health === "unknown" ? "not known" : estimate.health}
        />
        <Figure name="position, 1 sigma" value={small_length(estimate.horizontal_sigma_m, units)} />
        <Figure
          name="position rate"
          value={estimate.rate_hz === null ? "not known" : `${fixed(estimate.rate_hz, 0)} Hz`}
        />
      </dl>
    </Box>
  );
}

function Identity() {
  const vehicle = useVehicleStore((state) => state);
  return (
    <Box title="Identity">
      <dl className={css.figures}>
        <Figure name="type" value={vehicle.type} />
        <Figure name="firmware" value={`${vehicle.autopilot} ${vehicle.firmware ?? "version not known"}`} />
        <Figure name="source hash" value={vehicle.git_hash ?? "not told"} />
        <Figure
          name="system, component"
          value={`${vehicle.system_id ?? "–"}, ${vehicle.component_id ?? "–"}`}
        />
        <Figure
          name="parameters"
          value={`${vehicle.parameters.received} of ${vehicle.parameters.count ?? "an unknown number"}`}
        />
      </dl>
    </Box>
  );
}
