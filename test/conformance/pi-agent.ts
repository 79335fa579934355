import { Agent } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { AgentUnderTest, QueuedMessages } from "../../src/testing/agent-under-test.ts";

/** The private queues of Pi's Agent, which has no public way to look at all that is queued. */
interface PiQueues {
  readonly steeringQueue: { readonly messages: QueuedMessages["steering"] };
  readonly followUpQueue: { readonly messages: QueuedMessages["followUp"] };
}

/** The real Pi for the runner. */
export const PI_AGENT: AgentUnderTest<Agent> = {
  create: (options) => new Agent(options),
  queued: (agent) => {
    const { steeringQueue, followUpQueue } = agent as unknown as PiQueues;
    return { steering: steeringQueue.messages, followUp: followUpQueue.messages };
  },
  createStream: createAssistantMessageEventStream,
};
