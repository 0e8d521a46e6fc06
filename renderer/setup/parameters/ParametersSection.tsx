import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import { useLinkStore, useStores } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { Toggle } from "../../ui/Toggle";
import { Advice, Nothing, Progress, Word } from "../parts";
import { pickPath, say } from "../useStation";
import { Compare } from "./Compare";
import { ParameterEditor } from "./ParameterEditor";
import css from "./Parameters.module.css";
import { ParameterTable } from "./ParameterTable";
import { everything, filterRows, groupsOf } from "./rows";
import { followParameters, parametersOf, rowsOf } from "./store";
import { awaitingRestart } from "./writes";

/** Every parameter of the vehicle: found, understood, compared and written. */
export function ParametersSection() {
  const stores = useStores();
  const store = parametersOf(stores);
  useEffect(() => followParameters(stores), [stores]);
  const rows = useStore(store, rowsOf);
  const list = useStore(store, (state) => state.list);
  const comparison = useStore(store, (state) => state.comparison);
  if (rows.length === 0)
    return (
      <div className={css.parameters}>
        <Download />
        <Nothing
          what={
            list.state === "failed"
              ? list.reason
              : "The vehicle's parameters will stand here, with their names, values and descriptions."
          }
        />
      </div>
    );
  return (
    <div className={css.parameters}>
      <Download />
      <Restart />
      {comparison === null ? <Browse /> : <Compare comparison={comparison} />}
    </div>
  );
}

function Browse() {
  const stores = useStores();
  const store = parametersOf(stores);
  const rows = useStore(store, rowsOf);
  const { filter, chosen, writes } = useStore(store);
  const field = useRef<HTMLInputElement | HTMLSelectElement | null>(null);
  const shown = useMemo(() => filterRows(rows, filter), [rows, filter]);
  const row = rows.find(({ name }) => name === chosen);
  return (
    <>
      <Tools shown={shown.length} />
      <div className={css.body}>
        {shown.length === 0 ? (
          <Nothing
            what="No parameter holds these words."
            how={
              <Button size="small" onClick={() => store.setState({ filter: everything })}>
                Show all {rows.length}
              </Button>
            }
          />
        ) : (
          <ParameterTable
            rows={shown}
            chosen={chosen}
            writes={writes}
            onChoose={(name) => store.setState({ chosen: name })}
            onOpen={() => field.current?.focus()}
          />
        )}
        {row === undefined ? (
          <div className={css.editor}>
            <p className={css.quiet}>Choose a parameter to read what it does and to change it.</p>
          </div>
        ) : (
          <ParameterEditor key={row.name} row={row} write={writes[row.name]} field={field} />
        )}
      </div>
    </>
  );
}

function Tools({ shown }: { readonly shown: number }) {
  const stores = useStores();
  const store = parametersOf(stores);
  const rows = useStore(store, rowsOf);
  const filter = useStore(store, (state) => state.filter);
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const narrow = (part: Partial<typeof filter>): void => store.setState({ filter: { ...filter, ...part } });
  const compare = async (): Promise<void> => {
    const path = await pickPath(stores, {
      kind: "open",
      title: "Compare with a parameter file",
      extension: "params",
    });
    if (path === null) return;
    const answer = await stores.bridge.request("parameters.compare", { path });
    if (answer.ok) store.setState({ comparison: { path, differences: answer.value } });
    else await tell(stores, Promise.resolve(answer));
  };
  const save = async (): Promise<void> => {
    const path = await pickPath(stores, {
      kind: "save",
      title: "Save the parameters",
      extension: "params",
      suggested: "vehicle.params",
    });
    if (path === null) return;
    if (await tell(stores, stores.bridge.request("parameters.export", { path })))
      say(stores, `Saved to ${path}`);
  };
  return (
    <div className={css.tools}>
      <input
        type="search"
        aria-label="Search parameters"
        placeholder="Search names and descriptions"
        value={filter.text}
        spellCheck={false}
        onChange={(event) => narrow({ text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") narrow({ text: "" });
        }}
      />
      <select
        aria-label="Group"
        value={filter.group}
        onChange={(event) => narrow({ group: event.target.value })}
      >
        <option value="">All groups</option>
        {groups.map(({ name, count }) => (
          <option key={name} value={name}>
            {name} ({count})
          </option>
        ))}
      </select>
      <Toggle on={filter.modified} label="only changed" onChange={(modified) => narrow({ modified })} />
      <span className={css.count} role="status">
        {shown === rows.length ? `${rows.length} parameters` : `${shown} of ${rows.length}`}
      </span>
      <Button size="small" onClick={() => void compare()}>
        Compare with a file
      </Button>
      <Button size="small" onClick={() => void save()}>
        Save to a file
      </Button>
      <Button size="small" onClick={() => void tell(stores, stores.bridge.request("parameters.refresh", {}))}>
        Read again
      </Button>
    </div>
  );
}

/** How the list came to be here, and what is missing from it. */
function Download() {
  const stores = useStores();
  const status = useLinkStore((link) => link.parameters);
  const { state, received, count, missing, cached, metadata } = status;
  const again = (
    <Button size="small" onClick={() => void tell(stores, stores.bridge.request("parameters.refresh", {}))}>
      Read again
    </Button>
  );
  if (state === "downloading")
    return (
      <div className={css.status}>
        <Word tone="waiting">
          Reading {received} of {count ?? "an unknown number"}
        </Word>
        <Progress label="Parameters read" share={count === null || count === 0 ? null : received / count} />
      </div>
    );
  if (state === "failed" || state === "incomplete")
    return (
      <Advice tone={state === "failed" ? "warning" : "caution"}>
        {status.detail === ""
          ? `${missing.length} of ${count ?? "?"} parameters never came: a limit may be missing from this list.`
          : status.detail}{" "}
        {again}
      </Advice>
    );
  if (state === "none") return null;
  return (
    <p className={css.quiet}>
      {cached ? "Kept from the last connection: the vehicle's hash is the same." : "Read from the vehicle."}{" "}
      {descriptions(metadata)} Values are in the vehicle's own units.
    </p>
  );
}

function descriptions(metadata: {
  readonly state: string;
  readonly described: number;
  readonly detail: string;
}): string {
  if (metadata.state === "reading") return "Descriptions are on their way.";
  if (metadata.state === "failed") return `No descriptions: ${metadata.detail}`;
  return metadata.described === 0 ? "The vehicle gave no descriptions." : `${metadata.described} described.`;
}

function Restart() {
  const stores = useStores();
  const store = parametersOf(stores);
  const rows = useStore(store, rowsOf);
  const writes = useStore(store, (state) => state.writes);
  const waiting = awaitingRestart(
    writes,
    (name) => rows.find((row) => row.name === name)?.reboot_required === true,
  );
  if (waiting.length === 0) return null;
  return (
    <Advice>
      {waiting.join(", ")}: {waiting.length === 1 ? "takes" : "take"} effect after the vehicle has been
      restarted.
    </Advice>
  );
}
