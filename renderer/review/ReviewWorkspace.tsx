import { type DragEvent, useEffect, useState } from "react";
import { useStore } from "zustand";
import { useStores, useUiStore } from "../stores/context";
import { Button } from "../ui/Button";
import { deskOf, type ReviewDesk } from "./desk";
import { Findings } from "./Findings";
import { openAny } from "./files";
import { Header, Said } from "./Header";
import { DeskContext, usePlaybackClock, useSummary } from "./hooks";
import { useReviewKeys } from "./keys";
import { Notes } from "./Notes";
import { OpenScreen } from "./OpenScreen";
import { Plots } from "./Plots";
import { RecordedCamera } from "./RecordedCamera";
import { ReplayTwin } from "./ReplayTwin";
import css from "./Review.module.css";
import { SourceTabs } from "./SourceTabs";
import { Timeline } from "./Timeline";
import { WhyPanel } from "./WhyPanel";

/** Opens recordings and reads them on one timeline: plots, events, video, twin, reasoning, approvals, S_safe. */
export function ReviewWorkspace() {
  const stores = useStores();
  const desk = deskOf(stores);
  const phase = useStore(desk.state, (s) => s.phase);
  const asked = useUiStore((s) => s.review_path);
  const drop = useDrop(desk);
  usePlaybackClock(desk);
  useReviewKeys(desk, phase.kind === "open");
  useEffect(() => {
    if (asked === null) return;
    stores.ui.setState({ review_path: null });
    void openAny(desk, asked);
  }, [asked, desk, stores]);
  return (
    <DeskContext value={desk}>
      <div className={css.workspace} {...drop.handlers}>
        {phase.kind === "open" ? <Loaded key={phase.summary.id} /> : <OpenScreen phase={phase} />}
        <Said />
        {drop.over && <p className={css.drop}>Drop a recording to open it</p>}
        {drop.refused && (
          <p className={css.refused} role="alert">
            What was dropped is no file on this computer. Save it first, or use Open.
            <Button size="small" onClick={drop.forgive}>
              Close
            </Button>
          </p>
        )}
      </div>
    </DeskContext>
  );
}

function Loaded() {
  const { image_topics, sources } = useSummary();
  const pictures = image_topics.some((t) => t.count > 0) || sources.some((s) => s.video);
  return (
    <div className={css.loaded}>
      <Header />
      <div className={css.columns}>
        <div className={css.left}>
          <Findings />
          <SourceTabs />
        </div>
        <div className={css.middle}>
          <div className={css.pair} data-single={!pictures}>
            <ReplayTwin />
            {pictures && <RecordedCamera />}
          </div>
          <Plots />
        </div>
        <div className={css.right}>
          <WhyPanel />
          <Notes />
        </div>
      </div>
      <Timeline />
    </div>
  );
}

/** Files dropped on the workspace; one that lies nowhere (dragged out of another program) is refused in words. */
function useDrop(desk: ReviewDesk) {
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState(false);
  const handlers = {
    onDragOver: (e: DragEvent) => {
      if (!e.dataTransfer.types.includes("Files")) return;
      e.preventDefault();
      setOver(true);
    },
    onDragLeave: (e: DragEvent) => {
      if (!(e.relatedTarget instanceof Node && e.currentTarget.contains(e.relatedTarget))) setOver(false);
    },
    onDrop: (e: DragEvent) => {
      e.preventDefault();
      setOver(false);
      const [file] = e.dataTransfer.files;
      if (file === undefined) return;
      const path = desk.stores.bridge.pathOf(file);
      setRefused(path === "");
      if (path !== "") void openAny(desk, path);
    },
  };
  return { over, refused, handlers, forgive: () => setRefused(false) };
}
