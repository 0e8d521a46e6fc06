import { DropdownMenu } from "radix-ui";
import { useEffect, useMemo, useRef, useState } from "react";
import { eulerFluEnu } from "#contract/frames";
import { FrameReport } from "#contract/perception";
import type { NamedTrack } from "#contract/review";
import { SafetyState } from "#contract/safety";
import { useSettingsStore, useStores, useUiStore } from "../stores/context";
import { prefersStill, readToken } from "../twin/environment";
import { fromProposal } from "../twin/plan";
import { paletteFrom } from "../twin/scene/palette";
import { seenObjects } from "../twin/scene/seen-objects";
import { TwinView } from "../twin/scene/twin-view";
import { poseText, type ViewName, viewNames } from "../twin/scene/views";
import twin from "../twin/TwinPanel.module.css";
import { Empty, Panel } from "../ui/Panel";
import { useCursor, useCursorMoves, useDeskState, useSummary } from "./hooks";
import { isPlaying } from "./playback";
import css from "./Review.module.css";
import { drawnPaths, firstShown, flownPath, trackPose, trackSite } from "./track";
import { useMessage } from "./useMessage";
import { stepAt, stepSpan } from "./why";

/** The flight again in 3D: pose, flown path, what was seen and what was proposed at the cursor. */
export function ReplayTwin() {
  const { has_track } = useSummary();
  const track = useDeskState((s) => s.track);
  if (!has_track)
    return (
      <Panel title="Twin">
        <Empty what="Flies the recording in 3D. This one holds no position." />
      </Panel>
    );
  return track === null ? (
    <Panel title="Twin">
      <p className={css.quiet}>Reading the vehicle's path</p>
    </Panel>
  ) : (
    <Replay />
  );
}

function Replay() {
  const stores = useStores();
  const summary = useSummary();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<TwinView | null>(null);
  const [name, setName] = useState<ViewName>("follow");
  const track = useDeskState((s) => s.track);
  const known_site = useDeskState((s) => s.site);
  const tracks = useDeskState((s) => s.tracks);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const shown = useMemo(() => chosen ?? firstShown(tracks), [chosen, tracks]);
  const playing = useDeskState((s) => isPlaying(s.playback));
  const units = useSettingsStore((s) => s.appearance.units);
  const limits = useSettingsStore((s) => s.limits);
  const theme = useSettingsStore((s) => s.appearance.theme);
  const selected = useUiStore((s) => s.selected_object);
  const safety = useMessage("/kingfisher/s_safe", SafetyState);
  const report = useMessage("/kingfisher/perception", FrameReport);
  const objects = useMemo(() => seenObjects(safety, report), [safety, report]);
  const cursor_s = useCursor(0.2);
  const step = stepAt(summary.steps, cursor_s);
  const flying = step !== null && cursor_s <= (stepSpan(step).to_s ?? step.at_s);
  const plan = useMemo(
    () => (flying ? fromProposal(step.record.proposal, step.record.verdict, limits) : null),
    [flying, step, limits],
  );

  useEffect(() => {
    if (host.current === null) return;
    const created = new TwinView(host.current, {
      time: stores.time,
      palette: paletteFrom(readToken),
      label_class: twin.labels ?? "",
      still: prefersStill(),
      live: false,
      onView: setName,
      onPick: (pick) => stores.ui.setState({ selected_object: pick?.object ?? null }),
      onContext: () => {},
    });
    view.current = created;
    return () => {
      created.dispose();
      view.current = null;
    };
  }, [stores]);

  const pose = track === null ? null : trackPose(track, cursor_s);
  const airborne =
    pose !== null && track !== null && pose.position_enu_m[2] > lowest(track.position_enu_m) + 0.1;
  useEffect(() => {
    if (track === null) return;
    const own = known_site ?? trackSite(track);
    view.current?.set({
      site: own,
      layers: { fence: known_site !== null, labels: true, camera: false, trail: true },
    });
  }, [track, known_site]);
  useEffect(() => view.current?.set({ plan }), [plan]);
  useEffect(() => view.current?.set({ paths: drawnPaths(tracks, shown) }), [tracks, shown]);
  useEffect(() => view.current?.set({ armed: playing && airborne, in_air: true }), [playing, airborne]);
  useEffect(
    () => view.current?.set({ objects, selected, units, now_ms: safety?.at_ms ?? 0 }),
    [objects, selected, units, safety],
  );
  useEffect(() => {
    if (track !== null)
      view.current?.set({ trail: { points: flownPath(track, cursor_s), revision: cursor_s } });
  }, [track, cursor_s]);
  const first_theme = useRef(theme);
  useEffect(() => {
    if (first_theme.current === theme) return;
    first_theme.current = theme;
    const frame = requestAnimationFrame(() => view.current?.setPalette(paletteFrom(readToken)));
    return () => cancelAnimationFrame(frame);
  }, [theme]);
  useCursorMoves((t_s) => {
    if (track !== null) view.current?.setPose(trackPose(track, t_s));
  });

  const words =
    pose === null ? "" : poseText(pose.position_enu_m, eulerFluEnu(pose.quat_flu_enu).yaw_rad, units);
  return (
    <Panel
      title="Twin"
      right={
        <>
          {tracks.length > 0 && <Paths tracks={tracks} shown={shown} onShow={setChosen} />}
          <Views name={name} onView={(v) => view.current?.setView(v)} />
        </>
      }
    >
      <div className={twin.stage}>
        <div
          ref={host}
          className={twin.host}
          role="application"
          tabIndex={0}
          aria-label="3D replay. Arrow keys turn, plus and minus zoom."
          onKeyDown={(e) => {
            const turn = {
              ArrowLeft: [-0.12, 0],
              ArrowRight: [0.12, 0],
              ArrowUp: [0, 0.12],
              ArrowDown: [0, -0.12],
            }[e.key];
            const zoom = e.key === "+" || e.key === "=" ? 0.85 : e.key === "-" ? 1.18 : 1;
            if (turn === undefined && zoom === 1) return;
            e.preventDefault();
            view.current?.nudge(turn?.[0] ?? 0, turn?.[1] ?? 0, zoom);
          }}
        />
        <div className={twin.readout}>{words}</div>
      </div>
    </Panel>
  );
}

interface PathsProps {
  readonly tracks: readonly NamedTrack[];
  readonly shown: ReadonlySet<string>;
  readonly onShow: (shown: ReadonlySet<string>) => void;
}

/** Which other paths are drawn: estimates, setpoints, the truth where the log holds it. */
function Paths({ tracks, shown, onShow }: PathsProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={css.paths}>paths {shown.size}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={css.menu} align="end" sideOffset={4}>
          {tracks.map((t) => (
            <DropdownMenu.CheckboxItem
              key={t.id}
              checked={shown.has(t.id)}
              title={t.topic}
              onSelect={(e) => e.preventDefault()}
              onCheckedChange={(on) =>
                onShow(new Set(on ? [...shown, t.id] : [...shown].filter((id) => id !== t.id)))
              }
            >
              <span>
                {shown.has(t.id) ? "✓ " : ""}
                {t.label}
              </span>
              <small>{t.role.replace("_", " ")}</small>
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Views({ name, onView }: { readonly name: ViewName; readonly onView: (view: ViewName) => void }) {
  return (
    <div className={css.views} role="group" aria-label="View">
      {viewNames.map((v) => (
        <button key={v} type="button" aria-pressed={v === name} onClick={() => onView(v)}>
          {v}
        </button>
      ))}
    </div>
  );
}

const lowest = (points: readonly (readonly [number, number, number])[]): number =>
  points.reduce((low, p) => Math.min(low, p[2]), Number.POSITIVE_INFINITY);
