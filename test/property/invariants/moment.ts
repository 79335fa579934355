import type { Effect } from "../../../src/protocol/effect.ts";
import type { Fact } from "../../../src/protocol/fact.ts";
import type { LogRecord, RecordOf } from "../../../src/protocol/log-record.ts";
import type { StopReason } from "../../../src/protocol/message.ts";
import type { QueueMode, QueueName } from "../../../src/protocol/queue-mode.ts";

/** One record, what followed from it, and what could be seen after it. Invariants judge lists of these and nothing else. */
export interface Moment {
  readonly record: LogRecord;
  readonly facts: readonly Fact[];
  readonly effects: readonly Effect[];
  readonly steering: readonly string[];
  readonly followUp: readonly string[];
  readonly busy: boolean;
}

/** What the invariants know of a moment from the moments before it. */
export interface Situation {
  readonly moment: Moment;
  readonly before: Moment | undefined;
  /** The record was taken: neither refused nor ignored. */
  readonly taken: boolean;
  readonly modes: Readonly<Record<QueueName, QueueMode>>;
  /** An abort was requested in this Trace before this record. */
  readonly aborted: boolean;
  readonly toolExecution: "parallel" | "sequential";
  /** The last whole reply of this Trace. */
  readonly reply: RecordOf<"model.replied"> | undefined;
  /** What finishTurn said after that reply. */
  readonly decision: "end" | "continue" | undefined;
  /** Which calls of that reply have asked to terminate, by their place. */
  readonly terminating: ReadonlySet<number>;
}

/** The moments of a run, each with what led to it. */
export function situationsOf(moments: readonly Moment[]): readonly Situation[] {
  const modes: Record<QueueName, QueueMode> = { steering: "one-at-a-time", followUp: "one-at-a-time" };
  let aborted = false;
  let toolExecution: Situation["toolExecution"] = "parallel";
  let reply: Situation["reply"];
  let decision: Situation["decision"];
  let terminating = new Set<number>();
  return moments.map((moment, n): Situation => {
    const { record, facts } = moment;
    const taken = !facts.some(({ type }) => type === "input.refused" || type === "outcome.ignored");
    if (taken && (record.type === "prompt" || record.type === "continue")) {
      aborted = false;
      reply = undefined;
      decision = undefined;
      toolExecution = record.run.toolExecution;
    }
    if (record.type === "log.opened") {
      modes.steering = record.steeringMode;
      modes.followUp = record.followUpMode;
    }
    if (taken && record.type === "setSteeringMode") modes.steering = record.mode;
    if (taken && record.type === "setFollowUpMode") modes.followUp = record.mode;
    if (taken && record.type === "model.replied") {
      reply = record;
      decision = undefined;
      terminating = new Set();
    }
    if (taken && record.type === "turn.finished") decision = record.decision;
    if (taken && terminates(record)) terminating.add(record.call);
    const before = moments[n - 1];
    const situation = { moment, before, taken, modes: { ...modes }, aborted, toolExecution, reply, decision };
    if (facts.some(({ type }) => type === "abort.requested")) aborted = true;
    return { ...situation, terminating: new Set(terminating) };
  });
}

function terminates(record: LogRecord): record is RecordOf<"tool.finished"> | RecordOf<"tool.prepared"> {
  if (record.type === "tool.finished") return record.outcome.kind === "finished" && record.outcome.terminate === true;
  return record.type === "tool.prepared" && record.verdict.kind === "refused" && record.verdict.terminate === true;
}

export function isFailed(stopReason: StopReason): boolean {
  return stopReason === "error" || stopReason === "aborted";
}
