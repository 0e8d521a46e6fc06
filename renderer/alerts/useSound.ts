import { useEffect, useRef } from "react";
import type { AlertSeverity } from "#contract/alerts";
import { useStores } from "../stores/context";
import { audible, open, worstNew } from "./order";
import { ended, nextSentence, sentence, silent } from "./speech";

/** Frequency (Hz) and length (s) of each tone: three high ones that fall, two, one soft. */
const tones: Readonly<Record<AlertSeverity, readonly (readonly [number, number])[]>> = {
  warning: [
    [1046, 0.14],
    [880, 0.14],
    [1046, 0.2],
  ],
  caution: [
    [660, 0.12],
    [660, 0.16],
  ],
  advisory: [[520, 0.1]],
};
const gap_s = 0.06;
/** An unacknowledged warning sounds again; repeats of one event do not rattle. */
const warning_again_ms = 6000;
const least_apart_ms = 1500;

function beep(audio: AudioContext, severity: AlertSeverity): void {
  let at_s = audio.currentTime;
  for (const [frequency, length_s] of tones[severity]) {
    const oscillator = audio.createOscillator();
    const gain = audio.createGain();
    oscillator.type = severity === "advisory" ? "sine" : "triangle";
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, at_s);
    gain.gain.linearRampToValueAtTime(severity === "advisory" ? 0.08 : 0.25, at_s + 0.01);
    gain.gain.linearRampToValueAtTime(0, at_s + length_s);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(at_s);
    oscillator.stop(at_s + length_s);
    at_s += length_s + gap_s;
  }
}

/** Sounds and speech for alerts, as the settings allow. Mounted once. */
export function useSound(): void {
  const { alerts, settings, clock, time } = useStores();
  const audio = useRef<AudioContext | null>(null);
  useEffect(() => {
    let seen: ReadonlyMap<string, number> = new Map();
    let beeped_at_ms = Number.NEGATIVE_INFINITY;
    let speech = silent;
    const muted = (): boolean => settings.getState().sound.muted_until_utc_ms > time.utc_ms();

    const sound = (): void => {
      const list = alerts.getState().alerts;
      const now_ms = clock.now_ms();
      const since_ms = now_ms - beeped_at_ms;
      if (since_ms < least_apart_ms) return;
      const again = since_ms >= warning_again_ms && open(list)[0]?.severity === "warning";
      const severity = worstNew(list, seen) ?? (again ? "warning" : null);
      seen = new Map(list.map((alert) => [alert.id, alert.count]));
      if (severity === null || !settings.getState().sound.enabled || !audible(severity, muted())) return;
      beeped_at_ms = now_ms;
      audio.current ??= new AudioContext();
      beep(audio.current, severity);
    };

    const speak = (): void => {
      if (!settings.getState().sound.speech || !("speechSynthesis" in window)) return;
      const step = nextSentence(speech, alerts.getState().alerts, muted(), clock.now_ms());
      speech = step.speech;
      if (step.say === null) return;
      const utterance = new SpeechSynthesisUtterance(sentence(step.say));
      const done = (): void => {
        speech = ended(speech, clock.now_ms());
      };
      utterance.onend = done;
      utterance.onerror = done;
      window.speechSynthesis.speak(utterance);
    };

    return time.every(250, () => {
      sound();
      speak();
    });
  }, [alerts, settings, clock, time]);
}
