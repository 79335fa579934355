import { assign, setup } from "xstate";
import { CLOSED_BATCH, type ToolBatchContext, type ToolBatchEvent } from "./tool-batch-context.ts";
import { toolBatchGuards, toolBatchProducts, toolBatchUpdates as updates } from "./tool-batch-parts.ts";

/** The tool batch of one reply: section 4 of the specification. Every call gets exactly one result. */
export const toolBatchMachine = setup({
  types: {} as { context: ToolBatchContext; events: ToolBatchEvent },
  guards: toolBatchGuards,
  actions: {
    ...toolBatchProducts,
    openBatch: assign(updates.openBatch),
    markAborted: assign(updates.markAborted),
    markReady: assign(updates.markReady),
    nextCall: assign(updates.nextCall),
    endCall: assign(updates.endCall),
  },
}).createMachine({
  id: "tool-batch",
  description: "The tool calls of one assistant message, from the first start to the last result.",
  context: () => CLOSED_BATCH,
  initial: "closed",
  on: {
    abort: { description: "INV-T13: no further tool body starts.", actions: "markAborted" },
  },
  states: {
    closed: {
      description: "No batch.",
      on: { "batch.opened": { description: "A reply has calls (E4).", target: "choosing", actions: "openBatch" } },
    },
    choosing: {
      description: "T1: the whole batch takes one mode.",
      always: [
        { guard: "isTruncated", description: "T9: the reply hit the output limit.", target: "truncated" },
        { guard: "isSequential", description: "T1: asked for by the agent or by one tool.", target: "sequential" },
        { description: "T1: the default.", target: "parallel" },
      ],
    },
    truncated: {
      description: "T9: nothing is prepared, nothing runs; every call fails with the truncation text.",
      always: [
        {
          guard: "callsRemain",
          description: "T9: start, end and result of one call.",
          actions: ["tellCallStarted", "tellCallTruncated", "tellResult", "nextCall"],
        },
        { description: "Every call has its result.", target: "collected" },
      ],
    },
    sequential: {
      description: "T4: start, prepare, execute, end and result of one call, then the next.",
      initial: "starting",
      states: {
        starting: {
          description: "The next call in source order.",
          always: [
            { guard: "callsRemain", description: "INV-T5", target: "preparing", actions: "tellCallStarted" },
            { description: "Every call has its result.", target: "#tool-batch.collected" },
          ],
        },
        preparing: {
          description: "T2: lookup, arguments, beforeToolCall.",
          entry: "askForPreparation",
          on: {
            "tool.prepared": [
              { guard: "callMayRun", description: "T2: ready.", target: "executing", actions: "markReady" },
              {
                description: "T2: an immediate error result.",
                target: "starting",
                actions: ["tellCallEnded", "endCall", "tellResult", "nextCall"],
              },
            ],
          },
        },
        executing: {
          description: "T7: the tool body runs.",
          entry: "askForExecution",
          on: {
            "tool.finished": {
              description: "T4: end and result.",
              target: "starting",
              actions: ["tellCallEnded", "endCall", "tellResult", "nextCall"],
            },
          },
        },
      },
    },
    parallel: {
      description: "T5: prepare in source order, execute together, results in source order.",
      initial: "starting",
      states: {
        starting: {
          description: "The next call in source order.",
          always: [
            { guard: "callsRemain", description: "INV-T1", target: "preparing", actions: "tellCallStarted" },
            { description: "T5: all are prepared.", target: "executing" },
          ],
        },
        preparing: {
          description: "T2: lookup, arguments, beforeToolCall.",
          entry: "askForPreparation",
          on: {
            "tool.prepared": [
              {
                guard: "callIsReady",
                description: "T2: ready.",
                target: "starting",
                actions: ["markReady", "nextCall"],
              },
              {
                description: "T2: an immediate error ends at once.",
                target: "starting",
                actions: ["tellCallEnded", "endCall", "nextCall"],
              },
            ],
          },
        },
        executing: {
          description: "T5: every prepared tool runs, or none after an abort (T11); ends come in completion order.",
          entry: "askForExecutions",
          always: { guard: "everyCallEnded", description: "INV-T4", target: "collecting" },
          on: {
            "tool.finished": { description: "T5: one tool has ended.", actions: ["tellCallEnded", "endCall"] },
          },
        },
        collecting: {
          description: "T5: results in source order.",
          entry: "tellResults",
          always: { description: "INV-T3", target: "#tool-batch.collected" },
        },
      },
    },
    collected: { description: "Every call has exactly one result (INV-T10)." },
  },
});
