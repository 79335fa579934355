import type { TraceContext, TraceEvent } from "./trace-context.ts";

interface Args {
  readonly context: TraceContext;
  readonly event: TraceEvent;
}

const ownQueues = (context: TraceContext) => context.policy.queues === "own";
const abortEndsHere = (context: TraceContext) => context.aborted && context.policy.onAbort === "boundary";
const turnIsOwed = (context: TraceContext) => context.moreToolCalls || context.decision === "continue";
const hasHook = (context: TraceContext, hook: TraceContext["run"]["hooks"][number]) => context.run.hooks.includes(hook);
const pendingWaits = (context: TraceContext) => context.pending.length > 0;
const steeringWaits = (context: TraceContext) =>
  ownQueues(context) && context.steering.length > 0 && !abortEndsHere(context);

/** The questions that the Trace machine asks, each named after the rule that it carries. */
export const traceGuards = {
  isRunning: ({ context }: Args) => context.running,

  nothingToContinue: ({ event }: Args) =>
    event.type === "continue" && (event.lastRole === null || !event.hasConversation),
  assistantIsLast: ({ event }: Args) => event.type === "continue" && event.lastRole === "assistant",
  continuesWithSteering: ({ context, event }: Args) =>
    event.type === "continue" && event.lastRole === "assistant" && ownQueues(context) && context.steering.length > 0,
  continuesWithFollowUps: ({ context, event }: Args) =>
    event.type === "continue" && event.lastRole === "assistant" && ownQueues(context) && context.followUp.length > 0,

  initialPollIsSkipped: ({ context }: Args) => !context.pollsInitially,

  ownQueues: ({ context }: Args) => ownQueues(context),
  steeringWaits: ({ context }: Args) => steeringWaits(context),
  followUpWaits: ({ context }: Args) => ownQueues(context) && context.followUp.length > 0,
  steeringWaitsAndNothingIsPending: ({ context }: Args) => !pendingWaits(context) && steeringWaits(context),
  polledSomething: ({ event }: Args) => event.type === "queue.polled" && event.messages.length > 0,
  hostQueuesNeedNoPoll: ({ context }: Args) => !ownQueues(context) && pendingWaits(context),

  hasNoRequestHook: ({ context }: Args) => !hasHook(context, "prepareRequest"),
  hasNoFinishHook: ({ context }: Args) => !hasHook(context, "finishTurn"),
  hasNoNextTurnHook: ({ context }: Args) => !hasHook(context, "prepareNextTurn"),

  replyFailed: ({ context }: Args) => context.stopReason === "error" || context.stopReason === "aborted",
  replyHasCalls: ({ context }: Args) => context.calls.length > 0,

  finishTurnSaidEnd: ({ context }: Args) => context.decision === "end",
  abortEndsHereOwingATurn: ({ context, event }: Args) =>
    abortEndsHere(context) &&
    (turnIsOwed(context) || (event.type === "turn.prepared" && (event.messages?.length ?? 0) > 0)),
  abortEndsHere: ({ context }: Args) => abortEndsHere(context),
  ownMoreToolCalls: ({ context }: Args) => ownQueues(context) && context.moreToolCalls,
  moreToolCalls: ({ context }: Args) => context.moreToolCalls,
  ownFinishTurnSaidContinue: ({ context }: Args) => ownQueues(context) && context.decision === "continue",
  finishTurnSaidContinue: ({ context }: Args) => context.decision === "continue",
  ownTurnHasAReason: ({ context }: Args) =>
    ownQueues(context) && (turnIsOwed(context) || pendingWaits(context) || context.prepared.length > 0),

  failureTakesATurn: ({ context }: Args) => context.policy.onFailure === "turn",
  failureAfterAnAbort: ({ context }: Args) => context.policy.onFailure === "turn" && abortEndsHere(context),
  failureAfterAFailedReply: ({ context }: Args) =>
    context.policy.onFailure === "turn" && (context.stopReason === "error" || context.stopReason === "aborted"),
  failureRejects: ({ context }: Args) => context.policy.onFailure === "reject",
};
