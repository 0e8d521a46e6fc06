import { FolderOpen } from "lucide-react";
import { useEffect } from "react";
import { useSettingsStore } from "../stores/context";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Panel";
import type { Phase } from "./desk";
import { useDesk, useDeskState } from "./hooks";
import css from "./OpenScreen.module.css";
import { dateText } from "./time";

/** Nothing open: what could be opened, and what went wrong with the last one. */
export function OpenScreen({ phase }: { readonly phase: Exclude<Phase, { kind: "open" }> }) {
  const desk = useDesk();
  const flights = useDeskState((s) => s.flights);
  const recent = useSettingsStore((s) => s.recent_files);
  useEffect(() => void desk.listFlights(), [desk]);
  const loading = phase.kind === "loading";
  return (
    <div className={css.screen}>
      <section className={css.lead} aria-label="Open a recording">
        <h1>Review</h1>
        <p>
          Opens Kingfisher flights (.mcap), telemetry logs (.tlog), PX4 ULog (.ulg), ArduPilot DataFlash
          (.bin) and ROS bags (.bag). Damaged and cut files are shown as far as they are good, and what is
          missing is said.
        </p>
        <div className={css.actions}>
          <Button tone="intent" size="large" disabled={loading} onClick={() => void desk.pick()}>
            <FolderOpen size={17} aria-hidden /> Open a recording…
          </Button>
          <span className={css.or}>or drop a file anywhere here</span>
        </div>
        {loading && (
          <p className={css.loading} role="status">
            Reading {phase.path} …
          </p>
        )}
        {phase.kind === "error" && (
          <div className={css.error} role="alert">
            <strong>{nameOf(phase.path)} could not be opened</strong>
            <p>{phase.reason}</p>
            <Button size="small" onClick={() => void desk.open(phase.path)}>
              Try again
            </Button>
          </div>
        )}
      </section>
      <Panel
        title="Flights on this machine"
        className={css.list}
        right={<span>{flights?.length ?? ""}</span>}
      >
        {flights === null && <p className={css.none}>Looking for flights …</p>}
        {flights !== null && flights.length === 0 && (
          <p className={css.none}>
            Lists every recorded flight. The first one appears after a flight in Fly.
          </p>
        )}
        {flights !== null && flights.length > 0 && (
          <ul className={css.entries}>
            {flights.map((f) => (
              <li key={f.path}>
                <button
                  type="button"
                  disabled={loading}
                  title={f.path}
                  onClick={() => void desk.open(f.path)}
                >
                  <b>{f.name}</b>
                  <span>{dateText(f.modified_utc_ms)}</span>
                  <span className={css.size}>{sizeText(f.size_bytes)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {recent.length > 0 && (
        <Panel title="Opened lately" className={css.list}>
          <ul className={css.entries}>
            {recent.map((path) => (
              <li key={path}>
                <button type="button" disabled={loading} title={path} onClick={() => void desk.open(path)}>
                  <b>{nameOf(path)}</b>
                  <span className={css.path}>{path}</span>
                </button>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
