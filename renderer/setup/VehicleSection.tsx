import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { useVehicleStore } from "../stores/context";
import { Figure } from "./LinksSection";
import css from "./Setup.module.css";

/** What the vehicle says of itself, and everything that keeps it from arming, all at once. */
export function VehicleSection() {
  const vehicle = useVehicleStore((state) => state);
  if (!vehicle.connected) {
    return (
      <p className={css.note}>
        No vehicle answers. Open a link under Links; its checks and parameters will stand here.
      </p>
    );
  }
  const { received, count } = vehicle.parameters;
  return (
    <>
      <section className={css.box} aria-label="Identity">
        <dl className={css.figures}>
          <Figure name="type" value={vehicle.type} />
          <Figure name="firmware" value={`${vehicle.autopilot} ${vehicle.firmware ?? "version not known"}`} />
          <Figure name="source hash" value={vehicle.git_hash ?? "not told"} />
          <Figure
            name="system, component"
            value={`${vehicle.system_id ?? "–"}, ${vehicle.component_id ?? "–"}`}
          />
          <Figure name="parameters" value={`${received} of ${count ?? "an unknown number"}`} />
        </dl>
      </section>
      <section className={css.box} aria-label="Arming">
        <header className={css.boxHead}>
          <b>Arming</b>
          <span>{vehicle.arming.length === 0 ? "nothing blocks it" : `${vehicle.arming.length} open`}</span>
        </header>
        {vehicle.arming.map((issue) => (
          <div key={issue.id} className={css.issue} data-severity={issue.severity}>
            {issue.severity === "blocks" ? (
              <OctagonAlert size={15} role="img" aria-label="blocks arming" />
            ) : (
              <TriangleAlert size={15} role="img" aria-label="warning" />
            )}
            <div>
              <b>{issue.text}</b>
              <p>{issue.advice}</p>
            </div>
          </div>
        ))}
      </section>
      <section className={css.box} aria-label="Failsafes">
        <header className={css.boxHead}>
          <b>What the vehicle does by itself</b>
          <span>
            {vehicle.failsafes.length === 0 ? "its parameters are not read yet" : "from its parameters"}
          </span>
        </header>
        <ul className={css.failsafes}>
          {vehicle.failsafes.map(({ parameter, sentence, blocks }) => (
            <li key={parameter} data-health={blocks ? "bad" : "good"}>
              {blocks ? (
                <OctagonAlert size={14} role="img" aria-label="blocks arming" />
              ) : (
                <CircleCheck size={14} aria-hidden />
              )}
              {sentence} <span>{parameter}</span>
            </li>
          ))}
        </ul>
      </section>
      <section className={css.box} aria-label="Subsystems">
        <header className={css.boxHead}>
          <b>Subsystems</b>
        </header>
        <ul className={css.subsystems}>
          {vehicle.subsystems.map(({ name, health }) => (
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
      </section>
    </>
  );
}
