import { toolBatchMachine } from "../../machines/tool-batch.ts";
import {
  batchTerminates,
  CLOSED_BATCH,
  type ToolBatchContext,
  type ToolBatchEvent,
} from "../../machines/tool-batch-context.ts";
import { traceMachine } from "../../machines/trace.ts";
import type { TraceContext, TraceEvent } from "../../machines/trace-context.ts";
import type { Effect } from "../protocol/effect.ts";
import { LifecycleError } from "../protocol/errors.ts";
import type { Fact, FactBody } from "../protocol/fact.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import { answers } from "./answers.ts";
import type { Chart } from "./chart.ts";
import type { Products } from "./collect.ts";
import { compileMachine } from "./compiled.ts";
import type { MachineState, MachineStep } from "./machine-state.ts";
import { reissue } from "./reissue.ts";
import type { State } from "./state.ts";

/** What one input did. */
export interface StepResult {
  readonly state: State;
  /** What follows from the input, in order. */
  readonly facts: readonly Fact[];
  /** What the outside is asked to do, in order. */
  readonly effects: readonly Effect[];
}

export type Step = (state: State, record: LogRecord) => StepResult;

/** The two machines of the Trace, as step functions of one engine. */
export interface MachineSteps {
  readonly trace: MachineStep<TraceContext, TraceEvent>;
  readonly batch: MachineStep<ToolBatchContext, ToolBatchEvent>;
}

/** The step function of an engine: both machines in a fixed order, outcomes held against what is outstanding. */
export function stepWith(machines: MachineSteps): Step {
  return (state, record) => {
    if (record.seq !== state.seq + 1) {
      const details = { expected: state.seq + 1, found: record.seq };
      const text = `Record ${details.found} does not follow record ${state.seq}.`;
      throw new LifecycleError("sequence-gap", details, text);
    }
    if (record.type === "log.resumed") return reissue({ ...state, seq: record.seq });
    const answered = isOutcome(record) ? state.outstanding.findIndex((effect) => answers(record, effect)) : -1;
    if (isOutcome(record) && answered < 0) return ignored({ ...state, seq: record.seq }, record);
    const expected = "expect" in record ? record.expect?.traceId : undefined;
    if (expected !== undefined && expected !== runningTrace(state))
      return refused({ ...state, seq: record.seq }, record);
    return advance(machines, state, record, answered);
  };
}

/** The engine of the machines' compiled tables. Pure: no clock, no randomness, no I/O. */
export const step: Step = stepWith({
  trace: compileMachine(traceMachine as unknown as Chart),
  batch: compileMachine(toolBatchMachine as unknown as Chart),
});

function advance(machines: MachineSteps, state: State, record: LogRecord, answered: number): StepResult {
  const products: Products = { facts: [], effects: [] };
  let batch = state.batch;
  if (batch && (record.type === "abort" || record.type.startsWith("tool."))) {
    batch = machines.batch(batch, record, products);
  }
  let trace = machines.trace(state.trace, record, products);
  if (trace.value === "toolBatch" && !batch) {
    batch = machines.batch({ value: "closed", context: CLOSED_BATCH }, batchOpened(trace, record.seq), products);
  }
  if (batch?.value === "collected") {
    const terminate = batchTerminates(batch.context);
    batch = null;
    trace = machines.trace(trace, { type: "batch.collected", seq: record.seq, terminate }, products);
  } else if (trace.value !== "toolBatch") {
    batch = null;
  }
  const { facts, effects } = products;
  const outstanding = outstandingAfter(state, record, answered, effects);
  return { state: { seq: record.seq, trace, batch, outstanding }, facts, effects };
}

function batchOpened({ context }: MachineState<TraceContext>, seq: number): ToolBatchEvent {
  const { traceId, turn, place, calls, stopReason, run, aborted } = context;
  return {
    type: "batch.opened",
    seq,
    traceId,
    turn,
    place,
    calls,
    stopReason,
    toolExecution: run.toolExecution,
    aborted,
  };
}

function outstandingAfter(state: State, record: LogRecord, answered: number, effects: readonly Effect[]) {
  const added = effects.filter((effect) => effect.type !== "signal.abort");
  if (record.type === "run.failed") return added;
  if (answered < 0) return added.length === 0 ? state.outstanding : [...state.outstanding, ...added];
  // Records that tell of progress leave the effect open: the reply is still to come.
  if (record.type === "model.started") return state.outstanding;
  return state.outstanding.length === 1 ? added : [...state.outstanding.toSpliced(answered, 1), ...added];
}

const COMMANDS: ReadonlySet<string> = new Set([
  "prompt",
  "continue",
  "steer",
  "followUp",
  "clearSteering",
  "clearFollowUp",
  "clearAll",
  "setSteeringMode",
  "setFollowUpMode",
  "abort",
  "reset",
  "editTranscript",
]);

function isOutcome(record: LogRecord): boolean {
  return !COMMANDS.has(record.type);
}

/** The id of the Trace that is running, or null. */
export function runningTrace(state: State): string | null {
  const { running, traceId } = state.trace.context;
  return running ? traceId : null;
}

function refused(state: State, record: LogRecord): StepResult {
  const command = record.type as Extract<FactBody, { type: "input.refused" }>["command"];
  return alone(state, { type: "input.refused", command, code: "trace-mismatch" });
}

/** A late or repeated outcome of a run that is over changes nothing. */
function ignored(state: State, record: LogRecord): StepResult {
  return alone(state, { type: "outcome.ignored", outcome: record.type, effect: record.id });
}

function alone(state: State, body: FactBody): StepResult {
  const { running, turn } = state.trace.context;
  const place = { seq: state.seq, trace: runningTrace(state), turn: running ? turn : 0 };
  return { state, facts: [{ ...body, ...place }], effects: [] };
}
