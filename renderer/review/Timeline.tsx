import { Pause, Play, Repeat, Ruler, SkipBack, SkipForward } from "lucide-react";
import { Button } from "../ui/Button";
import { useCursor, useDesk, useDeskState, useSummary } from "./hooks";
import { jump, toggleMark } from "./keys";
import { Lanes } from "./Lanes";
import { isPlaying, speeds } from "./playback";
import css from "./Timeline.module.css";
import { duration, modesOf, type TimeMode, timeText } from "./time";

/** Transport and lanes: the one time axis of the recording. */
export function Timeline() {
  return (
    <section className={css.timeline} aria-label="Timeline">
      <Transport />
      <Lanes />
    </section>
  );
}

const modeTitle: Record<TimeMode, string> = {
  recording: "since the start of the recording",
  flight: "since the first moment in the air",
  boot: "since the vehicle was switched on",
  utc: "universal time",
  local: "time of this computer's zone",
};

const modeName: Record<TimeMode, string> = {
  recording: "log",
  flight: "flight",
  boot: "boot",
  utc: "UTC",
  local: "local",
};

const differenceText = (s: number): string => `${s < 0 ? "−" : "+"}${duration(Math.abs(s), 2)}`;

function Transport() {
  const desk = useDesk();
  const summary = useSummary();
  const playing = useDeskState((s) => isPlaying(s.playback));
  const speed = useDeskState((s) => s.playback.speed);
  const loop = useDeskState((s) => s.playback.loop);
  const mode = useDeskState((s) => s.time_mode);
  const mark_s = useDeskState((s) => s.mark_s);
  const cursor_s = useCursor(0.1);
  const toggleLoop = (): void => {
    const { range } = desk.state.getState();
    desk.send({ kind: "loop", loop: loop === null ? range : null });
  };
  return (
    <div className={css.transport}>
      <Button
        size="small"
        aria-label="Previous moment"
        title="Previous finding or step (P)"
        onClick={() => jump(desk, -1)}
      >
        <SkipBack size={14} aria-hidden />
      </Button>
      <Button
        aria-label={playing ? "Pause" : "Play"}
        title={`${playing ? "Pause" : "Play"} (K). Space is HOLD.`}
        onClick={() => desk.send({ kind: "toggle" })}
      >
        {playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </Button>
      <Button
        size="small"
        aria-label="Next moment"
        title="Next finding or step (N)"
        onClick={() => jump(desk, 1)}
      >
        <SkipForward size={14} aria-hidden />
      </Button>
      <b className={css.now}>{timeText(mode, cursor_s, summary, 1)}</b>
      <span className={css.total}>
        / {timeText(mode, summary.span.to_s, summary, 1)} {modeTitle[mode]}
      </span>
      <label className={css.speed}>
        <span className="visually-hidden">Speed</span>
        <select
          value={speed}
          title="Speed (< and >)"
          onChange={(e) => desk.send({ kind: "speed", speed: Number(e.target.value) })}
        >
          {speeds.map((s) => (
            <option key={s} value={s}>
              {s}×
            </option>
          ))}
        </select>
      </label>
      <Button
        size="small"
        aria-pressed={loop !== null}
        title="Play the shown stretch again and again"
        onClick={toggleLoop}
      >
        <Repeat size={13} aria-hidden /> Loop
      </Button>
      <Button
        size="small"
        aria-pressed={mark_s !== null}
        title="Measure from here: legends then show differences (M)"
        onClick={() => toggleMark(desk)}
      >
        <Ruler size={13} aria-hidden />{" "}
        {mark_s === null ? "Measure" : `Δ ${differenceText(cursor_s - mark_s)}`}
      </Button>
      <div className={css.modes} role="group" aria-label="Time shown as">
        {modesOf(summary).map((m) => (
          <button
            key={m}
            type="button"
            aria-pressed={m === mode}
            title={modeTitle[m]}
            onClick={() => desk.setTimeMode(m)}
          >
            {modeName[m]}
          </button>
        ))}
      </div>
    </div>
  );
}
