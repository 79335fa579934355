import type { CallOutcome, FactBody } from "../src/protocol/fact.ts";
import { effectId, messageId } from "../src/protocol/ids.ts";
import { type Produced, type Product, placed } from "./product.ts";
import type { CallPhase, ToolBatchContext, ToolBatchEvent } from "./tool-batch-context.ts";

interface Args {
  readonly context: ToolBatchContext;
  readonly event: ToolBatchEvent;
}
type Update = Partial<ToolBatchContext>;

const fact = ({ context, event }: Args, body: FactBody): Product =>
  placed(body, event.seq, context.traceId, context.turn);

const toolEffect = ({ context }: Args, work: "prepare" | "run" | "skip", call: number): Product => {
  const id = effectId(context.place, `call${call}/${work}#1`);
  return work === "skip" ? { type: "tool.skip", call, id } : { type: `tool.${work}`, call, attempt: 1, id };
};

const tellEnded = (args: Args, call: number, outcome: CallOutcome, isError: boolean): Product =>
  fact(args, { type: "tool.ended", call, callId: args.context.calls[call]?.id ?? "", outcome, isError });

const tellResulted = (args: Args, call: number): Product =>
  fact(args, {
    type: "tool.resulted",
    call,
    callId: args.context.calls[call]?.id ?? "",
    message: messageId(args.event.seq, call),
  });

const tellCallEnded = (args: Args): Produced => {
  const { event } = args;
  if (event.type === "tool.finished") {
    const { outcome } = event;
    return tellEnded(args, event.call, outcome.kind, outcome.kind !== "finished" || outcome.isError);
  }
  if (event.type !== "tool.prepared") return undefined;
  const { kind } = event.verdict;
  return tellEnded(args, event.call, kind === "ready" ? "aborted" : kind, true);
};

const callsIn = (context: ToolBatchContext, phase: CallPhase) =>
  context.calls.flatMap((_, call) => (context.phases[call] === phase ? [call] : []));

const endCall = (context: ToolBatchContext, call: number, terminates: boolean): Update => ({
  phases: context.phases.with(call, "ended"),
  ...(terminates ? { terminates: context.terminates.with(call, true) } : {}),
});

/** What the tool batch machine tells and asks for. */
export const toolBatchProducts = {
  tellCallStarted: (args: Args) => {
    const call = args.context.cursor;
    const { id = "", name = "" } = args.context.calls[call] ?? {};
    return fact(args, { type: "tool.started", call, callId: id, name });
  },
  askForPreparation: (args: Args) => toolEffect(args, "prepare", args.context.cursor),
  askForExecution: (args: Args) => toolEffect(args, "run", args.context.cursor),
  askForExecutions: (args: Args): Produced =>
    callsIn(args.context, "ready").map((call) => toolEffect(args, args.context.aborted ? "skip" : "run", call)),
  tellCallEnded,
  tellCallTruncated: (args: Args) => tellEnded(args, args.context.cursor, "truncated", true),
  tellResult: (args: Args) => tellResulted(args, args.context.cursor),
  tellResults: (args: Args): Produced => args.context.calls.map((_, call) => tellResulted(args, call)),
};

/** What each named assign of the tool batch machine changes. */
export const toolBatchUpdates = {
  openBatch: ({ event }: Args): Update => {
    if (event.type !== "batch.opened") return {};
    const { calls, traceId, turn, place, aborted } = event;
    const sequential = event.toolExecution === "sequential" || calls.some((call) => call.mode === "sequential");
    return {
      traceId,
      turn,
      place,
      calls,
      aborted,
      phases: calls.map(() => "waiting"),
      terminates: calls.map(() => false),
      cursor: 0,
      mode: event.stopReason === "length" ? "truncated" : sequential ? "sequential" : "parallel",
    };
  },
  markAborted: (): Update => ({ aborted: true }),
  markReady: ({ context }: Args): Update => ({ phases: context.phases.with(context.cursor, "ready") }),
  nextCall: ({ context }: Args): Update => ({ cursor: context.cursor + 1 }),
  endCall: ({ context, event }: Args): Update => {
    if (event.type === "tool.finished") {
      return endCall(context, event.call, event.outcome.kind === "finished" && event.outcome.terminate === true);
    }
    if (event.type !== "tool.prepared") return {};
    return endCall(context, event.call, event.verdict.kind === "refused" && event.verdict.terminate === true);
  },
};

/** The questions that the tool batch machine asks. */
export const toolBatchGuards = {
  isTruncated: ({ context }: Args) => context.mode === "truncated",
  isSequential: ({ context }: Args) => context.mode === "sequential",
  callsRemain: ({ context }: Args) => context.cursor < context.calls.length,
  callMayRun: ({ context, event }: Args) =>
    event.type === "tool.prepared" && event.verdict.kind === "ready" && !context.aborted,
  /** Parallel: an abort during a later preparation is seen before anything starts, not at once (spec T11). */
  callIsReady: ({ event }: Args) => event.type === "tool.prepared" && event.verdict.kind === "ready",
  everyCallEnded: ({ context }: Args) => context.phases.every((phase) => phase === "ended"),
};
