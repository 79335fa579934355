import { messageId, traceId, turnPlace } from "../src/protocol/ids.ts";
import type { QueueName } from "../src/protocol/queue-mode.ts";
import { drain, EMPTY, enqueue, undrain } from "./queue.ts";
import type { TraceContext, TraceEvent } from "./trace-context.ts";

interface Args {
  readonly context: TraceContext;
  readonly event: TraceEvent;
}
type Update = Partial<TraceContext>;

const idsOf = (event: TraceEvent, messages: readonly unknown[]) => messages.map((_, n) => messageId(event.seq, n));

const opened = (context: TraceContext, event: TraceEvent): Update => ({
  trace: context.trace + 1,
  traceId: traceId(context.trace + 1),
  turn: 1,
  place: turnPlace(context.trace + 1, 1),
  running: true,
  aborted: false,
  continuation: false,
  pollsInitially: true,
  prepared: EMPTY,
  pending: EMPTY,
  pendingFrom: "prompt",
  committed: false,
  stopReason: null,
  calls: [],
  moreToolCalls: false,
  decision: null,
  failure: null,
  ...(event.type === "prompt" || event.type === "continue" ? { run: event.run } : {}),
});

const drainedTo = (context: TraceContext, queue: QueueName): Update => {
  const { taken, left } = drain(context[queue], queue === "steering" ? context.steeringMode : context.followUpMode);
  return { [queue]: left, pending: taken };
};

const emptied = (context: TraceContext, queue: QueueName): Update => ({
  [queue]: EMPTY,
  ...(context.policy.drained === "reserved" && context.pendingFrom === queue && !context.committed
    ? { pending: EMPTY }
    : {}),
});

const drainedGoesBack = (context: TraceContext): Update =>
  context.pendingFrom === "prompt" || context.committed
    ? {}
    : { pending: EMPTY, [context.pendingFrom]: undrain(context.pending, context[context.pendingFrom]) };

const returned = (context: TraceContext): Update => ({
  pending: EMPTY,
  prepared: EMPTY,
  ...drainedGoesBack(context),
});

/** What each named assign of the Trace machine changes. Pure: (context, event) to the changed keys. */
export const traceUpdates = {
  openTraceWithPrompt: ({ context, event }: Args): Update => ({
    ...opened(context, event),
    pending: event.type === "prompt" ? idsOf(event, event.messages) : EMPTY,
  }),
  openTraceWithSteering: ({ context, event }: Args): Update => ({
    ...opened(context, event),
    ...drainedTo(context, "steering"),
    pendingFrom: "steering",
    committed: true,
    pollsInitially: false,
  }),
  openTraceWithFollowUps: ({ context, event }: Args): Update => ({
    ...opened(context, event),
    ...drainedTo(context, "followUp"),
    pendingFrom: "followUp",
    committed: true,
    pollsInitially: context.policy.continuedFollowUps === "with-steering",
  }),
  openTraceAsContinuation: ({ context, event }: Args): Update => ({ ...opened(context, event), continuation: true }),
  closeTrace: (): Update => ({ running: false, pending: EMPTY, prepared: EMPTY, calls: [] }),
  markAborted: (): Update => ({ aborted: true }),

  queueSteering: ({ context, event }: Args): Update => ({
    steering: enqueue(context.steering, messageId(event.seq, 0)),
  }),
  queueFollowUp: ({ context, event }: Args): Update => ({
    followUp: enqueue(context.followUp, messageId(event.seq, 0)),
  }),
  clearSteering: ({ context }: Args): Update => emptied(context, "steering"),
  clearFollowUp: ({ context }: Args): Update => emptied(context, "followUp"),
  setSteeringMode: ({ event }: Args): Update => (event.type === "setSteeringMode" ? { steeringMode: event.mode } : {}),
  setFollowUpMode: ({ event }: Args): Update => (event.type === "setFollowUpMode" ? { followUpMode: event.mode } : {}),

  drainSteering: ({ context }: Args): Update => ({ ...drainedTo(context, "steering"), pendingFrom: "steering" }),
  drainFollowUp: ({ context }: Args): Update => ({ ...drainedTo(context, "followUp"), pendingFrom: "followUp" }),
  takePolledSteering: ({ event }: Args): Update =>
    event.type === "queue.polled" ? { pending: idsOf(event, event.messages), pendingFrom: "steering" } : {},
  takePolledFollowUps: ({ event }: Args): Update =>
    event.type === "queue.polled" ? { pending: idsOf(event, event.messages), pendingFrom: "followUp" } : {},
  takePrepared: ({ event }: Args): Update =>
    event.type === "turn.prepared" && event.messages ? { prepared: idsOf(event, event.messages) } : {},
  forgetPending: ({ context }: Args): Update =>
    context.pending.length === 0 && context.prepared.length === 0
      ? {}
      : { pending: EMPTY, prepared: EMPTY, committed: false },
  returnDrained: ({ context }: Args): Update => drainedGoesBack(context),
  returnPending: ({ context }: Args): Update => returned(context),
  dropPending: ({ context }: Args): Update =>
    context.policy.drained === "reserved" ? returned(context) : { pending: EMPTY, prepared: EMPTY },

  openNextTurn: ({ context }: Args): Update => ({
    turn: context.turn + 1,
    place: turnPlace(context.trace, context.turn + 1),
    stopReason: null,
    calls: [],
  }),
  openReply: ({ event }: Args): Update => ({ reply: messageId(event.seq, 0) }),
  takeReply: ({ event }: Args): Update =>
    event.type === "model.replied"
      ? { stopReason: event.stopReason, calls: event.calls, moreToolCalls: false, decision: null }
      : {},
  takeBatch: ({ event }: Args): Update => (event.type === "batch.collected" ? { moreToolCalls: !event.terminate } : {}),
  takeDecision: ({ event }: Args): Update =>
    event.type === "turn.finished" ? { decision: event.decision ?? null } : {},
  takeFailure: ({ event }: Args): Update => ({ failure: messageId(event.seq, 0) }),
};
