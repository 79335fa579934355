import { assign, setup } from "xstate";
import type { TraceContext, TraceEvent } from "./trace-context.ts";
import { traceGuards } from "./trace-guards.ts";
import { traceProducts } from "./trace-products.ts";
import { traceUpdates as updates } from "./trace-updates.ts";

/** The vocabulary of the Trace machine: its events, its named guards, and its named actions. */
export const traceSetup = setup({
  types: {} as { context: TraceContext; events: TraceEvent },
  guards: traceGuards,
  actions: {
    ...traceProducts,
    openTraceWithPrompt: assign(updates.openTraceWithPrompt),
    openTraceWithSteering: assign(updates.openTraceWithSteering),
    openTraceWithFollowUps: assign(updates.openTraceWithFollowUps),
    openTraceAsContinuation: assign(updates.openTraceAsContinuation),
    closeTrace: assign(updates.closeTrace),
    markAborted: assign(updates.markAborted),
    queueSteering: assign(updates.queueSteering),
    queueFollowUp: assign(updates.queueFollowUp),
    clearSteering: assign(updates.clearSteering),
    clearFollowUp: assign(updates.clearFollowUp),
    setSteeringMode: assign(updates.setSteeringMode),
    setFollowUpMode: assign(updates.setFollowUpMode),
    drainSteering: assign(updates.drainSteering),
    drainFollowUp: assign(updates.drainFollowUp),
    takePolledSteering: assign(updates.takePolledSteering),
    takePolledFollowUps: assign(updates.takePolledFollowUps),
    takePrepared: assign(updates.takePrepared),
    forgetPending: assign(updates.forgetPending),
    returnDrained: assign(updates.returnDrained),
    returnPending: assign(updates.returnPending),
    dropPending: assign(updates.dropPending),
    openNextTurn: assign(updates.openNextTurn),
    openReply: assign(updates.openReply),
    takeReply: assign(updates.takeReply),
    takeBatch: assign(updates.takeBatch),
    takeDecision: assign(updates.takeDecision),
    takeFailure: assign(updates.takeFailure),
  },
});
