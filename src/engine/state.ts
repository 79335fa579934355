import type { ToolBatchContext } from "../../machines/tool-batch-context.ts";
import { idleContext, type TraceContext } from "../../machines/trace-context.ts";
import type { Effect } from "../protocol/effect.ts";
import { LifecycleError } from "../protocol/errors.ts";
import type { LogRecord, RecordOf } from "../protocol/log-record.ts";
import type { Policy } from "../protocol/policy.ts";
import type { QueueMode } from "../protocol/queue-mode.ts";
import type { MachineState } from "./machine-state.ts";

/** Everything that the engine knows: plain data, a function of the log. */
export interface State {
  /** The last record that was folded in. */
  readonly seq: number;
  readonly trace: MachineState<TraceContext>;
  /** The tool batch of the current turn, while there is one. */
  readonly batch: MachineState<ToolBatchContext> | null;
  /** Effects that have no outcome yet, oldest first. After a crash: what nobody works on (law 4). */
  readonly outstanding: readonly Effect[];
}

/** The modes that the queues start with. */
export interface InitialModes {
  readonly steeringMode?: QueueMode;
  readonly followUpMode?: QueueMode;
}

/**
 * The state before any input but `log.opened`: idle, both queues empty.
 *
 * @throws LifecycleError `policy-unsupported` for queues of the host with flags that only own queues can keep.
 */
export function init(policy: Policy, modes: InitialModes = {}): State {
  if (policy.queues === "host" && (policy.drained === "reserved" || policy.onAbort === "boundary")) {
    throw new LifecycleError("policy-unsupported", { policy });
  }
  const { steeringMode = "one-at-a-time", followUpMode = "one-at-a-time" } = modes;
  return {
    seq: 0,
    trace: { value: "idle", context: idleContext(policy, steeringMode, followUpMode) },
    batch: null,
    outstanding: [],
  };
}

/**
 * The state that a log's first record opens.
 *
 * @throws LifecycleError `log-not-opened` when the record is another one.
 */
export function open(record: LogRecord): State {
  if (!isOpened(record)) throw new LifecycleError("log-not-opened", { seq: record.seq, type: record.type });
  return init(record.policy, record);
}

function isOpened(record: LogRecord): record is RecordOf<"log.opened"> {
  return record.type === "log.opened" && record.seq === 0;
}

/** Busy from an accepted prompt or continuation until the listeners of agent_end have settled (spec A5, INV-A2). */
export function isBusy(state: State): boolean {
  return state.trace.context.running;
}
