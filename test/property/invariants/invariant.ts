import type { Moment } from "./moment.ts";
import type { Mutation } from "./mutations.ts";

/** A rule that every run keeps, as a pure check. */
export interface Invariant {
  /** The id in the specification. */
  readonly id: string;
  readonly statement: string;
  /** Every violation, in words; empty when the run keeps the rule. */
  readonly violations: (moments: readonly Moment[]) => readonly string[];
  /** Ways to break a run that the check must notice. */
  readonly broken: readonly Mutation[];
}
