import { queued } from "../../src/engine/queue.ts";
import { isBusy } from "../../src/engine/state.ts";
import type { StepResult } from "../../src/engine/step.ts";
import type { LogRecord } from "../../src/protocol/log-record.ts";
import type { Moment } from "./invariants/moment.ts";

/** The steps of a run as the invariants see them. */
export function momentsOf(steps: Iterable<StepResult & { readonly record: LogRecord }>): readonly Moment[] {
  return Array.from(steps, ({ record, state, facts, effects }) => ({
    record,
    facts,
    effects,
    steering: queued(state, "steering"),
    followUp: queued(state, "followUp"),
    busy: isBusy(state),
  }));
}
