import type { Leg } from "../predicates/flight";
import type { Draw } from "../statistics/random";

/** A piece of a mission: the words, and where they lead. Steps of the skill library: 0.5 m, 0.3 m up or down, 30 degrees. */
interface Move extends Leg {
  readonly words: string;
}

const still = { ahead_m: 0, left_m: 0, up_m: 0, turn_rad: 0 } as const;
const quarter = Math.PI / 2;

const moves: readonly Move[] = [
  { ...still, words: "move forward", ahead_m: 0.5 },
  { ...still, words: "move forward twice", ahead_m: 1 },
  { ...still, words: "move backward", ahead_m: -0.5 },
  { ...still, words: "move left", left_m: 0.5 },
  { ...still, words: "move right", left_m: -0.5 },
  { ...still, words: "turn left", turn_rad: quarter },
  { ...still, words: "turn right", turn_rad: -quarter },
  { ...still, words: "go up 30 cm", up_m: 0.3 },
  { ...still, words: "go down 30 cm", up_m: -0.3 },
];

/** Laid end to end: a move after a turn goes where the turn has pointed the nose. */
function after(leg: Leg, move: Leg): Leg {
  const [c, s] = [Math.cos(leg.turn_rad), Math.sin(leg.turn_rad)];
  return {
    ahead_m: leg.ahead_m + move.ahead_m * c - move.left_m * s,
    left_m: leg.left_m + move.ahead_m * s + move.left_m * c,
    up_m: leg.up_m + move.up_m,
    turn_rad: leg.turn_rad + move.turn_rad,
  };
}

export interface Mission {
  readonly words: readonly string[];
  /** Where it leads, without the take-off's height. */
  readonly leg: Leg;
}

/** Free space around the pad that every drawn mission stays in. */
const reach_m = 1.1;
const height_m = [-0.3, 0.3] as const;

/** So many moves, drawn one after the other, never leaving the free space around the pad. */
export function drawMoves(draw: Draw, count: number, of: (move: Move) => boolean = () => true): Mission {
  let mission: Mission = { words: [], leg: still };
  const choices = moves.filter(of);
  while (mission.words.length < count) {
    const move = draw.pick(choices);
    const leg = after(mission.leg, move);
    const inside =
      Math.hypot(leg.ahead_m, leg.left_m) <= reach_m &&
      leg.up_m >= height_m[0] - 0.01 &&
      leg.up_m <= height_m[1] + 0.01;
    if (inside) mission = { words: [...mission.words, move.words], leg };
  }
  return mission;
}

export const sentence = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;

export const isTurn = (move: Leg): boolean => move.turn_rad !== 0;
export const isClimb = (move: Leg): boolean => move.up_m !== 0;
