import { produce } from "immer";
import type { CallOutcome, Fact, InjectionSource, PollPoint } from "../protocol/fact.ts";
import { messageId } from "../protocol/ids.ts";
import type { LogRecord } from "../protocol/log-record.ts";
import type { QueueName } from "../protocol/queue-mode.ts";
import { messageText } from "./message-text.ts";
import type { ReplayedStep } from "./replayer.ts";

/** A place in the log: the record and its time (milliseconds since 1970). */
export interface Moment {
  readonly seq: number;
  readonly at: number;
}

/** The life of a queued message: when it was queued, drained, delivered, and seen by the model. */
export interface QueuedLife {
  readonly id: string;
  readonly queue: QueueName;
  readonly text: string;
  readonly queued: Moment;
  drained?: Moment & { readonly poll: PollPoint };
  delivered?: Moment & { readonly trace: string | null; readonly turn: number };
  /** The model request that carried it first. */
  seen?: Moment & { readonly request: string };
  returned?: Moment;
  lost?: Moment;
}

/** One tool call of a turn. */
export interface TimelineCall {
  readonly id: string;
  readonly name: string;
  readonly started: Moment;
  ended?: Moment & { readonly outcome: CallOutcome; readonly isError: boolean };
}

/** One turn: what was injected, the request, the reply and its calls. */
export interface TimelineTurn {
  readonly turn: number;
  readonly started: Moment;
  injected: { readonly id: string; readonly from: InjectionSource; readonly text: string }[];
  request?: Moment & { readonly id: string };
  reply?: Moment & { readonly stopReason: string; readonly text: string };
  calls: TimelineCall[];
  ended?: Moment;
}

export interface TimelineTrace {
  readonly id: string;
  readonly started: Moment;
  turns: TimelineTurn[];
  aborted?: Moment;
  ended?: Moment;
}

/** Session ⊃ Trace ⊃ Turn, as a read model over the log. */
export interface Timeline {
  traces: TimelineTrace[];
  queued: QueuedLife[];
  refused: (Moment & { readonly command: string; readonly code: string })[];
  /** Texts of messages that are not delivered yet. */
  texts: Record<string, string>;
}

export const EMPTY_TIMELINE: Timeline = { traces: [], queued: [], refused: [], texts: {} };

/** The timeline after one more step. The given one stays as it is and shares what did not change. */
export function advanceTimeline(timeline: Timeline, step: ReplayedStep): Timeline {
  return produce(timeline, (draft) => {
    const moment = { seq: step.record.seq, at: step.record.at };
    learnTexts(draft, step.record);
    for (const fact of step.facts) applyFact(draft, fact, moment, step.record);
    const request = step.effects.find((effect) => effect.type === "model.request");
    if (request) applyRequest(draft, { ...moment, id: request.id });
    if (step.record.type === "model.replied") {
      const turn = currentTurn(draft);
      const { stopReason, message } = step.record;
      if (turn) turn.reply = { ...moment, stopReason, text: messageText(message) };
    }
  });
}

/** Inputs whose messages are delivered later, under ids that follow from the record. */
function learnTexts(draft: Timeline, record: LogRecord): void {
  for (const { id, message } of messagesOf(record)) if (message) draft.texts[id] = messageText(message);
}

function messagesOf(record: LogRecord): readonly { readonly id: string; readonly message?: unknown }[] {
  switch (record.type) {
    case "steer":
    case "followUp":
      return [{ id: messageId(record.seq, 0), message: record.message }];
    case "prompt":
    case "queue.polled":
    case "turn.prepared":
      return (record.messages ?? []).map((message, n) => ({ id: messageId(record.seq, n), message }));
    case "tools.declared":
      return (record.messages ?? []).map(({ id, message }, n) => ({ id: id ?? messageId(record.seq, n), message }));
    default:
      return [];
  }
}

function applyFact(draft: Timeline, fact: Fact, moment: Moment, record: LogRecord): void {
  const trace = draft.traces.at(-1);
  const turn = trace?.turns.at(-1);
  switch (fact.type) {
    case "trace.started":
      draft.traces.push({ id: fact.trace ?? "", started: moment, turns: [] });
      return;
    case "turn.started":
      trace?.turns.push({ turn: fact.turn, started: moment, injected: [], calls: [] });
      return;
    case "input.accepted":
      draft.queued.push({ id: fact.message, queue: fact.queue, text: draft.texts[fact.message] ?? "", queued: moment });
      return;
    case "input.drained":
      for (const life of livesOf(draft, fact.messages)) life.drained = { ...moment, poll: fact.poll };
      return;
    case "input.delivered":
      turn?.injected.push({ id: fact.message, from: fact.from, text: draft.texts[fact.message] ?? "" });
      for (const life of livesOf(draft, [fact.message]))
        life.delivered = { ...moment, trace: fact.trace, turn: fact.turn };
      delete draft.texts[fact.message];
      return;
    case "input.returned":
      for (const life of livesOf(draft, fact.messages)) life.returned = moment;
      return;
    case "input.lost":
      for (const life of livesOf(draft, fact.messages)) life.lost = moment;
      return;
    case "input.refused":
      draft.refused.push({ ...moment, command: record.type, code: fact.code });
      return;
    case "tool.started":
      turn?.calls.push({ id: fact.callId, name: fact.name, started: moment });
      return;
    case "tool.ended": {
      const call = turn?.calls[fact.call];
      if (call) call.ended = { ...moment, outcome: fact.outcome, isError: fact.isError };
      return;
    }
    case "abort.requested":
      if (trace) trace.aborted ??= moment;
      return;
    case "turn.ended":
      if (turn) turn.ended = moment;
      return;
    case "trace.ended":
      if (trace) trace.ended = moment;
      return;
    default:
      return;
  }
}

function applyRequest(draft: Timeline, request: Moment & { readonly id: string }): void {
  const turn = currentTurn(draft);
  if (!turn) return;
  turn.request = request;
  const { seq, at, id } = request;
  for (const life of draft.queued) if (life.delivered && !life.seen) life.seen = { seq, at, request: id };
}

function currentTurn(draft: Timeline): TimelineTurn | undefined {
  return draft.traces.at(-1)?.turns.at(-1);
}

function livesOf(draft: Timeline, ids: readonly string[]): QueuedLife[] {
  return draft.queued.filter((life) => ids.includes(life.id));
}
