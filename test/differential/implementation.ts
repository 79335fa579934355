import type * as Pi from "@earendil-works/pi-agent-core";

/** What programs do with an agent. */
export type AgentPort = Pick<
  Pi.Agent,
  | "subscribe"
  | "state"
  | "steeringMode"
  | "followUpMode"
  | "steer"
  | "followUp"
  | "clearSteeringQueue"
  | "clearFollowUpQueue"
  | "clearAllQueues"
  | "hasQueuedMessages"
  | "peekQueuedMessages"
  | "signal"
  | "abort"
  | "waitForIdle"
  | "reset"
  | "prompt"
  | "continue"
  | "toolExecution"
> & { sessionId?: string | undefined };

/** One of the two sides that a program is run on. */
export interface Implementation {
  name: string;
  createAgent(options: Pi.AgentOptions): AgentPort;
  runAgentLoop: typeof Pi.runAgentLoop;
  runAgentLoopContinue: typeof Pi.runAgentLoopContinue;
  agentLoop: typeof Pi.agentLoop;
  agentLoopContinue: typeof Pi.agentLoopContinue;
  runToolCall: typeof Pi.runToolCall;
}
