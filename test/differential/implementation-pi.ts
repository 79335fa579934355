import {
  Agent,
  agentLoop,
  agentLoopContinue,
  runAgentLoop,
  runAgentLoopContinue,
  runToolCall,
} from "@earendil-works/pi-agent-core";
import type { Implementation } from "./implementation.ts";

/** The real Pi. */
export const PI: Implementation = {
  name: "pi",
  createAgent: (options) => new Agent(options),
  runAgentLoop,
  runAgentLoopContinue,
  agentLoop,
  agentLoopContinue,
  runToolCall,
};
