import { useState } from "react";
import { useStore } from "zustand";
import { useStores, useVehicleStore } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { Advice, Nothing, Word } from "../parts";
import { say } from "../useStation";
import css from "./Parameters.module.css";
import { type Comparison, parametersOf, rowsOf } from "./store";
import { plainValue } from "./value";

type Outcome =
  | { readonly state: "idle" | "writing" }
  | {
      readonly state: "done";
      readonly written: number;
      readonly failed: readonly { name: string; reason: string }[];
    };

/** The vehicle beside a file: only what differs, and which of the file's values are to be written. */
export function Compare({ comparison }: { readonly comparison: Comparison }) {
  const stores = useStores();
  const store = parametersOf(stores);
  const armed = useVehicleStore((vehicle) => vehicle.armed);
  const rows = useStore(store, rowsOf);
  const { path, differences } = comparison;
  const loadable = differences.filter(({ vehicle, file }) => vehicle !== null && file !== null);
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const [outcome, setOutcome] = useState<Outcome>({ state: "idle" });
  const close = (): void => store.setState({ comparison: null });
  const kindOf = (name: string) => rows.find((row) => row.name === name) ?? plain;
  const shown = (name: string, value: number | null): string =>
    value === null ? "not there" : plainValue(value, kindOf(name));
  const load = async (): Promise<void> => {
    setOutcome({ state: "writing" });
    const answer = await stores.bridge
      .request("parameters.import", { path, names: [...wanted] })
      .catch(
        (cause: unknown) =>
          ({ ok: false, reason: cause instanceof Error ? cause.message : String(cause) }) as const,
      );
    if (!answer.ok) {
      setOutcome({ state: "idle" });
      await tell(stores, Promise.resolve(answer));
      return;
    }
    setOutcome({ state: "done", ...answer.value });
    const again = await stores.bridge.request("parameters.compare", { path });
    setWanted(new Set());
    if (again.ok) store.setState({ comparison: { path, differences: again.value } });
    if (answer.value.failed.length === 0)
      say(stores, `${answer.value.written} parameters written and read back`);
  };
  const toggle = (name: string): void => {
    const next = new Set(wanted);
    if (!next.delete(name)) next.add(name);
    setWanted(next);
  };
  return (
    <section className={css.compare} aria-label="Comparison with a file">
      <div className={css.tools}>
        <b data-selectable title={path}>
          {path.split(/[\\/]/).at(-1)}
        </b>
        <span className={css.count} role="status">
          {differences.length === 0 ? "equal to the vehicle" : `${differences.length} differ`}
        </span>
        {loadable.length > 0 && (
          <Button
            size="small"
            onClick={() =>
              setWanted(
                wanted.size === loadable.length ? new Set() : new Set(loadable.map(({ name }) => name)),
              )
            }
          >
            {wanted.size === loadable.length ? "Choose none" : `Choose all ${loadable.length}`}
          </Button>
        )}
        <Button
          size="small"
          tone={armed ? "caution" : "intent"}
          aria-disabled={wanted.size === 0 || outcome.state === "writing"}
          onClick={() => {
            if (wanted.size > 0 && outcome.state !== "writing") void load();
          }}
        >
          {outcome.state === "writing" ? "Writing" : `Write ${wanted.size} from the file`}
        </Button>
        <Button size="small" onClick={close}>
          Back to the list
        </Button>
      </div>
      {armed && <Advice>The vehicle is armed: values take effect in flight.</Advice>}
      {outcome.state === "done" && outcome.failed.length > 0 && (
        <Advice tone="warning">
          {outcome.written} written; not written:{" "}
          {outcome.failed.map(({ name, reason }) => `${name} (${reason})`).join("; ")}
        </Advice>
      )}
      {differences.length === 0 ? (
        <Nothing what="Every parameter of the file has the vehicle's value." />
      ) : (
        <div className={css.scroll}>
          <table className={css.differences}>
            <thead>
              <tr>
                <th scope="col">Write</th>
                <th scope="col">Parameter</th>
                <th scope="col">Vehicle</th>
                <th scope="col">File</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ name, vehicle, file }) => (
                <tr key={name}>
                  <td>
                    {vehicle !== null && file !== null && (
                      <input
                        type="checkbox"
                        aria-label={`Write ${name} from the file`}
                        checked={wanted.has(name)}
                        onChange={() => toggle(name)}
                      />
                    )}
                  </td>
                  <th scope="row">{name}</th>
                  <td>{shown(name, vehicle)}</td>
                  <td>{file === null ? <Word tone="quiet">not there</Word> : <b>{shown(name, file)}</b>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const plain = { type: "float", decimals: null } as const;
