import type { RunConfig } from "../src/protocol/command.ts";
import type { InjectionSource } from "../src/protocol/fact.ts";
import type { LogRecord } from "../src/protocol/log-record.ts";
import type { Call, StopReason } from "../src/protocol/message.ts";
import type { Policy } from "../src/protocol/policy.ts";
import type { QueueMode } from "../src/protocol/queue-mode.ts";
import { EMPTY, type Queue } from "./queue.ts";

/** The tool batch of the turn has collected its results (told by the engine, not by the log). */
export interface BatchCollected {
  readonly type: "batch.collected";
  readonly seq: number;
  /** Every result asked to terminate (spec T10). */
  readonly terminate: boolean;
}

export type TraceEvent = LogRecord | BatchCollected;

/** What the Trace remembers: ids, counters and choices. Message bodies live outside. */
export interface TraceContext {
  readonly policy: Policy;
  readonly steering: Queue;
  readonly followUp: Queue;
  readonly steeringMode: QueueMode;
  readonly followUpMode: QueueMode;
  /** Number of the current or last Trace, from 1. */
  readonly trace: number;
  /** Number of the current Turn in the Trace, from 1. */
  readonly turn: number;
  /** The id of the current or last Trace, `t<n>`. */
  readonly traceId: string;
  /** Where the current Turn is, as the ids of its effects begin: `t<n>/n<m>/`. */
  readonly place: string;
  readonly run: RunConfig;
  /** Between a Trace's start and the settlement of its agent_end listeners (spec INV-A2). */
  readonly running: boolean;
  readonly aborted: boolean;
  /** The Trace was started by continue() without messages. */
  readonly continuation: boolean;
  /** P0 looks at the steering queue, unless continue() has just drained it (spec P0). */
  readonly pollsInitially: boolean;
  /** Messages that prepareNextTurn supplied for the next turn. */
  readonly prepared: Queue;
  /** Messages that the next injection delivers. */
  readonly pending: Queue;
  readonly pendingFrom: Extract<InjectionSource, "prompt" | "steering" | "followUp">;
  /** continue() has made them its prompt: they are delivered whatever happens to their queue (spec P4). */
  readonly committed: boolean;
  /** The id of the current assistant message. */
  readonly reply: string;
  readonly stopReason: StopReason | null;
  readonly calls: readonly Call[];
  /** The batch wants another request (spec E6). */
  readonly moreToolCalls: boolean;
  /** What finishTurn decided (spec L11). */
  readonly decision: "end" | "continue" | null;
  /** The failure message is the only message of the Trace (spec E11). */
  readonly failure: string | null;
}

const NO_RUN: RunConfig = { hooks: [], toolExecution: "parallel" };

/** The context of an idle Trace machine. */
export function idleContext(policy: Policy, steeringMode: QueueMode, followUpMode: QueueMode): TraceContext {
  return {
    policy,
    steering: EMPTY,
    followUp: EMPTY,
    steeringMode,
    followUpMode,
    trace: 0,
    turn: 0,
    traceId: "",
    place: "",
    run: NO_RUN,
    running: false,
    aborted: false,
    continuation: false,
    pollsInitially: true,
    prepared: EMPTY,
    pending: EMPTY,
    pendingFrom: "prompt",
    committed: false,
    reply: "",
    stopReason: null,
    calls: [],
    moreToolCalls: false,
    decision: null,
    failure: null,
  };
}
