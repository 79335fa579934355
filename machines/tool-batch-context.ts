import type { RunConfig } from "../src/protocol/command.ts";
import type { LogRecord } from "../src/protocol/log-record.ts";
import type { Call, StopReason } from "../src/protocol/message.ts";

/** The reply that brings a batch (told by the engine, not by the log). */
export interface BatchOpened {
  readonly type: "batch.opened";
  readonly seq: number;
  readonly traceId: string;
  readonly turn: number;
  readonly place: string;
  readonly calls: readonly Call[];
  readonly stopReason: StopReason | null;
  readonly toolExecution: RunConfig["toolExecution"];
  readonly aborted: boolean;
}

export type ToolBatchEvent = LogRecord | BatchOpened;

/** Where a call stands. */
export type CallPhase = "waiting" | "ready" | "ended";

/** What the batch remembers of each call, by its place in the message. */
export interface ToolBatchContext {
  readonly traceId: string;
  readonly turn: number;
  readonly place: string;
  readonly calls: readonly Call[];
  readonly phases: readonly CallPhase[];
  /** Which results asked to end the run after this batch (spec T10). */
  readonly terminates: readonly boolean[];
  /** The call that is being started or prepared. */
  readonly cursor: number;
  readonly mode: "sequential" | "parallel" | "truncated";
  readonly aborted: boolean;
}

/** The context of a batch that has not been opened. */
export const CLOSED_BATCH: ToolBatchContext = {
  traceId: "",
  turn: 0,
  place: "",
  calls: [],
  phases: [],
  terminates: [],
  cursor: 0,
  mode: "parallel",
  aborted: false,
};

/** Whether every result asks to end the run (spec T10). */
export function batchTerminates(context: ToolBatchContext): boolean {
  return context.calls.length > 0 && context.terminates.every((terminates) => terminates);
}
