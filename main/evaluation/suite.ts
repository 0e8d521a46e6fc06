import type { EvaluationFigure, PublishedFigure, TrialResult } from "#contract/evaluation";
import type { Evidence } from "./evidence";
import type { Draw } from "./statistics/random";

/** Must be true for a trial to pass. The id names it in tables and clusters; the detail says what was measured. */
export interface Predicate {
  readonly id: string;
  readonly judge: (evidence: Evidence) => { readonly passed: boolean; readonly detail: string };
}

/** A number (or several) taken from a trial, for the suite's figures. Null: could not be measured. */
export interface Measure {
  readonly key: string;
  readonly of: (evidence: Evidence) => number | null | readonly number[];
}

/** One trial, drawn: everything that decides it. Two equal ones give the same result on one runtime. */
export interface Trial {
  readonly variant: string;
  readonly scene: string;
  readonly scene_seed: number;
  /** Another set of objects than the scene's own; null for that. */
  readonly catalogue: string | null;
  /** The mission, in the words an operator would use. */
  readonly command: string;
  /** What is made to happen: `push:red_cup@14`, `wind:4,0,1@10` and so on, in simulated seconds. */
  readonly events: readonly string[];
  /** Disturbances of the link: `loss=0.2,delay_ms=300`; null for none. */
  readonly faults: string | null;
  /** Simulated seconds after which the mission is given up. */
  readonly limit_s: number;
  readonly predicates: readonly Predicate[];
  readonly measures: readonly Measure[];
}

/** A column of the table: one figure of any set of results. */
export interface Column {
  readonly figure: (results: readonly TrialResult[]) => EvaluationFigure;
}

/**
 * A suite is a value: what its trials are and what figures follow. Trials are numbered; `trial` draws one from its number and
 * a stream of numbers that belongs to it alone, so that any trial can be run again without the others.
 */
export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Trial n belongs to variant n modulo their number. */
  readonly variants: readonly string[];
  readonly policies: readonly string[];
  /** Real seconds a trial takes on two ordinary cores. */
  readonly trial_s: number;
  readonly trial: (variant: string, draw: Draw) => Trial;
  readonly columns: readonly Column[];
  /** The suite's own keys in `--json`, under the names that scripts read. */
  readonly figures: (results: readonly TrialResult[]) => Readonly<Record<string, unknown>>;
  readonly published: readonly PublishedFigure[];
}
