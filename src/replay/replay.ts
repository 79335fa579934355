import type { State } from "../engine/state.ts";
import type { Step } from "../engine/step.ts";
import { LifecycleError } from "../protocol/errors.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { type ReplayedStep, Replayer } from "./replayer.ts";

/**
 * Folds a log record by record. No effect runs: effects come back as data.
 *
 * @param step The engine; the compiled tables by default.
 * @throws LifecycleError `log-not-opened`, `sequence-gap`; DivergenceError with the first diverging record and part.
 */
export function* replay(records: Iterable<LogRecord>, step?: Step): Generator<ReplayedStep, void, void> {
  const replayer = new Replayer(step);
  for (const record of records) yield replayer.advance(record);
}

/**
 * The state at the end of a log.
 *
 * @throws as `replay`; LifecycleError `log-not-opened` for an empty log.
 */
export function fold(records: Iterable<LogRecord>, step?: Step): State {
  let last: State | undefined;
  for (const { state } of replay(records, step)) last = state;
  if (!last) throw new LifecycleError("log-not-opened", { records: 0 });
  return last;
}
