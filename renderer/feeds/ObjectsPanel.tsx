import { useMemo } from "react";
import {
  useNow,
  usePerceptionStore,
  useSafetyStore,
  useSettingsStore,
  useStores,
  useUiStore,
} from "../stores/context";
import { colourOf } from "../twin/scene/palette";
import { seenObjects } from "../twin/scene/seen-objects";
import { Empty, Panel } from "../ui/Panel";
import css from "./Feeds.module.css";
import { byUrgency, objectState } from "./layout";

const sign = { none: "", caution: "▲ ", stop: "■ " } as const;

/** Everything the monitor watches, what moved first. A row selects the object in all pictures and in the twin. */
export function ObjectsPanel() {
  const stores = useStores();
  const safety = useSafetyStore((s) => s);
  const report = usePerceptionStore((s) => s.report);
  const units = useSettingsStore((s) => s.appearance.units);
  const selected = useUiStore((s) => s.selected_object);
  const now_ms = useNow(500);
  const objects = useMemo(() => byUrgency(seenObjects(safety, report)), [safety, report]);
  const seen = objects.filter((o) => o.state !== "not_seen").length;
  const right = objects.length === 0 ? undefined : <span>{`${seen} of ${objects.length} seen`}</span>;
  return (
    <Panel title="Objects" right={right} className={css.objects}>
      {objects.length === 0 ? (
        <Empty what="Lists what must not move, once the camera sees objects." />
      ) : (
        <ul className={css.list}>
          {objects.map((o) => (
            <li key={o.id}>
              <button
                type="button"
                aria-pressed={o.id === selected}
                data-alarm={o.moved && o.alarm === "none" ? "caution" : o.alarm}
                data-state={o.state}
                onClick={() => stores.ui.setState({ selected_object: o.id === selected ? null : o.id })}
              >
                <i style={{ background: `#${colourOf(o.colour).getHexString()}` }} aria-hidden />
                <b>{o.label}</b>
                <span>
                  {sign[o.alarm]}
                  {objectState(o, now_ms, units)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
