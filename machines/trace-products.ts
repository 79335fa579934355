import type { HookName } from "../src/protocol/command.ts";
import type { EffectBody } from "../src/protocol/effect.ts";
import type { RefusalCode } from "../src/protocol/errors.ts";
import type { FactBody, InjectionSource, PollPoint } from "../src/protocol/fact.ts";
import { effectId, messageId } from "../src/protocol/ids.ts";
import type { QueueName } from "../src/protocol/queue-mode.ts";
import { identified, type Produced, type Product, placed } from "./product.ts";
import type { TraceContext, TraceEvent } from "./trace-context.ts";

interface Args {
  readonly context: TraceContext;
  readonly event: TraceEvent;
}

const fact = ({ context, event }: Args, body: FactBody): Product =>
  context.running ? placed(body, event.seq, context.traceId, context.turn) : placed(body, event.seq, null, 0);

const effect = ({ context }: Args, work: `${string}#1`, body: EffectBody): Product =>
  identified(body, effectId(context.place, work));

const settle = (args: Args, then: "trace.opened" | "turn.closed" | "trace.closed"): Product =>
  effect(args, `${then}#1`, { type: "listeners.settle", then });

const poll = (args: Args, queue: QueueName, point: PollPoint): Produced =>
  args.context.policy.queues === "host" ? effect(args, `${point}#1`, { type: "queue.poll", queue }) : undefined;

const runHook = (args: Args, hook: HookName): Produced =>
  args.context.run.hooks.includes(hook) ? effect(args, `${hook}#1`, { type: "hook.run", hook }) : undefined;

const refuse = (args: Args, code: RefusalCode): Produced =>
  args.event.type === "prompt" || args.event.type === "continue" || args.event.type === "reset"
    ? fact(args, { type: "input.refused", command: args.event.type, code })
    : undefined;

const giveBack = (args: Args, queue: QueueName): Produced => {
  const { context } = args;
  const isReserved = context.policy.drained === "reserved" && context.pendingFrom === queue && !context.committed;
  const reserved = isReserved ? context.pending : [];
  const messages = [...reserved, ...context[queue]];
  return messages.length === 0 ? undefined : fact(args, { type: "input.returned", messages, queue });
};

const drained = (args: Args, queue: QueueName, poll: PollPoint): Product =>
  fact(args, { type: "input.drained", messages: args.context.pending, queue, poll });

const sourceOfPending = (context: TraceContext): InjectionSource =>
  context.committed ? "prompt" : context.pendingFrom;

const sourceOf = (context: TraceContext, id: string): InjectionSource =>
  context.prepared.includes(id) ? "prepared" : context.pending.includes(id) ? sourceOfPending(context) : "declaration";

/** A message that went back to its queue meanwhile is not delivered; one without an id is new. */
const injectedId = (context: TraceContext, id: string | undefined, fresh: string): readonly string[] => {
  if (id === undefined) return [fresh];
  return context.prepared.includes(id) || context.pending.includes(id) ? [id] : [];
};

const deliver = (args: Args): Produced => {
  const { context, event } = args;
  const ids =
    event.type === "tools.declared" && event.messages
      ? event.messages.flatMap(({ id }, n) => injectedId(context, id, messageId(event.seq, n)))
      : [...context.prepared, ...context.pending];
  return ids.map((message) => fact(args, { type: "input.delivered", message, from: sourceOf(context, message) }));
};

const failureMessage = (args: Args): Produced => {
  const message = messageId(args.event.seq, 0);
  return [fact(args, { type: "message.started", message }), fact(args, { type: "message.ended", message })];
};

/** What the Trace machine tells (facts) and asks for (effects). Pure: data out of context and event. */
export const traceProducts = {
  tellTraceStarted: (args: Args) => fact(args, { type: "trace.started", continuation: args.context.continuation }),
  tellTurnStarted: (args: Args) => fact(args, { type: "turn.started" }),
  tellTurnEnded: (args: Args) => fact(args, { type: "turn.ended", message: args.context.reply }),
  tellFailedTurnEnded: (args: Args) => fact(args, { type: "turn.ended", message: messageId(args.event.seq, 0) }),
  tellTraceEnded: (args: Args) =>
    fact(args, { type: "trace.ended", ...(args.context.failure ? { failure: args.context.failure } : {}) }),
  tellRunRejected: (args: Args) => fact(args, { type: "run.rejected" }),

  tellSteeringAccepted: (args: Args) =>
    fact(args, { type: "input.accepted", message: messageId(args.event.seq, 0), queue: "steering" }),
  tellFollowUpAccepted: (args: Args) =>
    fact(args, { type: "input.accepted", message: messageId(args.event.seq, 0), queue: "followUp" }),
  tellSteeringReturned: (args: Args) => giveBack(args, "steering"),
  tellFollowUpReturned: (args: Args) => giveBack(args, "followUp"),
  tellSteeringModeChanged: (args: Args) =>
    args.event.type === "setSteeringMode"
      ? fact(args, { type: "queue.mode.changed", queue: "steering", mode: args.event.mode })
      : undefined,
  tellFollowUpModeChanged: (args: Args) =>
    args.event.type === "setFollowUpMode"
      ? fact(args, { type: "queue.mode.changed", queue: "followUp", mode: args.event.mode })
      : undefined,
  tellAbortRequested: (args: Args) => fact(args, { type: "abort.requested" }),
  tellTranscriptEdited: (args: Args) => fact(args, { type: "transcript.edited" }),
  tellTranscriptReset: (args: Args) => fact(args, { type: "transcript.reset" }),
  tellPendingLost: (args: Args): Produced => {
    const { context } = args;
    const kept = context.policy.drained === "reserved" && context.pendingFrom !== "prompt" && !context.committed;
    const messages = kept ? context.prepared : [...context.prepared, ...context.pending];
    return messages.length === 0 ? undefined : fact(args, { type: "input.lost", messages });
  },

  tellDrainedAtP0: (args: Args) => drained(args, "steering", "P0"),
  tellDrainedAtP1: (args: Args) => drained(args, "steering", "P1"),
  tellDrainedAtP2: (args: Args) => drained(args, "steering", "P2"),
  tellDrainedAtP3: (args: Args) => drained(args, "followUp", "P3"),
  tellSteeringDrainedAtP4: (args: Args) => drained(args, "steering", "P4"),
  tellFollowUpDrainedAtP4: (args: Args) => drained(args, "followUp", "P4"),

  deliver,
  tellMessageStarted: (args: Args) => fact(args, { type: "message.started", message: args.context.reply }),
  tellMessageEnded: (args: Args) => fact(args, { type: "message.ended", message: args.context.reply }),
  tellFailureMessage: failureMessage,

  refuseBusyPrompt: (args: Args) => refuse(args, "busy-prompt"),
  refuseBusyContinue: (args: Args) => refuse(args, "busy-continue"),
  refuseBusyReset: (args: Args) => refuse(args, "busy-reset"),
  refuseNothingToContinue: (args: Args) => refuse(args, "nothing-to-continue"),
  refuseAssistantIsLast: (args: Args) => refuse(args, "assistant-is-last"),

  askToSettleOpening: (args: Args) => settle(args, "trace.opened"),
  askToSettleTurn: (args: Args) => settle(args, "turn.closed"),
  askToSettleTrace: (args: Args) => settle(args, "trace.closed"),
  askHostForSteeringP0: (args: Args) => poll(args, "steering", "P0"),
  askHostForSteeringP1: (args: Args) => poll(args, "steering", "P1"),
  askHostForSteeringP2: (args: Args) => (args.context.pending.length === 0 ? poll(args, "steering", "P2") : undefined),
  askHostForFollowUps: (args: Args) => poll(args, "followUp", "P3"),
  askForPromptDeclarations: (args: Args) => effect(args, "declare-prompt#1", { type: "tools.declare" }),
  askForDeclarations: (args: Args) => effect(args, "declare#1", { type: "tools.declare" }),
  askForRequestHook: (args: Args) => runHook(args, "prepareRequest"),
  askForFinishHook: (args: Args) => runHook(args, "finishTurn"),
  askForNextTurnHook: (args: Args) => runHook(args, "prepareNextTurn"),
  askForModel: (args: Args) => effect(args, "model#1", { type: "model.request", attempt: 1 }),
  askForSignalAbort: (args: Args) => effect(args, "abort#1", { type: "signal.abort" }),
};
