import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ApprovalPanel } from "../approvals/ApprovalPanel";
import { FeedsPanel } from "../feeds/FeedsPanel";
import { MissionPanel } from "../mission/MissionPanel";
import { ReasoningPanel } from "../reasoning/ReasoningPanel";
import { useStores, useUiStore } from "../stores/context";
import type { UiState } from "../stores/ui";
import { TwinPanel } from "../twin/TwinPanel";
import css from "./Fly.module.css";
import { Splitter } from "./Splitter";
import { clampSplit, fitSplits, parseSplits, type SplitName } from "./splits";

const splits_key = "kingfisher.fly.splits";
/** Below this the panels beside the decision share one place as tabs. */
const narrow_px = 960;

/** Feeds | twin over mission | reasoning over decision. The decision keeps its place at every size. */
export function FlyWorkspace() {
  const ref = useRef<HTMLDivElement>(null);
  const size = useSize(ref);
  const narrow = size !== null && size.width_px < narrow_px;
  return (
    <div ref={ref} className={css.fly}>
      {size !== null && (narrow ? <Narrow /> : <Wide width_px={size.width_px} />)}
    </div>
  );
}

function useSize(ref: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState<{ readonly width_px: number } | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => {
      // A hidden workspace has no size; it keeps the one it had.
      if (element.clientWidth > 0) setSize({ width_px: element.clientWidth });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}

function Wide({ width_px }: { readonly width_px: number }) {
  const [wanted, setWanted] = useState(() => parseSplits(localStorage.getItem(splits_key)));
  useEffect(() => localStorage.setItem(splits_key, JSON.stringify(wanted)), [wanted]);
  const splits = fitSplits(wanted, width_px);
  const change = (name: SplitName) => (value_px: number) =>
    setWanted({ ...splits, [name]: clampSplit(name, value_px) });
  const style = {
    "--left": `${splits.left_px}px`,
    "--right": `${splits.right_px}px`,
    "--bottom": `${splits.bottom_px}px`,
  } as CSSProperties;
  return (
    <div className={css.wide} style={style}>
      <div className={css.feeds}>
        <FeedsPanel />
      </div>
      <Splitter
        name="left_px"
        label="Width of the feeds"
        value_px={splits.left_px}
        direction={1}
        onChange={change("left_px")}
      />
      <div className={css.middle}>
        <div className={css.twin}>
          <TwinPanel />
        </div>
        <Splitter
          name="bottom_px"
          label="Height of the mission"
          value_px={splits.bottom_px}
          direction={-1}
          onChange={change("bottom_px")}
        />
        <MissionPanel />
      </div>
      <Splitter
        name="right_px"
        label="Width of the reasoning"
        value_px={splits.right_px}
        direction={-1}
        onChange={change("right_px")}
      />
      <div className={css.right}>
        <ReasoningPanel />
        <ApprovalPanel />
      </div>
    </div>
  );
}

const tabs = [
  ["twin", "Twin"],
  ["feeds", "Feeds"],
  ["reasoning", "Reasoning"],
  ["mission", "Mission"],
] as const satisfies readonly (readonly [UiState["fly_tab"], string])[];

function Narrow() {
  const { ui } = useStores();
  const tab = useUiStore((state) => state.fly_tab);
  return (
    <div className={css.narrow}>
      <div className={css.stack}>
        <div className={css.tabs} role="tablist" aria-label="Fly panels">
          {tabs.map(([name, title]) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`fly-tab-${name}`}
              aria-selected={name === tab}
              aria-controls="fly-tab-panel"
              className={css.tab}
              onClick={() => ui.setState({ fly_tab: name })}
            >
              {title}
            </button>
          ))}
        </div>
        <div id="fly-tab-panel" role="tabpanel" aria-labelledby={`fly-tab-${tab}`} className={css.shown}>
          {tab === "twin" && <TwinPanel />}
          {tab === "feeds" && <FeedsPanel />}
          {tab === "reasoning" && <ReasoningPanel />}
          {tab === "mission" && <MissionPanel />}
        </div>
      </div>
      <div className={css.decision}>
        <ApprovalPanel />
      </div>
    </div>
  );
}
