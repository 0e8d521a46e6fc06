import { ChartSpline } from "lucide-react";
import { useStore } from "zustand";
import { useStores } from "../../stores/context";
import { tell } from "../../stores/stores";
import { Button } from "../../ui/Button";
import { Nothing } from "../parts";
import { usePolled } from "../useStation";
import css from "./Inspector.module.css";
import { inspectorOf, most_plots, type PlottedField, plotKey } from "./store";
import type { MessageKey } from "./tree";

/** The newest values of one message, and which of them are plotted. */
export function Fields({ message }: { readonly message: MessageKey }) {
  const stores = useStores();
  const store = inspectorOf(stores);
  const plots = useStore(store, (state) => state.plots);
  const { system_id, component_id, name } = message;
  const { answer, problem } = usePolled("inspector.fields", { system_id, component_id, name }, 300);
  const toggle = async (plot: PlottedField): Promise<void> => {
    const question = { system_id, component_id, name, field: plot.field };
    if (plots.some((one) => plotKey(one) === plotKey(plot))) {
      await tell(stores, stores.bridge.request("inspector.unplot", question));
      store.setState({ plots: plots.filter((one) => plotKey(one) !== plotKey(plot)) });
      return;
    }
    if (await tell(stores, stores.bridge.request("inspector.plot", question)))
      store.setState({ plots: [...store.getState().plots, plot] });
  };
  return (
    <section className={css.fields} aria-label={`Fields of ${name}`}>
      <header className={css.component}>
        <h3>{name}</h3>
        <span>
          system {system_id} · component {component_id}
        </span>
      </header>
      {answer === null && <Nothing what={problem === "" ? "Asking for its fields" : problem} />}
      {answer?.ok === false && <Nothing what={answer.reason} />}
      {answer?.ok === true && (
        <table className={css.values}>
          <tbody>
            {answer.value.map((field) => {
              const plot = { ...message, field: field.name, unit: field.unit };
              const on = plots.some((one) => plotKey(one) === plotKey(plot));
              return (
                <tr key={field.name}>
                  <th scope="row">{field.name}</th>
                  <td data-selectable>{field.text}</td>
                  <td>{field.unit}</td>
                  <td>
                    {field.value !== null && (on || plots.length < most_plots) && (
                      <Button
                        size="small"
                        aria-pressed={on}
                        aria-label={`Plot ${field.name}`}
                        title={on ? "Close its plot" : "Plot it live"}
                        onClick={() => void toggle(plot)}
                      >
                        <ChartSpline size={13} aria-hidden />
                      </Button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
