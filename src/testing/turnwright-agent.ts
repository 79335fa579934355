import { Agent } from "../pi/agent.ts";
import { createAssistantMessageEventStream } from "../pi/event-stream.ts";
import type { Profile } from "../protocol/policy.ts";
import type { AgentUnderTest } from "./agent-under-test.ts";

/** What a scenario's agent is made with. */
export interface TurnwrightAgentOptions {
  /** Default `strict`. */
  readonly profile?: Profile;
  /** Whether its log keeps digests. */
  readonly digests?: boolean;
}

/** Our own `Agent` for the runner: on virtual time, so that its log is the same in every run. */
export function turnwrightAgent(own: TurnwrightAgentOptions = {}): AgentUnderTest<Agent> {
  return {
    create: (options, time) => new Agent({ ...options, ...own, clock: time.asClock(), onListenerError: () => {} }),
    queued: (agent) => {
      const { steering, followUp } = agent.queued();
      return { steering: steering.map(({ message }) => message), followUp: followUp.map(({ message }) => message) };
    },
    createStream: createAssistantMessageEventStream,
  };
}
