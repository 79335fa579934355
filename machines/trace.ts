import { PROFILES } from "../src/protocol/policy.ts";
import { idleContext } from "./trace-context.ts";
import { idleState } from "./trace-idle.ts";
import { traceSetup } from "./trace-setup.ts";
import { turnState } from "./trace-turn.ts";

/**
 * One run of the agent: idle → turn (inject, request, stream) → tool batch → finish turn → check steer → check
 * follow-up → end. The polling points P0 to P4 and every rule of sections 2, 3 and 5 of the specification.
 */
export const traceMachine = traceSetup.createMachine({
  id: "trace",
  description: "One agent_start … agent_end, from an accepted prompt or continuation until its listeners have settled.",
  context: () => idleContext(PROFILES.strict, "one-at-a-time", "one-at-a-time"),
  initial: "idle",
  on: {
    steer: {
      description: "A9: steering is always accepted and never starts a run.",
      actions: ["queueSteering", "tellSteeringAccepted"],
    },
    followUp: {
      description: "A9: a follow-up is always accepted and never starts a run.",
      actions: ["queueFollowUp", "tellFollowUpAccepted"],
    },
    clearSteering: {
      description: "A9: the steering queue is handed back and emptied.",
      actions: ["tellSteeringReturned", "clearSteering"],
    },
    clearFollowUp: {
      description: "A9: the follow-up queue is handed back and emptied.",
      actions: ["tellFollowUpReturned", "clearFollowUp"],
    },
    clearAll: {
      description: "A9: both queues are handed back and emptied.",
      actions: ["tellSteeringReturned", "tellFollowUpReturned", "clearSteering", "clearFollowUp"],
    },
    setSteeringMode: {
      description: "L8: the mode is read by the next drain.",
      actions: ["setSteeringMode", "tellSteeringModeChanged"],
    },
    setFollowUpMode: {
      description: "L8: the mode is read by the next drain.",
      actions: ["setFollowUpMode", "tellFollowUpModeChanged"],
    },
    abort: {
      description: "A10: abort only signals; idle it is a no-op.",
      guard: "isRunning",
      actions: ["markAborted", "tellAbortRequested", "askForSignalAbort"],
    },
    editTranscript: {
      description: "L14: the host changed its transcript; a running Trace keeps its own.",
      actions: "tellTranscriptEdited",
    },
    prompt: { description: "A2: a prompt while busy is refused and changes nothing.", actions: "refuseBusyPrompt" },
    continue: { description: "A3: continue while busy is refused.", actions: "refuseBusyContinue" },
    reset: { description: "A4: reset while busy is refused.", actions: "refuseBusyReset" },
    "run.failed": [
      {
        guard: "failureRejects",
        description: "L15: a raw loop hands the exception to its caller.",
        target: ".idle",
        actions: ["tellPendingLost", "dropPending", "tellRunRejected", "closeTrace"],
      },
      {
        description: "E11: Pi's failure suffix follows whatever was already emitted; what was drained is lost (L10).",
        target: ".end",
        actions: ["tellPendingLost", "dropPending", "tellFailureMessage", "tellFailedTurnEnded", "takeFailure"],
      },
    ],
  },
  states: {
    idle: idleState,
    turn: turnState,
    toolBatch: {
      description: "The tool batch machine runs; no queue is polled (L1).",
      on: {
        "batch.collected": {
          description: "Every call has exactly one result.",
          target: "finishTurn",
          actions: "takeBatch",
        },
      },
    },
    finishTurn: {
      description: "G10: the finishTurn hook, after the results and before turn_end (L11).",
      entry: "askForFinishHook",
      always: { guard: "hasNoFinishHook", description: "No hook to ask.", target: "closeTurn" },
      on: {
        "turn.finished": { description: "The hook has decided.", target: "closeTurn", actions: "takeDecision" },
        "run.failed": [
          {
            guard: "failureAfterAFailedReply",
            description: "INV-G7: a failed reply ends the Trace, whatever the hook did.",
            target: "end",
            actions: "tellTurnEnded",
          },
          {
            guard: "failureTakesATurn",
            description: "E12 within the grammar: the turn ends, the failure gets a turn of its own.",
            target: "end",
            actions: ["tellTurnEnded", "openNextTurn", "tellTurnStarted", "tellFailureMessage", "tellFailedTurnEnded"],
          },
        ],
      },
    },
    closeTurn: {
      description: "turn_end, and whether the Trace ends with it.",
      always: [
        {
          guard: "replyFailed",
          description: "E5: turn_end, then agent_end.",
          target: "end",
          actions: "tellTurnEnded",
        },
        { description: "turn_end of an ordinary turn.", target: "turnEnd", actions: "tellTurnEnded" },
      ],
    },
    turnEnd: {
      description: "The listeners of turn_end settle.",
      entry: "askToSettleTurn",
      on: {
        "turn.closed": [
          { guard: "finishTurnSaidEnd", description: "L11: end now, poll nothing.", target: "end" },
          {
            guard: "abortEndsHereOwingATurn",
            description: "Abort at the boundary: an aborted turn that consumes nothing.",
            target: "turn.inject",
            actions: ["openNextTurn", "tellTurnStarted"],
          },
          { guard: "abortEndsHere", description: "Abort at the boundary: nothing was owed.", target: "end" },
          { description: "All turn_end listeners have settled.", target: "checkSteer" },
        ],
      },
    },
    checkSteer: {
      description: "P1: steering is polled first (L2).",
      entry: "askHostForSteeringP1",
      always: [
        {
          guard: "steeringWaits",
          description: "P1 drains.",
          target: "prepareNextTurn",
          actions: ["drainSteering", "tellDrainedAtP1"],
        },
        { guard: "ownMoreToolCalls", description: "E6: the model gets its results.", target: "prepareNextTurn" },
        { guard: "ownQueues", description: "Nothing calls for a turn yet.", target: "checkFollowUp" },
      ],
      on: {
        "queue.polled": [
          {
            guard: "polledSomething",
            description: "P1: the host's queue gave messages.",
            target: "prepareNextTurn",
            actions: ["takePolledSteering", "tellDrainedAtP1"],
          },
          { guard: "moreToolCalls", description: "E6: the model gets its results.", target: "prepareNextTurn" },
          { description: "Nothing calls for a turn yet.", target: "checkFollowUp" },
        ],
      },
    },
    checkFollowUp: {
      description: "P3: follow-ups are looked at only when the Trace would end.",
      entry: "askHostForFollowUps",
      always: [
        {
          guard: "followUpWaits",
          description: "P3 drains.",
          target: "prepareNextTurn",
          actions: ["drainFollowUp", "tellDrainedAtP3"],
        },
        {
          guard: "ownFinishTurnSaidContinue",
          description: "L11: one context-only turn.",
          target: "prepareNextTurn",
        },
        { guard: "ownQueues", description: "Nothing more to do.", target: "end" },
      ],
      on: {
        "queue.polled": [
          {
            guard: "polledSomething",
            description: "P3: the host's queue gave messages.",
            target: "prepareNextTurn",
            actions: ["takePolledFollowUps", "tellDrainedAtP3"],
          },
          { guard: "finishTurnSaidContinue", description: "L11: one context-only turn.", target: "prepareNextTurn" },
          { description: "Nothing more to do.", target: "end" },
        ],
      },
    },
    prepareNextTurn: {
      description: "G10: the prepareNextTurn hook, before every turn but the first.",
      entry: "askForNextTurnHook",
      always: { guard: "hasNoNextTurnHook", description: "No hook to ask.", target: "catchUp" },
      on: {
        "turn.prepared": [
          {
            guard: "abortEndsHereOwingATurn",
            description: "Abort at the boundary: what was drained goes back, an aborted turn follows.",
            target: "turn.inject",
            actions: ["returnPending", "takePrepared", "openNextTurn", "tellTurnStarted"],
          },
          {
            guard: "abortEndsHere",
            description: "Abort at the boundary: what was drained goes back.",
            target: "end",
            actions: "returnPending",
          },
          { description: "The hook has answered.", target: "catchUp", actions: "takePrepared" },
        ],
        "run.failed": {
          guard: "failureTakesATurn",
          description: "E12 within the grammar: what was drained goes back, the failure gets the turn.",
          target: "end",
          actions: ["returnPending", "openNextTurn", "tellTurnStarted", "tellFailureMessage", "tellFailedTurnEnded"],
        },
      },
    },
    catchUp: {
      description: "P2: steering queued meanwhile, unless messages are pending already.",
      entry: "askHostForSteeringP2",
      always: [
        {
          guard: "steeringWaitsAndNothingIsPending",
          description: "P2 drains.",
          target: "turn.inject",
          actions: ["drainSteering", "tellDrainedAtP2", "openNextTurn", "tellTurnStarted"],
        },
        {
          guard: "hostQueuesNeedNoPoll",
          description: "P2 is skipped.",
          target: "turn.inject",
          actions: ["openNextTurn", "tellTurnStarted"],
        },
        {
          guard: "ownTurnHasAReason",
          description: "P2 found nothing or was skipped.",
          target: "turn.inject",
          actions: ["openNextTurn", "tellTurnStarted"],
        },
        {
          guard: "followUpWaits",
          description: "What was reserved has been taken back: P3 drains, and the hook is not asked again.",
          target: "turn.inject",
          actions: ["drainFollowUp", "tellDrainedAtP3", "openNextTurn", "tellTurnStarted"],
        },
        {
          guard: "ownQueues",
          description: "What was reserved has been taken back: nothing more to do.",
          target: "end",
        },
      ],
      on: {
        "queue.polled": [
          {
            guard: "polledSomething",
            description: "P2: the host's queue gave messages.",
            target: "turn.inject",
            actions: ["takePolledSteering", "tellDrainedAtP2", "openNextTurn", "tellTurnStarted"],
          },
          {
            description: "P2 found nothing.",
            target: "turn.inject",
            actions: ["openNextTurn", "tellTurnStarted"],
          },
        ],
      },
    },
    end: {
      description: "agent_end; its listeners settle while the agent is still busy (A5).",
      entry: ["tellTraceEnded", "askToSettleTrace"],
      on: { "trace.closed": { description: "A6: the agent is idle.", target: "idle", actions: "closeTrace" } },
    },
  },
});
