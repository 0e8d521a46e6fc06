import type { Range } from "./range";

/** Speeds offered, slowest first. */
export const speeds = [0.25, 0.5, 1, 2, 4, 8] as const;

/** Where the cursor of a replay is and how it moves. Times in seconds on the review's clock. */
export interface Playback {
  /** From the first moment of any log to the last; a joined log may begin before zero. */
  readonly span: Range;
  readonly cursor_s: number;
  readonly speed: number;
  /** Null stands still; else the wall time (`now_ms`) of the last step of the running replay. */
  readonly running_since_ms: number | null;
  /** Plays this stretch again and again. */
  readonly loop: { readonly from_s: number; readonly to_s: number } | null;
}

export type PlaybackEvent =
  | { readonly kind: "play" | "pause" | "toggle" | "tick" | "start" | "end" }
  | { readonly kind: "seek"; readonly to_s: number }
  | { readonly kind: "nudge"; readonly by_s: number }
  | { readonly kind: "speed"; readonly speed: number }
  | { readonly kind: "faster" | "slower" }
  | { readonly kind: "loop"; readonly loop: Playback["loop"] };

export const startPlayback = (span: Range): Playback => ({
  span: span.to_s >= span.from_s && Number.isFinite(span.to_s - span.from_s) ? span : { from_s: 0, to_s: 0 },
  cursor_s: 0,
  speed: 1,
  running_since_ms: null,
  loop: null,
});

export const isPlaying = (p: Playback): boolean => p.running_since_ms !== null;

/** Pure: what a replay becomes on an event at wall time `now_ms`. */
export function step(p: Playback, event: PlaybackEvent, now_ms: number): Playback {
  const moved = advance(p, now_ms);
  switch (event.kind) {
    case "tick":
      return moved;
    case "play":
      return play(moved, now_ms);
    case "pause":
      return { ...moved, running_since_ms: null };
    case "toggle":
      return isPlaying(moved) ? { ...moved, running_since_ms: null } : play(moved, now_ms);
    case "seek":
      return at(moved, event.to_s);
    case "nudge":
      return { ...at(moved, moved.cursor_s + event.by_s), running_since_ms: null };
    case "start":
      return at(moved, moved.loop?.from_s ?? moved.span.from_s);
    case "end":
      return at(moved, moved.loop?.to_s ?? moved.span.to_s);
    case "speed":
      return event.speed > 0 ? { ...moved, speed: event.speed } : moved;
    case "faster":
      return { ...moved, speed: speeds.find((s) => s > moved.speed) ?? moved.speed };
    case "slower":
      return { ...moved, speed: [...speeds].reverse().find((s) => s < moved.speed) ?? moved.speed };
    case "loop":
      return withLoop(moved, event.loop);
  }
}

function advance(p: Playback, now_ms: number): Playback {
  if (p.running_since_ms === null) return p;
  const passed_s = (Math.max(0, now_ms - p.running_since_ms) / 1000) * p.speed;
  const cursor_s = p.cursor_s + passed_s;
  const { loop } = p;
  if (loop !== null && cursor_s >= loop.to_s) {
    const length_s = loop.to_s - loop.from_s;
    return { ...p, cursor_s: loop.from_s + ((cursor_s - loop.from_s) % length_s), running_since_ms: now_ms };
  }
  if (cursor_s >= p.span.to_s) return { ...p, cursor_s: p.span.to_s, running_since_ms: null };
  return { ...p, cursor_s, running_since_ms: now_ms };
}

function play(p: Playback, now_ms: number): Playback {
  if (p.span.to_s === p.span.from_s) return p;
  const from_start = p.loop === null && p.cursor_s >= p.span.to_s;
  return { ...p, cursor_s: from_start ? p.span.from_s : p.cursor_s, running_since_ms: now_ms };
}

const at = (p: Playback, to_s: number): Playback =>
  Number.isFinite(to_s) ? { ...p, cursor_s: Math.min(p.span.to_s, Math.max(p.span.from_s, to_s)) } : p;

/** A loop of less than a tenth of a second is a slip of the hand. */
function withLoop(p: Playback, loop: Playback["loop"]): Playback {
  if (loop === null) return { ...p, loop: null };
  const from_s = Math.max(p.span.from_s, Math.min(loop.from_s, loop.to_s));
  const to_s = Math.min(p.span.to_s, Math.max(loop.from_s, loop.to_s));
  if (!(to_s - from_s >= 0.1)) return p;
  const inside = p.cursor_s >= from_s && p.cursor_s <= to_s;
  return { ...p, loop: { from_s, to_s }, cursor_s: inside ? p.cursor_s : from_s };
}
