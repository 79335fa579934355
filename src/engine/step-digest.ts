import { digest } from "../protocol/canonical.ts";
import type { StepDigest } from "../protocol/log-record.ts";
import type { State } from "./state.ts";
import type { StepResult } from "./step.ts";

/** The digest of a whole state: 64 hex digits. Equal states, equal digests, on any machine (law 3). */
export function stateDigest(state: State): string {
  return digest(state);
}

/** The three digests that a record may carry. */
export function stepDigest({ state, facts, effects }: StepResult): StepDigest {
  return { state: short(state), facts: short(facts), effects: short(effects) };
}

function short(value: unknown): string {
  return digest(value).slice(0, 16);
}
