import { useMemo } from "react";
import { useStore } from "zustand";
import { useNow, useStores } from "../../stores/context";
import { age, byteRate, fixed, percent } from "../../ui/format";
import { Choice } from "../../ui/Toggle";
import { Nothing, Word } from "../parts";
import { usePolled } from "../useStation";
import { Fields } from "./Fields";
import css from "./Inspector.module.css";
import { LivePlot } from "./LivePlot";
import { inspectorOf, plotKey } from "./store";
import { type ComponentBranch, keyOf, lossOf, messageTree } from "./tree";

const stale_ms = 3000;

/** Every message as it arrives: who sends it, how often, and what stands in it now. */
export function InspectorSection() {
  const stores = useStores();
  const store = inspectorOf(stores);
  const { text, order, chosen, plots } = useStore(store);
  const { answer, problem } = usePolled("inspector.messages", {}, 500);
  const tree = useMemo(
    () => (answer === null ? [] : messageTree(answer.messages, answer.components, text, order)),
    [answer, text, order],
  );
  if (answer === null || answer.messages.length === 0)
    return (
      <Nothing
        what={problem === "" ? "Messages will stand here as they come, with rate, size and fields." : problem}
        how="Open a link under Links."
      />
    );
  return (
    <div className={css.inspector}>
      <div className={css.tools}>
        <input
          type="search"
          aria-label="Search messages"
          placeholder="Search by name or number"
          value={text}
          spellCheck={false}
          onChange={(event) => store.setState({ text: event.target.value })}
        />
        <Choice
          label="Order"
          value={order}
          options={[
            ["name", "Name"],
            ["rate", "Rate"],
            ["bytes", "Bytes"],
          ]}
          onChange={(value) => store.setState({ order: value })}
        />
        <span className={css.count}>
          {answer.messages.length} kinds ·{" "}
          {byteRate(answer.messages.reduce((sum, { bytes_per_s }) => sum + bytes_per_s, 0))}
        </span>
      </div>
      <div className={css.body} data-plots={plots.length > 0}>
        <div className={css.tree}>
          {tree.length === 0 && <Nothing what="No message has this name." />}
          {tree.map((branch) => (
            <Branch key={`${branch.system_id}/${branch.component_id}`} branch={branch} />
          ))}
        </div>
        {chosen === null ? (
          <div className={css.fields}>
            <Nothing what="Choose a message to read its fields, and a field to plot it." />
          </div>
        ) : (
          <Fields key={keyOf(chosen)} message={chosen} />
        )}
        {plots.length > 0 && (
          <div className={css.plots}>
            {plots.map((plot) => (
              <LivePlot key={plotKey(plot)} plot={plot} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

function Branch({ branch }: { readonly branch: ComponentBranch }) {
  const stores = useStores();
  const store = inspectorOf(stores);
  const chosen = useStore(store, (state) => (state.chosen === null ? "" : keyOf(state.chosen)));
  const now_ms = useNow(500);
  const loss = lossOf(branch.stream);
  return (
    <section aria-label={`System ${branch.system_id}, component ${branch.component_id}`}>
      <header className={css.component}>
        <h3>
          System {branch.system_id} · component {branch.component_id}
        </h3>
        <span>
          {loss === null ? (
            ""
          ) : loss > 0.02 ? (
            <Word tone="caution">{percent(loss, 1)} lost</Word>
          ) : (
            `${percent(loss, 1)} lost`
          )}
        </span>
      </header>
      <ul>
        {branch.messages.map((message) => {
          const key = keyOf(message);
          const silent = now_ms - message.last_at_ms > stale_ms && message.rate_hz > 0.5;
          return (
            <li key={key}>
              <button
                type="button"
                className={css.message}
                aria-pressed={key === chosen}
                onClick={() => store.setState({ chosen: message })}
              >
                <b>{message.name}</b>
                <span>
                  {silent ? `${age(now_ms - message.last_at_ms)} ago` : `${fixed(message.rate_hz, 1)} Hz`}
                </span>
                <span>{message.count}</span>
                <span>{byteRate(message.bytes_per_s)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
