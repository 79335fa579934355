import { traceSetup } from "./trace-setup.ts";

/** The Trace at rest: what opens one, and what is refused (section 5 of the specification). */
export const idleState = traceSetup.createStateConfig({
  description: "No Trace runs; the queues keep what they have.",
  on: {
    prompt: {
      description: "G2: an accepted prompt opens a Trace.",
      target: "turn.declarePrompt",
      actions: ["openTraceWithPrompt", "tellTraceStarted", "tellTurnStarted"],
    },
    continue: [
      {
        guard: "nothingToContinue",
        description: "A3: nothing but system messages.",
        actions: "refuseNothingToContinue",
      },
      {
        guard: "continuesWithSteering",
        description: "P4: after an assistant message, queued steering becomes the prompt and P0 is skipped.",
        target: "turn.declarePrompt",
        actions: ["openTraceWithSteering", "tellSteeringDrainedAtP4", "tellTraceStarted", "tellTurnStarted"],
      },
      {
        guard: "continuesWithFollowUps",
        description: "P4: without steering, queued follow-ups become the prompt.",
        target: "turn.declarePrompt",
        actions: ["openTraceWithFollowUps", "tellFollowUpDrainedAtP4", "tellTraceStarted", "tellTurnStarted"],
      },
      {
        guard: "assistantIsLast",
        description: "A3: nothing queued to answer an assistant message with.",
        actions: "refuseAssistantIsLast",
      },
      {
        description: "A3: a continuation run without prompt events.",
        target: "turn.opening",
        actions: ["openTraceAsContinuation", "tellTraceStarted", "tellTurnStarted"],
      },
    ],
    reset: {
      description: "A4: the transcript falls back to its system baseline, both queues are handed back.",
      actions: [
        "tellSteeringReturned",
        "tellFollowUpReturned",
        "clearSteering",
        "clearFollowUp",
        "tellTranscriptReset",
      ],
    },
  },
});
