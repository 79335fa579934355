import type { AgentEvent, AgentMessage, AgentOptions, QueueMode } from "@earendil-works/pi-agent-core";
import type { AssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { VirtualTime } from "./virtual-time.ts";

/** What a scenario's host does with an agent. Pi's `Agent` and ours have it. */
export interface ScenarioAgent {
  readonly state: { readonly messages: readonly AgentMessage[]; readonly isStreaming: boolean };
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  subscribe(listener: (event: AgentEvent) => void): unknown;
  prompt(message: AgentMessage): Promise<void>;
  continue(): Promise<void>;
  steer(message: AgentMessage): unknown;
  followUp(message: AgentMessage): unknown;
  abort(): unknown;
  clearSteeringQueue(): unknown;
  clearFollowUpQueue(): unknown;
  clearAllQueues(): unknown;
  reset(): unknown;
}

/** What is queued, oldest first. */
export interface QueuedMessages {
  readonly steering: readonly AgentMessage[];
  readonly followUp: readonly AgentMessage[];
}

/** How the runner gets at an implementation of Pi's `Agent`. */
export interface AgentUnderTest<A extends ScenarioAgent = ScenarioAgent> {
  /** @param time The scenario's clock, for an agent that takes one. */
  create(options: AgentOptions, time: VirtualTime): A;
  queued(agent: A): QueuedMessages;
  /** A new stream for one reply of the model. */
  createStream(): AssistantMessageEventStream;
}
