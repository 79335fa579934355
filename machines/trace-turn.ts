import { traceSetup } from "./trace-setup.ts";

/** One Turn: injected messages, the request and the reply (steps 2 to 8 of section 3.2). */
export const turnState = traceSetup.createStateConfig({
  description: "G4: injected messages, one assistant message and its tool batch.",
  initial: "declarePrompt",
  on: {
    "run.failed": [
      {
        guard: "failureAfterAnAbort",
        description: "Abort at the boundary: what was drained goes back; the failure is this turn's assistant message.",
        target: "end",
        actions: ["returnDrained", "deliver", "forgetPending", "tellFailureMessage", "tellFailedTurnEnded"],
      },
      {
        guard: "failureTakesATurn",
        description: "E11 within the grammar: the failure is this turn's assistant message.",
        target: "end",
        actions: ["deliver", "forgetPending", "tellFailureMessage", "tellFailedTurnEnded"],
      },
    ],
  },
  states: {
    declarePrompt: {
      description: "E7: the prompt's messages with the changes of the declared tools.",
      entry: "askForPromptDeclarations",
      on: {
        "tools.declared": {
          description: "E7: the prompt is delivered.",
          target: "opening",
          actions: ["deliver", "forgetPending"],
        },
      },
    },
    opening: {
      description: "The listeners of the start and of the prompt settle.",
      entry: "askToSettleOpening",
      on: { "trace.opened": { description: "All prompt listeners have settled.", target: "pollInitial" } },
    },
    pollInitial: {
      description: "P0: steering is polled after the prompt (L7).",
      entry: "askHostForSteeringP0",
      always: [
        { guard: "initialPollIsSkipped", description: "L6: continue() has just drained.", target: "inject" },
        {
          guard: "steeringWaits",
          description: "P0 drains.",
          target: "inject",
          actions: ["drainSteering", "tellDrainedAtP0"],
        },
        { guard: "ownQueues", description: "P0 found nothing.", target: "inject" },
      ],
      on: {
        "queue.polled": [
          {
            guard: "polledSomething",
            description: "P0: the host's queue gave messages.",
            target: "inject",
            actions: ["takePolledSteering", "tellDrainedAtP0"],
          },
          { description: "P0 found nothing.", target: "inject" },
        ],
      },
    },
    inject: {
      description: "E7: prepared and pending messages with the changes of the declared tools.",
      entry: "askForDeclarations",
      on: {
        "tools.declared": [
          {
            guard: "abortEndsHere",
            description: "Abort at the boundary: what was drained goes back, and no hook is asked.",
            target: "request",
            actions: ["returnDrained", "deliver", "forgetPending"],
          },
          {
            description: "Delivery: what was drained is told and appended.",
            target: "prepareRequest",
            actions: ["deliver", "forgetPending"],
          },
        ],
      },
    },
    prepareRequest: {
      description: "G10: the prepareRequest hook, before every request; it polls nothing (L1).",
      entry: "askForRequestHook",
      always: { guard: "hasNoRequestHook", description: "No hook to ask.", target: "request" },
      on: { "request.prepared": { description: "The hook has answered.", target: "request" } },
    },
    request: {
      description: "The model has been asked and has said nothing yet.",
      entry: "askForModel",
      on: {
        "model.started": {
          description: "The reply streams.",
          target: "stream",
          actions: ["openReply", "tellMessageStarted"],
        },
        "model.replied": {
          description: "The stream ended before it started: only the final message.",
          target: "answered",
          actions: ["openReply", "takeReply", "tellMessageStarted", "tellMessageEnded"],
        },
      },
    },
    stream: {
      description: "The assistant message is open.",
      on: {
        "model.started": { description: "A resumed request streams into the open message." },
        "model.replied": {
          description: "The final message replaces the partial one.",
          target: "answered",
          actions: ["takeReply", "tellMessageEnded"],
        },
        "run.failed": {
          guard: "failureTakesATurn",
          description: "E12 within the grammar: the open message ends with the failure.",
          target: "#trace.end",
          actions: ["tellMessageEnded", "tellTurnEnded"],
        },
      },
    },
    answered: {
      description: "E4: what the reply calls for.",
      always: [
        { guard: "replyFailed", description: "E5: a failed reply ends the Trace.", target: "#trace.finishTurn" },
        { guard: "replyHasCalls", description: "E4: the calls are a batch.", target: "#trace.toolBatch" },
        { description: "A reply without calls.", target: "#trace.finishTurn" },
      ],
    },
  },
});
