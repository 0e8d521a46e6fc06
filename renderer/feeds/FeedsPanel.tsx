import { useEffect, useState } from "react";
import { usePerceptionStore, useStationStore, useStores } from "../stores/context";
import { Empty, Panel } from "../ui/Panel";
import { Feed } from "./Feed";
import css from "./Feeds.module.css";
import { ObjectsPanel } from "./ObjectsPanel";

/** All pictures of all cameras, colour above depth. Draws nothing that moves by itself: a picture or the word why there is none. */
export function FeedsPanel() {
  const cameras = useCameras();
  return (
    <div className={css.feeds} data-count={cameras.length}>
      {cameras.length === 0 ? <NoCamera /> : null}
      {cameras.map((camera) => (
        <div className={css.pair} key={camera}>
          <Feed camera={camera} stream="colour" />
          <Feed camera={camera} stream="depth" />
        </div>
      ))}
      {cameras.length === 1 && <ObjectsPanel />}
    </div>
  );
}

/** Names of the cameras that have delivered; the first picture is told to the station once. */
function useCameras(): readonly string[] {
  const stores = useStores();
  const [cameras, setCameras] = useState<readonly string[]>(() => stores.cameras.cameras());
  useEffect(() => {
    let told = false;
    return stores.cameras.onPicture((picture) => {
      setCameras((known) =>
        known.includes(picture.camera) ? known : [...known, picture.camera].sort((a, b) => (a < b ? -1 : 1)),
      );
      if (told) return;
      told = true;
      // After the frame in which the picture's panel has come to be.
      requestAnimationFrame(() => void stores.bridge.request("ui.drawn", { what: "camera" }));
    });
  }, [stores]);
  return cameras;
}

function NoCamera() {
  const connected = useStationStore((s) => s.vehicle_kind !== "none");
  const report = usePerceptionStore((s) => s.report);
  const how = connected
    ? "Waiting for the first picture. If none comes, look at the camera's line in Setup."
    : "Connect to a vehicle in Setup, Links.";
  const what = "Shows what the camera sees: colour with detections, and depth.";
  return (
    <Panel title="Camera" right={report === null ? undefined : <span>frames arrive, no picture yet</span>}>
      <Empty what={what} how={how} />
    </Panel>
  );
}
