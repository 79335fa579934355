import { open, type State } from "../engine/state.ts";
import { step as compiledStep, type Step, type StepResult } from "../engine/step.ts";
import { stepDigest } from "../engine/step-digest.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { DivergenceError } from "./divergence-error.ts";

/** One record and what it did. */
export interface ReplayedStep extends StepResult {
  readonly record: LogRecord;
}

/** Folds a log one record at a time, so that a viewer can follow it while it grows. No effect runs. */
export class Replayer {
  readonly #step: Step;
  #state: State | undefined;

  /** @param step The engine; the compiled tables by default. */
  constructor(step: Step = compiledStep) {
    this.#step = step;
  }

  /**
   * Takes the next record. Where it carries digests, they must be those of the replay (law 3).
   *
   * @throws LifecycleError `log-not-opened`, `sequence-gap`; DivergenceError with the record and the part.
   */
  advance(record: LogRecord): ReplayedStep {
    const result: StepResult = this.#state
      ? this.#step(this.#state, record)
      : { state: open(record), facts: [], effects: [] };
    verify(record, result);
    this.#state = result.state;
    return { record, ...result };
  }
}

function verify(record: LogRecord, result: StepResult): void {
  const recorded = record.digest;
  if (!recorded) return;
  const derived = stepDigest(result);
  for (const part of ["state", "facts", "effects"] as const) {
    if (derived[part] !== recorded[part]) throw new DivergenceError(record, part, recorded[part], derived[part]);
  }
}
