import { FolderOpen } from "lucide-react";
import { Tabs } from "radix-ui";
import { useEffect } from "react";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Panel";
import { Archive } from "./archive/Archive";
import type { Phase } from "./desk-state";
import { openAny } from "./files";
import { pick } from "./Header";
import { useDesk, useDeskState } from "./hooks";
import css from "./OpenScreen.module.css";
import { dateText, sizeText } from "./time";

/** Nothing open: what could be opened, and what went wrong with the last one. */
export function OpenScreen({ phase }: { readonly phase: Exclude<Phase, { kind: "open" }> }) {
  const desk = useDesk();
  const loading = phase.kind === "loading";
  useEffect(() => void desk.listFlights(), [desk]);
  return (
    <div className={css.screen}>
      <section className={css.lead} aria-label="Open a recording">
        <h1>Review</h1>
        <p>
          Opens Kingfisher flights and other MCAP files, PX4 ULog, ArduPilot DataFlash, telemetry logs, ROS 1
          and ROS 2 bags, Robomimic and LeRobot data sets, and review workspaces. Damaged and cut files are
          shown as far as they are good, and what is missing is said.
        </p>
        <div className={css.actions}>
          <Button tone="intent" size="large" disabled={loading} onClick={() => void pick(desk)}>
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
            <Button size="small" onClick={() => void openAny(desk, phase.path)}>
              Try again
            </Button>
          </div>
        )}
      </section>
      <Tabs.Root defaultValue="flights" className={css.tabs}>
        <Tabs.List aria-label="What can be opened">
          <Tabs.Trigger value="flights">Flights</Tabs.Trigger>
          <Tabs.Trigger value="archive">Archive</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="flights" className={css.both} tabIndex={-1}>
          <Flights disabled={loading} />
          <RecentFiles disabled={loading} />
        </Tabs.Content>
        <Tabs.Content value="archive" tabIndex={-1}>
          <Archive />
        </Tabs.Content>
      </Tabs.Root>
    </div>
  );
}

function Flights({ disabled }: { readonly disabled: boolean }) {
  const desk = useDesk();
  const flights = useDeskState((s) => s.flights);
  return (
    <Panel title="Flights on this machine" className={css.list} right={<span>{flights?.length ?? ""}</span>}>
      {flights === null && <p className={css.none}>Looking for flights …</p>}
      {flights !== null && flights.length === 0 && (
        <p className={css.none}>Lists every recorded flight. The first one appears after a flight in Fly.</p>
      )}
      {flights !== null && flights.length > 0 && (
        <ul className={css.entries}>
          {flights.map((f) => (
            <li key={f.path}>
              <button type="button" disabled={disabled} title={f.path} onClick={() => void desk.open(f.path)}>
                <b>{f.name}</b>
                <span>{dateText(f.modified_utc_ms)}</span>
                <span className={css.size}>{sizeText(f.size_bytes)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RecentFiles({ disabled }: { readonly disabled: boolean }) {
  const desk = useDesk();
  const recent = useDeskState((s) => s.recent);
  if (recent.length === 0) return null;
  const clear = async (): Promise<void> => {
    await desk.stores.bridge.request("review.recent_clear", {});
    await desk.listFlights();
  };
  return (
    <Panel
      title="Opened lately"
      className={css.list}
      right={
        <Button size="small" onClick={() => void clear()}>
          Clear
        </Button>
      }
    >
      <ul className={css.entries}>
        {recent.map((f) => (
          <li key={f.path}>
            <button
              type="button"
              disabled={disabled || !f.exists}
              title={f.path}
              onClick={() => void openAny(desk, f.path)}
            >
              <b>{f.title === "" ? nameOf(f.path) : f.title}</b>
              <span className={css.path}>{f.exists ? f.path : `gone: ${f.path}`}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const nameOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;
