import type { BatteryState } from "../vehicle/battery";
import type { GustState } from "./air";
import type { ArmServoState } from "./arm";
import type { ObjectsState } from "./objects";
import type { VisitorState } from "./visitor";

/** Everything needed to go on from here exactly as it would have gone. */
export interface WorldState {
  readonly physics: Float64Array;
  readonly thrust_n: Float64Array;
  /** Thrust factors of nearby surfaces, and the step count that says when they are looked up next. */
  readonly effect: Float64Array;
  readonly tick: number;
  readonly battery: BatteryState;
  readonly objects: ObjectsState;
  readonly arm: ArmServoState | null;
  readonly air: GustState;
  readonly visitor: VisitorState;
  /** Motors that do not work. */
  readonly dead: readonly number[];
}
